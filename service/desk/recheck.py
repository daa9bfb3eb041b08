"""
Looks at checks again when the evidence may have changed: by quoted article first, then by new evidence in a budget.

Each step is one transaction, and what is left to do can be read from the database: a pass that is killed loses nothing,
and the next one goes on.
"""

import logging
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from core.errors import CancelledError, LooksyError
from core.locks import process_lock
from core.progress import Progress, ProgressEvent, Stage, ignore_progress
from core.settings import Settings
from core.types import Model, Result, Status
from indexing.stores.contract import EvidenceStore
from service.answers.asker import Asker
from service.desk.changes import ArticleChange, Change, ChangeKind, Changes
from service.desk.comparison import compare, is_news
from service.desk.due import Due, DueChecks
from service.desk.ledger import Ledger
from service.desk.new_evidence import Candidate, find_candidate
from service.desk.rerun import ask_again
from service.desk.types import DECIDED
from service.state.database import Database

logger = logging.getLogger(__name__)
LOCK = "recheck.lock"
_TOGETHER = 500
"""Articles that are looked up at one time."""
_LISTED = 200
"""Changes that a report names; it counts all."""


class RecheckReport(Model):
    """What one pass did, or would do."""

    dry_run: bool = False
    by_article: int = 0
    """Checks whose quoted articles changed."""
    searched: int = 0
    """Checks for which new evidence was searched."""
    by_new_evidence: int = 0
    """Checks with articles that were not read before."""
    asked: int = 0
    noted: int = 0
    """Changes that people should look at."""
    failed: int = 0
    """Checks that could not be asked again; the next pass tries."""
    waiting: int = 0
    """Checks that the budget left for the next pass."""
    changes: tuple[Change, ...] = ()
    """What was noted, the first ones; of a dry run nothing."""
    affected: tuple[str, ...] = ()
    """Of a dry run: ids of the checks that would be noted, or asked again."""
    seconds: float = 0.0


