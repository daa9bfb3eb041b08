"""A number of something else: "12 died and 40 were injured" bears out no "40 died". English."""

import re
from dataclasses import dataclass

from core.words import stems
from pipelines.conflicts.analysis import Analysis
from pipelines.conflicts.lexicon import content_stems
from pipelines.conflicts.numbers.quantities import agree, comparable
from pipelines.conflicts.numbers.quantity import Bound, Quantity
from pipelines.contracts.evidence import Conflict, ConflictKind

_PARTS = re.compile(r"[;:.!?()](?!\d)|,(?!\d)|\b(?:and|but|while|whereas|although|though)\b", re.IGNORECASE)

_ANYBODY = stems("people person")


@dataclass(frozen=True)
class _Counted:
    """The only number of its clause."""

    number: Quantity
    said: frozenset[str]
    """Beginnings of the clause's other words."""


def counted_conflicts(statement: Analysis, sentence: Analysis) -> list[Conflict]:
    """
    Return a number that the sentence has of something else alone, and another of what the statement has it of.

    What both clauses of the sentence say tells nothing; a clause with several numbers, or without another word, is left
    alone.
    """
    theirs = sentence.part(_counted)
    if not theirs or len(sentence.numbers) < 2:  # noqa: PLR2004 - one number has no other
        return []
    for ours in statement.part(_counted):
        if ours.number.bound in {Bound.MORE, Bound.LESS}:
            continue
        same = [one for one in theirs if comparable(ours.number, one.number) and agree(ours.number, one.number)]
        others = [one for one in theirs if comparable(ours.number, one.number) and one not in same]
        if len(same) == 1 and same[0].said:
            for other in others:
                if ours.said & (other.said - same[0].said) and not ours.said & (same[0].said - other.said):
                    return [Conflict(kind=ConflictKind.EXCHANGE, stated=ours.number.text, found=other.number.text)]
    return []


def _counted(analysis: Analysis) -> list[_Counted]:
    text, numbers = analysis.text, analysis.numbers
    ends = [*(match.start() for match in _PARTS.finditer(text)), len(text)]
    found, start = [], 0
    for end in ends:
        inside = [number for number in numbers if start <= number.start < end]
        if len(inside) == 1 and not inside[0].is_year and inside[0].end <= end:
            rest = f"{text[start : inside[0].start]} {text[inside[0].end : end]}"
            found.append(_Counted(inside[0], content_stems(rest) - _ANYBODY))
        start = end
    return found
