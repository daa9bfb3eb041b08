"""A report as JSON: the result with its record, the check with its history, and what is archived of each quote."""

from core import __version__
from core.types import Model, Result, UtcTime, Verdict
from service.desk.types import Check, HistoryEntry
from service.reports.source import ReportSource


class QuotedArticle(Model):
    """A revision of an article that is quoted."""

    number: int
    """n in Doc[n]."""
    article_id: str
    content_hash: str
    """SHA-256 of headline and body, as the run has it."""
    is_indexed: bool
    """Whether the index still holds this revision."""
    first_seen_at: UtcTime | None = None
    raw_ref: str | None = None
    """Where the page as it was served is archived: file and offset."""


class ReportDocument(Model):
    """All that a report holds."""

    looksy: str
    """Version that wrote it."""
    made_at: UtcTime
    verdict: Verdict | None
    """What people decided, else what the machine says."""
    result: Result
    check: Check | None
    history: tuple[HistoryEntry, ...]
    articles: tuple[QuotedArticle, ...]


def to_document(source: ReportSource) -> ReportDocument:
    """Put a report together."""
    return ReportDocument(
        looksy=__version__,
        made_at=source.made_at,
        verdict=source.verdict,
        result=source.result,
        check=source.check,
        history=source.history,
        articles=quoted(source),
    )


def quoted(source: ReportSource) -> tuple[QuotedArticle, ...]:
    """Return each quoted revision once, in the order of the references."""
    found: dict[tuple[str, str], QuotedArticle] = {}
    for reference in source.result.references:
        for quote in reference.quotes:
            article = source.article(reference, quote)
            found.setdefault(
                (reference.article_id, quote.content_hash),
                QuotedArticle(
                    number=reference.number,
                    article_id=reference.article_id,
                    content_hash=quote.content_hash,
                    is_indexed=article is not None,
                    first_seen_at=article.first_seen_at if article else None,
                    raw_ref=article.raw_ref if article else None,
                ),
            )
    return tuple(found.values())
