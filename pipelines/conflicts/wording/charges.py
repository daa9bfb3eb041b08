"""What somebody was convicted or cleared of: "guilty of fraud and acquitted of bribery". English."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.words import stems
from pipelines.conflicts.analysis import Analysis
from pipelines.conflicts.lexicon import content_stems
from pipelines.contracts.evidence import Conflict, ConflictKind

_WHOM = r"(?:(?!(?:but|and|or|of|to|for|on)\b)[\w'’-]+\s+){0,6}?"
_OUTCOMES = re.compile(
    rf"\b(?:(?P<cleared>(?:acquit(?:s|ted)?|clear(?:s|ed)|exonerate[sd]?)\s+{_WHOM}(?:of|on)|not\s+guilty\s+(?:of|on))"
    rf"|(?P<convicted>convict(?:s|ed)?\s+{_WHOM}(?:of|on)|guilty\s+(?:of|on))"
    r"|(?P<denied>not\s+guilty\s+to|denie[sd](?=\s+\w))|(?P<admitted>guilty\s+to|admit(?:s|ted)(?=\s+\w)))\b",
    re.IGNORECASE,
)
"""Verdicts and pleas, up to the charge; "not guilty" comes before "guilty"."""
_CONTRARY = {"cleared": "convicted", "convicted": "cleared", "denied": "admitted", "admitted": "denied"}
_CHARGE_END = re.compile(r"[,;:.!?()]|\b(?:but|on|in|at|after|before|when|while|who|which|for|over)\b", re.IGNORECASE)
_NO_CHARGE = stems("charge count")
"""Of charges of, on two counts of."""


@dataclass(frozen=True)
class _Outcome:
    """A verdict or plea, and of what."""

    kind: str
    text: str
    charge: frozenset[str]
    """The beginnings of its words."""


def charge_conflicts(statement: Analysis, sentence: Analysis) -> list[Conflict]:
    """Return a charge of which the sentence has the contrary outcome alone: convicted of, but cleared of."""
    theirs = sentence.part(_outcomes)
    return [
        Conflict(kind=ConflictKind.EXCHANGE, stated=one.text, found=other.text)
        for one in statement.part(_outcomes)
        if not _has(theirs, one)
        for other in theirs
        if other.kind == _CONTRARY[one.kind] and one.charge & other.charge
    ][:1]


def same_outcomes(statement: Analysis, sentence: Analysis) -> bool:
    """Say whether a sentence has all outcomes that a statement has, and that is any."""
    ours, theirs = statement.part(_outcomes), sentence.part(_outcomes)
    return bool(ours) and all(_has(theirs, one) for one in ours)


def _has(outcomes: Sequence[_Outcome], wanted: _Outcome) -> bool:
    return any(one.kind == wanted.kind and one.charge & wanted.charge for one in outcomes)


def _outcomes(analysis: Analysis) -> tuple[_Outcome, ...]:
    text = analysis.text
    matches = list(_OUTCOMES.finditer(text))
    ends = [match.start() for match in matches[1:]] + [len(text)]
    found = []
    for match, end in zip(matches, ends, strict=False):
        stop = _CHARGE_END.search(text, match.end(), end)
        charge = text[match.end() : stop.start() if stop else end]
        found.append(
            _Outcome(match.lastgroup or "", f"{match.group()} {charge.strip()}", content_stems(charge) - _NO_CHARGE)
        )
    return tuple(found)
