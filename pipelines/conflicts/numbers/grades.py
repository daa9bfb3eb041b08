"""Grades on a scale: "a Category 3 storm" against "a Category 5 hurricane". English."""

import re

from pipelines.conflicts.analysis import Analysis
from pipelines.conflicts.lexicon import UNITS
from pipelines.contracts.evidence import Conflict, ConflictKind

_HIGHEST = 10
_GRADES = {word: value for word, value in UNITS.items() if 1 <= value <= _HIGHEST} | {
    roman: value for value, roman in enumerate(("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x"), start=1)
}
_GRADE = r"\d{1,2}(?![\d.,]*\d)|" + "|".join(sorted(_GRADES, key=len, reverse=True))
_GRADED = re.compile(
    rf"\b(?P<scale>category|grade|level|phase|stage|tier|type)[\s-]+(?P<grade>{_GRADE})\b"
    rf"(?P<more>(?:\s*(?:[-–—/,]|\band\b|\bor\b|\bto\b)\s*(?:{_GRADE})\b)?)",
    re.IGNORECASE,
)


def grade_conflicts(statement: Analysis, sentence: Analysis) -> list[Conflict]:
    """
    Return where both name a grade of one scale, and none of the sentence's is the statement's.

    What gives several at once ("Phase 2 and 3") is compared with nothing.
    """
    ours, theirs = _graded(statement.text), _graded(sentence.text)
    return [
        Conflict(
            kind=ConflictKind.ORDINAL, stated=next(iter(ours[scale].values())), found=next(iter(theirs[scale].values()))
        )
        for scale in ours
        if scale in theirs and ours[scale] and theirs[scale] and not ours[scale].keys() & theirs[scale].keys()
    ][:1]


def _graded(text: str) -> dict[str, dict[int, str]]:
    """Return the grades that a text names on each scale, and how they are written; none of one with several at once."""
    found: dict[str, dict[int, str]] = {}
    unclear = set()
    for match in _GRADED.finditer(text):
        scale, grade = match.group("scale").lower(), match.group("grade").lower()
        if match.group("more"):
            unclear.add(scale)
        number = int(grade) if grade.isdigit() else _GRADES[grade]
        found.setdefault(scale, {})[number] = f"{match.group('scale')} {match.group('grade')}"
    return {scale: {} if scale in unclear else grades for scale, grades in found.items()}
