"""Ours and the published figures, side by side, as rows of text."""

from evaluation.benchmarks.models import EntryResult, Suite
from evaluation.reports.markdown import to_table
from evaluation.reports.text import DASH, number


def heading(suite: Suite) -> tuple[str, ...]:
    """Return the column names."""
    return ("", *suite.show, "ms/item", "n", "failed")


def rows(suite: Suite, results: list[EntryResult]) -> list[tuple[str, ...]]:
    """Return one row an entry, then one a published system."""
    ours = [_ours(suite, result) for result in results]
    theirs = [
        (f"published: {one.label}", *(number(one.measures.get(name)) for name in suite.show), DASH, DASH, DASH)
        for one in suite.published
    ]
    return ours + theirs


def to_markdown(suite: Suite, results: list[EntryResult]) -> str:
    """Write the benchmark as a Markdown section."""
    lines = [f"# {suite.title}", "", " ".join(suite.about.split()), ""]
    lines += [to_table(heading(suite), rows(suite, results))]
    lines += [""] + [f"- {result.label}: skipped, {result.skipped}" for result in results if result.skipped]
    lines += [f"- {result.label}: failed, {result.fault}" for result in results if result.fault]
    lines += [f"- {note}" for note in suite.notes]
    if suite.source:
        lines += ["", f"Published figures: {suite.source}"]
    return "\n".join(lines) + "\n"


def _ours(suite: Suite, result: EntryResult) -> tuple[str, ...]:
    if result.skipped or result.fault:
        return (
            f"{result.label} ({'skipped' if result.skipped else 'failed'})",
            *(DASH for _ in suite.show),
            DASH,
            DASH,
            DASH,
        )
    return (
        result.label,
        *(_cell(result, name) for name in suite.show),
        number(result.mean_ms),
        str(result.n),
        str(result.failed),
    )


def _cell(result: EntryResult, name: str) -> str:
    if name not in result.measures:
        return DASH
    value, low, high = result.measures[name]
    spread = f" [{low:.2f}, {high:.2f}]" if low is not None and high is not None else ""
    return number(value) + spread
