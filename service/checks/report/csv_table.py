"""A row a claim, for a spreadsheet."""

import csv
import io

from core.csv_cells import safe_cell
from core.text import visible
from service.checks.report.view import CheckView

COLUMNS = (
    "id", "order", "start", "end", "claim", "judged_as", "kind", "check_worthiness", "status", "verdict", "confidence",
    "conflicts", "quotes", "sources", "addresses", "published", "why_not", "run_id",
)  # fmt: skip


def to_csv(view: CheckView) -> str:
    """Write a row a claim in working order, with a heading; no cell of text can be taken for a formula."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for one in view.claims:
        claim = one.claim
        conflicts = "; ".join(f"stated {item.stated}, article says {item.found}" for item in claim.conflicts)
        row: list[object] = [
            claim.id,
            claim.order,
            claim.start,
            claim.end,
            cell(claim.text),
            cell(claim.standalone),
            claim.kind.value,
            claim.check_worthiness,
            claim.status.value,
            claim.verdict.value if claim.verdict else "",
            "" if claim.confidence is None else claim.confidence,
            cell(conflicts),
            cell(" | ".join(f"{quote.relation}: {quote.text}" for quote in one.quotes)),
            cell(" | ".join(f"{quote.headline} ({quote.source})" for quote in one.quotes)),
            cell(" | ".join(quote.url or "" for quote in one.quotes)),
            cell(" | ".join(quote.day for quote in one.quotes)),
            cell(claim.why),
            claim.run_id or "",
        ]
        writer.writerow(row)
    return out.getvalue()


def cell(text: str) -> str:
    """Return a text as a cell: on one line, and with an apostrophe before what a spreadsheet would work out."""
    return str(safe_cell(" ".join(visible(text).split())))
