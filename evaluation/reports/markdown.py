"""A report as Markdown."""

from collections.abc import Iterable, Sequence

from evaluation.reports.models import Report
from evaluation.reports.text import cell, interval, number, timing_line


def to_markdown(report: Report) -> str:
    """Write the report for people who read text."""
    run = report.run
    parts = [
        f"# {run.title}",
        f"Run `{run.run_id}`, {run.created_at:%Y-%m-%d %H:%M} UTC, Looksy {run.version}. Data: `{run.data.path}` "
        f"({run.data.format}, {run.data.items} items, SHA-256 {run.data.sha256[:12]}).",
        *(f"- {note}" for note in report.notes),
        "## Measures",
        to_table(
            ("measure", "value", "95 % interval", "n"),
            [(name, number(value.value), interval(value), str(value.n)) for name, value in report.measures.items()],
        ),
    ]
    if report.timing:
        parts.append(timing_line(report.timing))
    for table in report.tables:
        rows = [[cell(value) for value in row] for row in table.rows]
        parts += [f"## {table.title}", to_table(table.columns, rows), *([table.note] if table.note else [])]
    if report.failures:
        rows = [[failure.id, failure.code, failure.message] for failure in report.failures]
        parts += ["## Failed items", to_table(("item", "code", "why"), rows)]
    if report.definitions:
        parts.append("## Definitions")
        parts += [f"- **{one.name}**: {one.definition} {one.source}" for one in report.definitions]
    return _join(parts)


def _join(parts: Iterable[str]) -> str:
    text = ""
    for part in parts:
        close = text.rsplit("\n", 1)[-1].startswith("- ") and part.startswith("- ")
        text += ("\n" if close else "\n\n") + part if text else part
    return text + "\n"


def to_table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Write a table; a bar or a line break in a cell does not part it."""
    lines = [_row(columns), _row(["---"] * len(columns)), *(_row(row) for row in rows)]
    return "\n".join(lines)


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(" ".join(text.replace("|", "\\|").split()) for text in cells) + " |"
