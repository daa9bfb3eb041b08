"""The parts of an answer that has parts, as Markdown, whatever the system. Everything is escaped."""

from collections.abc import Sequence

from core.types import Result, Section
from pipelines.attribution import markers
from pipelines.rendering.escape import markdown_answer, markdown_text

FOLDED = frozenset({"candidate", "score"})
"""Kinds of sections that tell how an answer was weighed."""


def render_sections(sections: Sequence[Section]) -> list[str]:
    """
    Write each section: title with label, text, lines, scores. One block a section, in order.

    What explains a score, and what was weighed and not chosen, is one line at the end: the result itself has it whole.
    """
    shown = [_section(section) for section in sections if section.kind not in FOLDED]
    scores = [f"{name} {value:.2f}" for one in sections if one.kind == "score" for name, value in one.scores.items()]
    return [*shown, *([f"_Scores: {markdown_text(', '.join(scores))}_"] if scores else [])]


def cited_numbers(result: Result) -> set[int]:
    """Return the references that the answer or any of its parts cites or rests on."""
    texts = [result.answer]
    numbers: set[int] = set()
    for section in result.sections:
        texts += [section.text, *section.lines]
        numbers.update(section.numbers)
    return numbers.union(*(markers.cited_numbers(text) for text in texts))


def _section(section: Section) -> str:
    label = f" ({markdown_text(section.label)})" if section.label else ""
    parts = [f"## {markdown_text(section.title)}{label}"]
    if section.text:
        parts.append(markdown_answer(section.text))
    if section.lines:
        parts.append("\n".join(f"- {markdown_answer(line)}" for line in section.lines))
    if section.scores:
        scores = ", ".join(f"{name} {value:.2f}" for name, value in section.scores.items())
        parts.append(f"_{markdown_text(scores)}_")
    return "\n\n".join(parts)
