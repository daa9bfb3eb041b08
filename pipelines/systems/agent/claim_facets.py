"""The checkable parts of a claim: who, what, when, where, how many; and which of them a text covers."""

import re
from enum import StrEnum

from core.types import Model
from core.words import words
from pipelines.attribution.grounding import word_share
from pipelines.conflicts.analysis import analyse
from pipelines.conflicts.lexicon import MONTHS, NOT_NAMES
from pipelines.conflicts.names.names import mentions
from pipelines.conflicts.numbers.quantities import agree, comparable

_PLACE = re.compile(r"\b(?:in|at|near|from|outside|across)\s+(?:the\s+)?$", re.IGNORECASE)
_DATE = re.compile(
    rf"\b(?:\d{{1,2}}\s+)?(?:{'|'.join(m for m in MONTHS)})\b(?:\s+\d{{1,2}}\b)?(?:,?\s+\d{{4}})?", re.IGNORECASE
)
_MATTER = 0.35
"""Share of a claim's other words that a sentence must have to be about it."""
_SMALL = NOT_NAMES | frozenset(
    [
        "am",
        "are",
        "be",
        "been",
        "being",
        "can",
        "could",
        "did",
        "do",
        "does",
        "done",
        "found",
        "had",
        "has",
        "have",
        "is",
        "may",
        "might",
        "must",
        "said",
        "say",
        "says",
        "shall",
        "should",
        "was",
        "were",
        "will",
        "would",
        "put",
        "him",
        "them",
        "into",
        "out",
        "off",
        "up",
        "down",
        "again",
        "still",
        "very",
        "other",
        "another",
        "such",
        "same",
        "than",
        "too",
        "also",
    ]
)


class PartKind(StrEnum):
    """What a part says."""

    WHO = "who"
    WHAT = "what"
    WHEN = "when"
    WHERE = "where"
    HOW_MANY = "how many"


class Part(Model):
    """A part of a claim that can be searched for and found."""

    kind: PartKind
    text: str


def parts_of(claim: str) -> tuple[Part, ...]:
    """
    Split a claim.

    :returns: What first, then names, places, times and numbers in the order of the claim.
    """
    found = [Part(kind=PartKind.WHAT, text=matter_of(claim))]
    for name in analyse(claim).names:
        if name.start == 0 and " " not in name.text and not name.text.isupper():
            continue  # most often a common word that begins the sentence
        kind = PartKind.WHERE if _PLACE.search(claim[: name.start]) else PartKind.WHO
        found.append(Part(kind=kind, text=name.text))
    found += [
        Part(kind=PartKind.WHEN, text=match.group())
        for match in _DATE.finditer(claim)
        if match.group()[0].isupper() or match.group()[0].isdigit()
    ]
    for quantity in analyse(claim).numbers:
        kind = PartKind.WHEN if quantity.is_year else PartKind.HOW_MANY
        if not any(quantity.text in part.text for part in found if part.kind is PartKind.WHEN):
            found.append(Part(kind=kind, text=quantity.text))
    return tuple(dict.fromkeys(part for part in found if part.text))


def matter_of(claim: str) -> str:
    """Return the words of a claim that are neither names, numbers nor small words."""
    named = {word for name in analyse(claim).names for word in words(name.text)}
    kept = [word for word in words(claim) if word not in named and word not in _SMALL and not word.isdigit()]
    return " ".join(dict.fromkeys(kept))


def covers(part: Part, claim: str, sentence: str) -> bool:
    """Say whether a sentence holds a part of a claim and is about the claim."""
    if word_share(claim, sentence) < _MATTER:
        return False
    if part.kind is PartKind.WHAT:
        return True
    if part.kind in {PartKind.WHO, PartKind.WHERE}:
        return all(mentions(name.keys, sentence) for name in analyse(part.text).names) or part.text in sentence
    stated = analyse(part.text).numbers
    if part.kind is PartKind.HOW_MANY and stated:
        return any(one.percent == stated[0].percent and not one.is_year for one in analyse(sentence).numbers)
    return part.text.casefold() in sentence.casefold() or bool(
        stated and any(comparable(stated[0], one) and agree(stated[0], one) for one in analyse(sentence).numbers)
    )
