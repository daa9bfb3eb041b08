"""The forms of a report, and one function that writes each."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from service.desk.claim_review import claim_review
from service.reports.rows import to_csv
from service.reports.source import ReportSource


class ReportFormat(StrEnum):
    """What a report can be."""

    HTML = "html"
    """One page that prints, and needs nothing else."""
    MARKDOWN = "md"
    JSON = "json"
    CSV = "csv"
    """One row a quote."""
    CLAIM_REVIEW = "claimreview"
    """schema.org ClaimReview, of decided checks only."""
    WACZ = "wacz"
    """The archived pages that are quoted, for a replay viewer."""


MEDIA_TYPES = {
    ReportFormat.HTML: "text/html; charset=utf-8",
    ReportFormat.MARKDOWN: "text/markdown; charset=utf-8",
    ReportFormat.JSON: "application/json",
    ReportFormat.CSV: "text/csv; charset=utf-8",
    ReportFormat.CLAIM_REVIEW: "application/ld+json",
    ReportFormat.WACZ: "application/wacz",
}
ENDINGS = {
    ReportFormat.HTML: "html",
    ReportFormat.MARKDOWN: "md",
    ReportFormat.JSON: "json",
    ReportFormat.CSV: "csv",
    ReportFormat.CLAIM_REVIEW: "jsonld",
    ReportFormat.WACZ: "wacz",
}


@dataclass(frozen=True)
class ReportFile:
    """A report, written."""

    name: str
    media_type: str
    content: bytes


def write_report(source: ReportSource, form: ReportFormat) -> ReportFile:
    """
    Write a report.

    :raises ForbiddenError: For a ClaimReview of what nobody has decided.
    :raises ConflictError: For a ClaimReview whose evidence has changed since.
    :raises InputError: For a WACZ where no quoted page is archived, or a ClaimReview of a question.
    """
    name = f"{source.name}.{ENDINGS[form]}"
    return ReportFile(name=name, media_type=MEDIA_TYPES[form], content=_WRITERS[form](source))


def _html(source: ReportSource) -> bytes:
    from service.reports.html import to_html

    return to_html(source).encode()


def _markdown(source: ReportSource) -> bytes:
    from service.reports.markdown import to_markdown

    return to_markdown(source).encode()


def _json(source: ReportSource) -> bytes:
    from service.reports.document import to_document

    return to_document(source).model_dump_json(indent=1).encode()


def _csv(source: ReportSource) -> bytes:
    return to_csv(source).encode("utf-8-sig")  # or spreadsheets take it for the system's own encoding


def _claim_review(source: ReportSource) -> bytes:
    review = claim_review(source.result, source.check, page=source.page, reason=source.change_reason)
    return json.dumps(review, ensure_ascii=False, indent=1).encode()


def _wacz(source: ReportSource) -> bytes:
    from service.reports.wacz import to_wacz

    return to_wacz(source)


_WRITERS: dict[ReportFormat, Callable[[ReportSource], bytes]] = {
    ReportFormat.HTML: _html,
    ReportFormat.MARKDOWN: _markdown,
    ReportFormat.JSON: _json,
    ReportFormat.CSV: _csv,
    ReportFormat.CLAIM_REVIEW: _claim_review,
    ReportFormat.WACZ: _wacz,
}
