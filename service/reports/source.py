"""What a report is made of: an answer, what people decided on it, and the articles that it quotes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from core.errors import LooksyError
from core.types import Article, Quote, Reference, Result, Verdict
from indexing.stores.contract import EvidenceStore
from service.desk import Check, Desk
from service.desk.changes import Changes
from service.desk.types import HistoryEntry

ArticleKey = tuple[str, str]
"""Id of an article, and the hash of the revision's content."""


def page_address(base: str, result: Result, check: Check | None) -> str:
    """
    Return where people find a check, or a run that is not on the desk.

    :param base: Address of the service, with a slash at its end.
    """
    return f"{base}checks/{check.check_id}" if check else f"{base}runs/{result.run_id}"


@dataclass(frozen=True)
class ReportSource:
    """An answer with all that is known about it."""

    result: Result
    check: Check | None = None
    """None: the answer is not on the desk."""
    history: tuple[HistoryEntry, ...] = ()
    """What happened to the check, oldest first."""
    articles: Mapping[ArticleKey, Article] = field(default_factory=dict)
    """The quoted revisions that the index still holds."""
    page: str = ""
    """Address of the check's page, or of the run's; empty: the service is not asked."""
    change_reason: str | None = None
    """Why the evidence has changed, if it has and nobody has decided since."""
    data_dir: Path | None = None
    """Where the archived pages are."""
    made_at: datetime = field(default_factory=lambda: datetime.now(UTC))

    @property
    def name(self) -> str:
        """Of the file, without an ending."""
        return f"looksy-check-{self.check.check_id}" if self.check else f"looksy-run-{self.result.run_id}"

    @property
    def verdict(self) -> Verdict | None:
        """What people decided, else what the machine says."""
        decision = self.check.decision if self.check else None
        return decision.verdict if decision else self.result.verdict

    @property
    def is_decided(self) -> bool:
        """Whether people stand behind the verdict."""
        return self.check is not None and self.check.decision is not None

    def article(self, reference: Reference, quote: Quote) -> Article | None:
        """Return the revision that a quote stands in."""
        return self.articles.get((reference.article_id, quote.content_hash))

    def conflicts(self, quote: Quote) -> tuple[str, ...]:
        """Say what the statement and a quote state differently."""
        inputs = self.result.run.verdict_inputs if self.result.run else {}
        found: list[str] = []
        for item in inputs.get("evidence", ()):
            if isinstance(item, dict) and item.get("text") == quote.text:
                found += [_conflict(one) for one in item.get("conflicts", ()) if isinstance(one, dict)]
        return tuple(dict.fromkeys(found))


def report_source(
    result: Result, desk: Desk | None, *, base: str, open_store: Callable[[], EvidenceStore], data_dir: Path
) -> ReportSource:
    """
    Gather what a report of an answer is made of.

    :param desk: Where its check would be; None: it has none.
    :param base: Address of the service, with a slash at its end.
    """
    check = desk.of_run(result.run_id) if desk else None
    if check is not None and check.run_id != result.run_id:  # an earlier answer is no longer what was decided on
        check = None
    return ReportSource(
        result=result,
        check=check,
        history=tuple(desk.history(check.check_id)) if desk and check else (),
        articles=quoted_articles(result, open_store),
        page=page_address(base, result, check),
        change_reason=Changes(desk.database).reason(check.check_id) if desk and check and check.changed else None,
        data_dir=data_dir,
    )


def _conflict(conflict: dict[str, Any]) -> str:
    kind = str(conflict.get("kind", "")).replace("_", " ")
    return f"{kind}: stated {conflict.get('stated', '')}, found {conflict.get('found', '')}"


def quoted_articles(result: Result, open_store: Callable[[], EvidenceStore]) -> dict[ArticleKey, Article]:
    """Return the revisions that a result quotes; those that the index does not hold are left out."""
    found: dict[ArticleKey, Article] = {}
    try:
        store = open_store()
        for reference in result.references:
            wanted = {quote.content_hash for quote in reference.quotes}
            for revision in store.get_revisions(reference.article_id):
                if revision.content_hash in wanted:
                    found[reference.article_id, revision.content_hash] = revision
    except LooksyError:
        return found  # the quotes stand in the result; what surrounds them is not known
    return found
