"""Fractions in words, as percentages: "two thirds of the voters", "by a quarter", "half the staff". English."""

import re

from pipelines.conflicts.lexicon import UNITS
from pipelines.conflicts.numbers.number_patterns import ANY_SCALE
from pipelines.conflicts.numbers.quantity import BOUNDING, Bound, Quantity, bound_of

_PARTS = {"half": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6, "eighth": 8, "tenth": 10}
_FRACTION = re.compile(
    r"(?<![\w-])(?:(?P<count>an?|one|two|three|four|five|six|seven|eight|nine)[\s-]+)?"
    rf"(?P<part>{'|'.join(_PARTS)})(?P<several>s?)\b",
    re.IGNORECASE,
)
_OF_WHOLE = re.compile(r"\s+of\b(?!\s+an?\b)", re.IGNORECASE)
"""Of an hour, or of a million, is a length of time, or a number."""
_KNOWN = "the|its|their|his|her|our|all|those|these"
_WHOSE = re.compile(rf"\s+(?:{_KNOWN})\b", re.IGNORECASE)
_OF_WHOSE = re.compile(rf"\s+of\s+(?:{_KNOWN}|them|us)\b", re.IGNORECASE)
_MORE_OF_NUMBER = re.compile(rf"[\s-]+(?:an?|hour|{ANY_SCALE})\b", re.IGNORECASE)
_BY = re.compile(rf"\bby\s+(?:{BOUNDING})?$", re.IGNORECASE)
_ENDS = re.compile(
    r"\W*$|[.,;:!?)]|\s+(?:after|amid|and|as|at|before|between|but|by|compared|during|from|in|last|next|on|or|over"
    r"|since|than|this|to|under|when|while|within|year)\b",
    re.IGNORECASE,
)
"""Behind "by a third" where no noun follows, as in "by a third man"."""
_IN_TIME = re.compile(r"(?:\b(?:first|second|third|fourth|last|past|final|next|other|and)|\d)\s+$", re.IGNORECASE)
"""Before what is a part of a game or a year, or of a number: the first half of, two and a half of."""
_ANY_PART = rf"(?:{'|'.join(_PARTS)})s?"
_TWO_ENDS = re.compile(rf"\b{_ANY_PART}\s+(?:to|or)\s+(?:\w+[\s-]+)?{_ANY_PART}\b", re.IGNORECASE)
"""A range, as in "a quarter to a third of", which is not read."""

_CONTEXT = 200
"""Characters on either side that can say what a fraction is of."""


def fractions(text: str) -> list[Quantity]:
    """
    Return the fractions of a whole that a text gives in words, as percentages.

    They are rounded in newspapers, so each is about its value unless the words before it say more: "over a third".
    """
    ranges = {at for match in _TWO_ENDS.finditer(text) for at in range(match.start(), match.end() + 1)}
    return [
        Quantity(
            text=match.group(),
            start=match.start(),
            end=match.end(),
            value=100 * _count(match) / _PARTS[match.group("part").lower()],
            bound=_bound(_before(match, text)),
            percent=True,
            is_year=False,
        )
        for match in _FRACTION.finditer(text)
        if match.start() not in ranges and match.end() not in ranges and _is_of_whole(match, text)
    ]


def _count(match: re.Match[str]) -> int:
    return UNITS.get((match.group("count") or "a").lower(), 1)


def _is_of_whole(match: re.Match[str], text: str) -> bool:
    before, after = _before(match, text), text[match.end() : match.end() + _CONTEXT]
    part, count, several = match.group("part").lower(), match.group("count"), bool(match.group("several"))
    if several != (_count(match) > 1) or _IN_TIME.search(before) or _MORE_OF_NUMBER.match(after):
        return False
    if match.group() == text.strip():  # what a reader cut out
        return True
    if several:  # three quarters are time, too
        return part != "quarter" or _OF_WHOSE.match(after) is not None
    if _BY.search(before) and _ENDS.match(after):
        return True
    if part == "half" and (_WHOSE.match(after) or _OF_WHOLE.match(after)):
        return True
    return count is not None and (_OF_WHOLE.match(after) is not None or match.group().lower().startswith("one-"))


def _before(match: re.Match[str], text: str) -> str:
    return text[max(0, match.start() - _CONTEXT) : match.start()]


def _bound(before: str) -> Bound:
    bound = bound_of(before, "")
    return Bound.ABOUT if bound is Bound.EXACT else bound
