"""A report as CSV: one row a quote, safe to open in a spreadsheet."""

import csv
import io
from typing import Any

from core.csv_cells import safe_cell
from core.types import Quote, Reference
from service.reports.source import ReportSource

COLUMNS = (
    "check_id", "run_id", "asked_at", "claim", "verdict", "machine_verdict", "confidence", "state", "decided_by",
    "decided_at", "reason_code", "comment", "number", "source", "headline", "url", "published_at", "revision",
    "relation", "score", "quote", "start", "end", "conflicts", "content_hash", "link",
)  # fmt: skip


def to_csv(source: ReportSource) -> str:
    """Write one row a quote; an answer without quotes has one row. Lines end as RFC 4180 wants."""
    target = io.StringIO()
    writer = csv.DictWriter(target, fieldnames=COLUMNS, lineterminator="\r\n", restval="")
    writer.writeheader()
    common = _common(source)
    rows = [
        common | _quoted(source, reference, quote)
        for reference in source.result.references
        for quote in reference.quotes
    ]
    for row in rows or [common]:
        writer.writerow({name: safe_cell(value) for name, value in row.items()})
    return target.getvalue()


def _common(source: ReportSource) -> dict[str, Any]:
    result, check = source.result, source.check
    decision = check.decision if check else None
    row: dict[str, Any] = {
        "run_id": result.run_id,
        "asked_at": result.run.created_at.isoformat() if result.run else None,
        "claim": check.text if check else result.request.text,
        "verdict": source.verdict.value if source.verdict else None,
        "machine_verdict": result.verdict.value if result.verdict else None,
        "confidence": result.confidence.value if result.confidence else None,
    }
    if check is not None:
        row |= {"check_id": check.check_id, "state": check.state.value}
    if decision is not None:
        row |= {
            "decided_by": " and ".join(decision.decided_by),
            "decided_at": decision.decided_at.isoformat(),
            "reason_code": decision.reason_code,
            "comment": decision.comment,
        }
    return row


def _quoted(source: ReportSource, reference: Reference, quote: Quote) -> dict[str, Any]:
    return {
        "number": reference.number,
        "source": reference.source,
        "headline": reference.headline,
        "url": reference.url,
        "published_at": reference.published_at.isoformat() if reference.published_at else None,
        "revision": reference.revision,
        "relation": quote.relation.value,
        "score": quote.score,
        "quote": quote.text,
        "start": quote.start,
        "end": quote.end,
        "conflicts": "; ".join(source.conflicts(quote)),
        "content_hash": quote.content_hash,
        "link": quote.link,
    }
