"""Decided checks of the own desk among the fact-checks: they join by themselves, and leave with their decision."""

import logging

from core.errors import LooksyError
from core.types import QueryKind
from indexing.factchecks import MAX_CLAIM_CHARS, MAX_FIELD_CHARS, FactCheck, FactCheckStore
from service.desk.rows import SELECT, to_check
from service.desk.types import DECIDED, Check, Decision
from service.state.database import Database

logger = logging.getLogger(__name__)
PUBLISHER = "Our own desk"
_ID_PREFIX = "check-"
_STANDING = (
    f"{SELECT} JOIN runs AS r USING (run_id) WHERE c.state IN ({', '.join(repr(one.value) for one in sorted(DECIDED))})"
    f" AND json_extract(unpacked(r.result), '$.kind') != '{QueryKind.QUESTION.value}'"
)
"""Decided checks of what claims something: a question does not."""


class OwnChecks:
    """
    Keeps the fact-checks in step with the desk.

    :param database: Where the checks are.
    :param store: Where the fact-checks are.
    """

    def __init__(self, database: Database, store: FactCheckStore) -> None:
        self.database = database
        self.store = store

    def sync(self, check: Check) -> None:
        """Take a check over if it stands; drop it if not. What fails is made up for by the next `sync_all`."""
        try:
            if entries := self._entries(check.check_id):
                self.store.add(entries.values())
            else:
                self.store.remove_check(check.check_id)
        except LooksyError as error:
            logger.warning("own check not joined", extra={"check_id": check.check_id, "reason": error.message})

    def sync_all(self) -> None:
        """
        Bring all into step: after a pass over the checks, and after a process was killed between the two stores.

        :raises StoreError: If one of the stores cannot be used.
        """
        entries = self._entries()
        for check_id in self.store.check_ids() - entries.keys():
            self.store.remove_check(check_id)
        if entries:
            self.store.add(entries.values())

    def _entries(self, check_id: str | None = None) -> dict[str, FactCheck]:
        """Return the checks that stand, or the one, as fact-checks; their evidence has not changed since."""
        query, values = (_STANDING, ()) if check_id is None else (f"{_STANDING} AND c.check_id = ?", (check_id,))
        with self.database.open() as connection:
            checks = [to_check(row) for row in connection.execute(query, values)]
        return {
            check.check_id: _entry(check, check.decision)
            for check in checks
            if check.decision is not None and not check.changed
        }


def _entry(check: Check, decision: Decision) -> FactCheck:
    return FactCheck(
        id=f"{_ID_PREFIX}{check.check_id}",
        claim=check.text[:MAX_CLAIM_CHARS],
        verdict=decision.verdict.value.capitalize(),
        url=check.published_url or "",
        publisher=PUBLISHER,
        date=decision.decided_at.date(),
        claimant=(check.claim_author or "")[:MAX_FIELD_CHARS],
        check_id=check.check_id,
    )
