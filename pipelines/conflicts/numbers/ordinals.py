"""Places in an order: "the third time" against "the second time"."""

import re

from core.words import fold_word, stem
from pipelines.conflicts.analysis import Analysis
from pipelines.conflicts.lexicon import TENS
from pipelines.contracts.evidence import Conflict, ConflictKind

_WORDS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split()
_PLACE = re.compile(
    r"(?<![a-z]-)(?<!\bhundred\s)(?<!\bhundred\sand\s)"
    rf"(?:(?P<tens>{'|'.join(TENS)})[\s-])?(?P<word>{'|'.join(_WORDS)})|(?P<digits>\d{{1,3}})(?:st|nd|rd|th)",
    re.IGNORECASE,
)
_ONE = re.sub(r"\?P<\w+>", "?:", _PLACE.pattern)
_NEXT = r"(?:,\s*(?:(?:and|or)\s+)?|\s+(?:and|or|to)\s+)(?:the\s+)?(?:(?:late|early|mid)[\s-]+)?"
_ORDINAL = re.compile(
    rf"\b(?P<places>(?:{_ONE})(?:{_NEXT}(?:{_ONE})){{0,9}})[\s-]+(?P<noun>[^\W\d_]{{4,}})",
    re.IGNORECASE,
)
_ALONE = re.compile(rf"\b(?:{_PLACE.pattern})\b", re.IGNORECASE)
Listed = tuple[frozenset[int], str]
"""The places that are given to a noun at once, "30th and 62nd", and how they are written."""


def ordinal_conflicts(statement: Analysis, sentence: Analysis) -> list[Conflict]:
    """
    Return where both give the same thing another place in an order; what one lists, the other may give in part.

    A stated place that the sentence gives to what the statement does not order ("his first goal, the second of the
    game") may be that of the same thing.
    """
    ours, theirs = _places(statement.text), _places(sentence.text)
    given = _given_otherwise(sentence.text, frozenset(ours))
    return [
        Conflict(
            kind=ConflictKind.ORDINAL, stated=f"{_first(ours[noun])} {noun}-", found=f"{_first(theirs[noun])} {noun}-"
        )
        for noun in ours
        if noun in theirs
        and not any(one <= given or _fit(one, other) for one, _ in ours[noun] for other, _ in theirs[noun])
    ][:1]


def _given_otherwise(text: str, nouns: frozenset[str]) -> frozenset[int]:
    """Return the places that a text gives to anything but some nouns, by their stems."""
    taken = [match.span("places") for match in _ORDINAL.finditer(text) if _noun(match) in nouns]
    return frozenset(
        _number(match)
        for match in _ALONE.finditer(text)
        if not any(start <= match.start() < end for start, end in taken)
    )


def _fit(one: frozenset[int], other: frozenset[int]) -> bool:
    return one <= other or other <= one


def _first(listed: list[Listed]) -> str:
    return min(listed, key=lambda item: min(item[0]))[1]


def _places(text: str) -> dict[str, list[Listed]]:
    """Return the places that a text gives to each noun, by its stem."""
    found: dict[str, list[Listed]] = {}
    for match in _ORDINAL.finditer(text):
        numbers: list[int] = []
        end = match.start("places")
        for place in _PLACE.finditer(text, end, match.end("places")):
            number = _number(place)
            if "to" in text[end : place.start()].split():
                numbers += range(numbers[-1], number)
            numbers.append(number)
            end = place.end()
        found.setdefault(_noun(match), []).append((frozenset(numbers), match.group("places")))
    return found


def _noun(match: re.Match[str]) -> str:
    return stem(fold_word(match.group("noun")))


def _number(place: re.Match[str]) -> int:
    if place.group("digits"):
        return int(place.group("digits"))
    return TENS.get((place.group("tens") or "").lower(), 0) + _WORDS.index(place.group("word").lower()) + 1