class Recheck:
    """
    One pass over the checks.

    :param asker: Asks again; opened when it is first needed.
    :param store: What the index holds now.
    """

    def __init__(self, settings: Settings, database: Database, *, asker: Asker, store: EvidenceStore) -> None:
        self.settings = settings
        self.database = database
        self.asker = asker
        self.store = store
        self.due = DueChecks(database)
        self.changes = Changes(database)
        self.ledger = Ledger(database, outbox=settings.webhook_url is not None)
        self._counts: Counter[str] = Counter()
        self._noted: dict[int, None] = {}
        self._affected: dict[str, None] = {}

    def run(self, *, dry_run: bool = False, progress: Progress = ignore_progress) -> RecheckReport:
        """
        Look at the checks again.

        :param dry_run: Only say which checks would be noted or asked again.
        :raises StoreLockedError: If another pass goes on.
        :raises StoreError: If there is no index, or the database cannot be used.
        """
        began = time.monotonic()
        lock = Path(self.settings.data_dir) / LOCK
        with process_lock(lock, doing="looking at checks again", hint="Wait until it has finished."):
            snapshot = self.store.snapshot_id()
            self._compare_articles(snapshot, dry_run=dry_run, progress=progress)
            if not dry_run:
                self._ask_noted(snapshot, progress=progress)
                self._ask_revised(snapshot, progress=progress)
            self._search_new_evidence(snapshot, dry_run=dry_run, progress=progress)
        return RecheckReport(
            dry_run=dry_run,
            noted=len(self._noted),
            changes=tuple(self.changes.get(number) for number in list(self._noted)[:_LISTED]),
            affected=tuple(self._affected),
            seconds=time.monotonic() - began,
            **self._counts,
        )

    def _compare_articles(self, snapshot: str, *, dry_run: bool, progress: Progress) -> None:
        """Compare all quoted articles with the index, and note what people must look at, before anything is asked."""
        until = self.due.last_number()
        seen: set[str] = set()
        revised: list[str] = []
        for article_ids in self.due.quoted_articles(snapshot, size=_TOGETHER):
            progress(ProgressEvent(stage=Stage.CHECK, done=len(seen), unit="checks", message="comparing articles"))
            fresh = self.due.that_differ(snapshot, self.store.get_articles(article_ids))
            for due in self.due.each([one for one in fresh if one not in seen]):
                seen.add(due.check.check_id)
                if changed := self._compare(due):
                    self._counts["by_article"] += 1
                    self._affected[due.check.check_id] = None
                    revised += [] if dry_run or self._note(due, changed) else [due.check.check_id]
        if not dry_run:
            self.ledger.mark_compared(snapshot, until=until, besides=revised)

    def _compare(self, due: Due) -> list[ArticleChange]:
        held = {one.article_id: self.store.get_revisions(one.article_id) for one in due.quoted}
        current = {name: revisions for name, revisions in held.items() if revisions}
        return compare(due.quoted, current, due.result)

    def _note(self, due: Due, changed: list[ArticleChange]) -> bool:
        """Note changed articles if they are news; say whether nothing is left but to ask the noted check again."""
        if any(is_news(one) for one in changed):
            self._remember(self.ledger.note(due.check.check_id, changed), due, changed)
            return True
        if all(one.kind is ChangeKind.RESTORED for one in changed):
            self._remember(self.ledger.note_restored(due.check.check_id, changed), due, changed)
            return True
        return False

    def _remember(self, number: int | None, due: Due, changed: Sequence[ArticleChange]) -> None:
        if number is not None:
            self._noted[number] = None
            kinds = ",".join(sorted({one.kind.value for one in changed}))
            logger.info("evidence changed", extra={"check_id": due.check.check_id, "change": number, "kinds": kinds})

    def _ask_noted(self, snapshot: str, *, progress: Progress) -> None:
        """Ask the checks again whose articles have changed, within the budget."""
        for change in self.changes.unanswered(limit=self.settings.recheck_asks):
            due = self.due.get(change.check_id)
            result = self._ask(due, progress) if due else None
            if due is None or result is None:
                continue
            gone = self._gone(result)
            if self.ledger.attach(due.check.check_id, change.change_id, result, snapshot=snapshot, gone=gone):
                self._noted[change.change_id] = None
            elif result.verdict is not due.check.verdict:  # somebody has decided meanwhile, without this answer
                self._turn(due, change.articles, result, snapshot=snapshot)
        self._counts["waiting"] += max(0, self.changes.count_unanswered() - self._counts["failed"])

    def _ask_revised(self, snapshot: str, *, progress: Progress) -> None:
        """Ask the checks again whose articles have changed in what is not quoted: the answer alone can be news."""
        left = max(0, self.settings.recheck_asks - self._counts["asked"])
        names = self.due.not_compared(snapshot, limit=left + 1)
        for due in self.due.each(names[:left]):
            changed = self._compare(due)
            if not changed or (result := self._ask(due, progress)) is None:
                continue
            if result.verdict is due.check.verdict:
                self.ledger.look(due.check.check_id, changed, snapshot=snapshot)
            else:
                self._turn(due, changed, result, snapshot=snapshot)
        self._counts["waiting"] += len(names) - len(names[:left])

    def _ask(self, due: Due, progress: Progress) -> Result | None:
        """Ask a check again; None if there was no answer: a failure is never a finding."""
        self._counts["asked"] += 1
        progress(ProgressEvent(stage=Stage.CHECK, done=self._counts["asked"], unit="checks", message="asking again"))
        try:
            result = ask_again(due, self.asker, store=self.store)
        except CancelledError:
            raise
        except LooksyError as error:
            logger.warning("not asked again", extra={"check_id": due.check.check_id, "reason": error.message})
            result = None
        if result is None or result.status is Status.FAILED:
            self._counts["failed"] += 1
            self.ledger.postpone(due.check.check_id)
            return None
        return result

    def _gone(self, result: Result) -> frozenset[str]:
        found = self.store.get_articles([reference.article_id for reference in result.references])
        return frozenset(name for name, article in found.items() if article.gone_at is not None)

    def _turn(self, due: Due, changed: Sequence[ArticleChange], result: Result, *, snapshot: str) -> None:
        gone = self._gone(result)
        number = self.ledger.turn(due.check.check_id, changed, result, snapshot=snapshot, gone=gone)
        self._remember(number, due, changed)

    def _search_new_evidence(self, snapshot: str, *, dry_run: bool, progress: Progress) -> None:
        found: list[Candidate] = []
        for due in self.due.each(self.due.not_searched(snapshot, limit=self.settings.recheck_searches)):
            progress(
                ProgressEvent(stage=Stage.CHECK, done=self._counts["searched"], unit="checks", message="searching")
            )
            self._counts["searched"] += 1
            candidate = find_candidate(due, store=self.store, top_k=self.settings.top_k)
            if candidate is not None:
                found.append(candidate)
                self._affected[due.check.check_id] = None
            elif not dry_run:
                self.ledger.look(due.check.check_id, snapshot=snapshot)
        self._counts["by_new_evidence"] = len(found)
        found.sort(key=lambda one: (one.due.check.state not in DECIDED, one.rank))
        chosen = [] if dry_run else found[: self.settings.recheck_asks]
        for candidate in chosen:
            self._ask_candidate(candidate, snapshot, progress)
        if not dry_run:
            self._counts["waiting"] += self.due.count_not_searched(snapshot)

    def _ask_candidate(self, candidate: Candidate, snapshot: str, progress: Progress) -> None:
        due = candidate.due
        result = self._ask(due, progress)
        if result is None:
            return
        if result.verdict is due.check.verdict:
            self.ledger.look(due.check.check_id, snapshot=snapshot, read=candidate.article_ids)
        else:
            self._turn(due, candidate.changes(result), result, snapshot=snapshot)
