"""Decided checks of the own desk among the fact-checks: they join by themselves, and leave with their decision."""

import logging

from core.errors import LooksyError
from core.types import QueryKind, Verdict
from indexing.factchecks import MAX_CLAIM_CHARS, MAX_FIELD_CHARS, FactCheck, FactCheckStore
from service.answers.runs import read_result
from service.desk.rows import SELECT, to_check
from service.desk.types import DECIDED, Check
from service.state.database import Database

logger = logging.getLogger(__name__)
PUBLISHER = "Our own desk"
_ID_PREFIX = "check-"
_WORDS = {
    Verdict.VERIFIED: "Verified",
    Verdict.REFUTED: "Refuted",
    Verdict.CONFLICTING: "Conflicting",
    Verdict.UNVERIFIED: "Unverified",
}
_STANDING = f"state IN ({', '.join(repr(state.value) for state in sorted(DECIDED))})"


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
            entry = self._entry(check)
            if entry is None:
                self.store.remove_check(check.check_id)
            else:
                self.store.add([entry])
        except LooksyError as error:
            logger.warning("own check not joined", extra={"check_id": check.check_id, "reason": error.message})

    def sync_all(self) -> None:
        """
        Bring all into step: after a pass over the checks, and after a process was killed between the two stores.

        :raises StoreError: If one of the stores cannot be used.
        """
        with self.database.open() as connection:
            rows = connection.execute(f"{SELECT} WHERE c.{_STANDING}").fetchall()
        checks = [to_check(row) for row in rows]
        entries = {check.check_id: entry for check in checks if (entry := self._entry(check)) is not None}
        for check_id in self.store.check_ids() - entries.keys():
            self.store.remove_check(check_id)
        if entries:
            self.store.add(entries.values())

    def _entry(self, check: Check) -> FactCheck | None:
        """Return a check as a fact-check; None if it does not stand, or what was asked claims nothing."""
        decision = check.decision
        if decision is None or check.changed:
            return None
        if read_result(self.database, check.run_id).kind is QueryKind.QUESTION:
            return None
        return FactCheck(
            id=f"{_ID_PREFIX}{check.check_id}",
            claim=check.text[:MAX_CLAIM_CHARS],
            verdict=_WORDS[decision.verdict],
            url=check.published_url or "",
            publisher=PUBLISHER,
            date=decision.decided_at.date(),
            claimant=(check.claim_author or "")[:MAX_FIELD_CHARS],
            check_id=check.check_id,
        )
