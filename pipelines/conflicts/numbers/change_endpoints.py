"""The two ends of a change: "rose to 3 percent from 2 percent" bears out no "rose to 2 percent". English."""

import re
from dataclasses import dataclass

from pipelines.conflicts.analysis import Analysis
from pipelines.conflicts.numbers.quantities import agree, comparable
from pipelines.conflicts.numbers.quantity import BOUNDING, Quantity
from pipelines.conflicts.wording.word_swaps import BOTH_WAYS
from pipelines.contracts.evidence import Conflict, ConflictKind

_BOUNDED = re.sub(r"\?P<\w+>", "?:", BOUNDING)
_END = re.compile(rf"\b(?P<end>to|from|by)\s+(?:the\s+)?(?:{_BOUNDED})?$", re.IGNORECASE)
_CONTEXT = 60
"""Characters before a number or name that can say which end it is."""


@dataclass(frozen=True)
class _End:
    """A number or name at one end."""

    text: str
    end: str
    """from, to, or by which it changed."""
    number: Quantity | None
    """None: it is a name."""


def end_conflicts(statement: Analysis, sentence: Analysis) -> list[Conflict]:
    """Return a number or name that the sentence has at the other end of a change only, with another in its place."""
    theirs = sentence.part(_ends)
    ends = {one.end for one in theirs if one.number is not None or one.end != "by"}
    if not ends or len(ends) == 1 or not BOTH_WAYS.isdisjoint(statement.words):
        return []
    return [
        Conflict(kind=ConflictKind.EXCHANGE, stated=f"{ours.end} {ours.text}", found=f"{there.end} {there.text}")
        for ours in statement.part(_ends)
        for there in theirs
        if there.end != ours.end
        and ("by" not in {ours.end, there.end} or ours.number is not None)
        and _same(ours, there)
        and _is_replaced(ours, theirs)
    ][:1]


def _is_replaced(ours: _End, theirs: list[_End]) -> bool:
    """Say whether only others of its kind stand at the same end."""
    others = [one for one in theirs if one.end == ours.end and _alike(ours, one)]
    return bool(others) and not any(_same(ours, one) for one in others)


def _alike(one: _End, other: _End) -> bool:
    if one.number is None or other.number is None:
        return one.number is other.number
    return comparable(one.number, other.number) or bool(one.number.percent and other.number.percent)


def _same(one: _End, other: _End) -> bool:
    if one.number is None or other.number is None:
        return one.number is other.number and one.text == other.text
    return comparable(one.number, other.number) and agree(one.number, other.number)


def _ends(analysis: Analysis) -> list[_End]:
    text = analysis.text
    numbers = [(item.start, item.text, item) for item in analysis.numbers if item.least is None and not item.is_year]
    named = [(item.start, item.text, None) for item in analysis.names]
    return [
        _End(written, match.group("end").lower(), number)
        for start, written, number in [*numbers, *named]
        if (match := _END.search(text[max(0, start - _CONTEXT) : start]))
    ]
