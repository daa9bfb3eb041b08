"""A report as Markdown: the answer as everywhere, then what people decided, and what it was made with."""

from core import __version__
from pipelines.rendering.escape import markdown_link, markdown_text
from pipelines.rendering.render import to_markdown as result_to_markdown
from service.desk.types import REASONS, Check, HistoryEntry
from service.reports.document import quoted
from service.reports.history import change_words
from service.reports.source import ReportSource


def to_markdown(source: ReportSource) -> str:
    """Write a report. Everything from articles and people is escaped."""
    plain = source.result.model_copy(
        update={"request": source.result.request.model_copy(update={"options": {}})}  # not in the seed's format
    )
    parts = [
        _decision(source.check),
        result_to_markdown(plain).rstrip("\n"),
        _conflicts(source),
        _articles(source),
        _history(source.history),
        _made_with(source),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _decision(check: Check | None) -> str:
    if check is None:
        return ""
    decision = check.decision
    if decision is None:
        return f"**State**: {check.state.value.replace('_', ' ')}; nobody has decided."
    names = markdown_text(" and ".join(decision.decided_by)) or "somebody without a name"
    reason = markdown_text(REASONS.get(decision.reason_code, decision.reason_code))
    lines = [
        f"**Decided by people**: {decision.verdict.value} ({check.state.value}), by {names},"
        f" {decision.decided_at:%Y-%m-%d %H:%M} UTC. {reason}.",
    ]
    if decision.comment:
        lines.append(markdown_text(decision.comment))
    if check.changed:
        lines.append("**The evidence has changed since, and nobody has decided again.**")
    lines.append("What the machine says stands below.")
    return "\n\n".join(lines)


def _conflicts(source: ReportSource) -> str:
    rows = [
        f"- Doc\\[{reference.number}\\]: {markdown_text(conflict)}"
        for reference in source.result.references
        for conflict in dict.fromkeys(found for quote in reference.quotes for found in source.conflicts(quote))
    ]
    return "\n".join(["## Stated and found", "", *rows]) if rows else ""


def _articles(source: ReportSource) -> str:
    by_number = {reference.number: reference for reference in source.result.references}
    rows = []
    for one in quoted(source):
        reference = by_number[one.number]
        seen = f"first seen {one.first_seen_at:%Y-%m-%d %H:%M} UTC" if one.first_seen_at else "no longer in the archive"
        link = markdown_link(reference.headline, reference.url)
        rows.append(f"- Doc\\[{one.number}\\]: {link}, {seen}, SHA-256 `{one.content_hash}`")
    return "\n".join(["## Articles as stored", "", *rows]) if rows else ""


def _history(history: tuple[HistoryEntry, ...]) -> str:
    rows = [
        f"- {entry.at:%Y-%m-%d %H:%M} UTC, {markdown_text(entry.who or 'the service')}: "
        + "; ".join([entry.action.replace("_", " "), *(markdown_text(line) for line in change_words(entry))])
        for entry in history
    ]
    return "\n".join(["## History", "", *rows]) if rows else ""


def _made_with(source: ReportSource) -> str:
    run = source.result.run
    rows = [f"- report: Looksy {__version__}, {source.made_at:%Y-%m-%d %H:%M} UTC"]
    rows.append(f"- run: `{source.result.run_id}`, system {markdown_text(source.result.system)}")
    if run is not None:
        rows.append(f"- asked: {run.created_at:%Y-%m-%d %H:%M} UTC, with Looksy {markdown_text(run.version)}")
        rows.append(f"- index: {_code(run.snapshot_id or 'none')}, pipeline {_code(run.pipeline_hash)}")
        rows += [f"- {markdown_text(role)}: {_code(name)}" for role, name in run.models.items()]
    return "\n".join(["## Made with", "", *rows])


def _code(name: str) -> str:
    """Write a name as code, which ends at the next backtick."""
    return f"`{' '.join(name.replace('`', ' ').split())}`"
