"""Ranges of numbers: "between 5 and 10 million euros", "three to five years", "aged 5-11"."""

import re
from collections.abc import Sequence
from dataclasses import replace

from pipelines.conflicts.numbers.currencies import SIGN
from pipelines.conflicts.numbers.number_patterns import MINUS, PERCENT, SCALE, scale_factor
from pipelines.conflicts.numbers.quantity import Bound, Quantity
from pipelines.conflicts.numbers.units import is_unit, same_currency

_LINK = re.compile(
    r"(?P<unit>.*?)(?P<link>-?\s*\bto\b[\s-]+|[-–]|\s+and\s+)(?:about\s+|around\s+)?",
    re.IGNORECASE,
)
_JOINED = re.compile(r"\s*(?:,|-|–|,?\s*\b(?:to|or|and)\b)\s*(?:(?:about|around|nearly|almost)\s+)?", re.IGNORECASE)
"""Between numbers that share a measure."""
_THOUSAND = 1000
"""Smaller numbers may leave a scale to the next one."""
_BETWEEN = re.compile(r"\bbetween\s+(?:the\s+)?(?:ages?\s+(?:of\s+)?|about\s+|around\s+|an\s+estimated\s+)?$", re.I)
_FROM = re.compile(r"\bfrom\s+(?:about\s+|around\s+)?$", re.IGNORECASE)
_RANGING = re.compile(r"\b(?:rang\w+|var(?:y|ies|ied|ying)|aged|ages|anywhere)\s+from\s+$", re.IGNORECASE)
_MOVES = re.compile(
    r"\b(?:r[io]se\w*|rising|f[ae]ll\w*|gr[eo]w\w*|increas\w+|decreas\w+|jump\w*|climb\w*|dropp?\w*|slip\w*|soar\w*"
    r"|surg\w+|gain\w*|add\w*|shed\w*|cut\w*|rais\w+|lower\w*|up|down|w[io]ns?|winning|lost|los\w+|beat\w*|defeat\w*"
    r"|vot\w+|led|leads?|trail\w*|outnumber\w*|ratio|odds|scale|scor\w+|g[ai]ve\w*|sent|sold|donat\w+|deliver\w*|hand\w*)"
    r"(?:\s+(?:by|of|[a-z]+ly))?\s+$",
    re.IGNORECASE,
)
"""What makes "3,000 to 215,000" a movement, "2 to 3" a score, and "5 to 10 schools" a gift."""
_MOST_TIMES = 3
"""Behind such a word the upper end of a range is at most so many times the lower one."""
_COUNTED = re.compile(r"\s+(?:people|men|women|children|(?!(?:this|versus|across|always|perhaps)\b)[a-z]{3,}(?<!s)s\b)")
_AGED = re.compile(r"\b(?:aged|ages)\s+$", re.IGNORECASE)
_SCALED = re.compile(rf"(?P<scale>{SCALE}){PERCENT}$", re.IGNORECASE)
_CONTEXT = 60
"""Characters before a range that can say that it is none."""


def ranged(found: list[Quantity], text: str) -> list[Quantity]:
    """Return quantities with the two ends of a range as one."""
    joined: list[Quantity] = []
    for item in found:
        last = joined[-1] if joined else None
        whole = _range(last, item, text) if last else None
        joined[-1:] = [whole] if whole else [*joined[-1:], item]
    return joined


def completed(one: Quantity, other: Quantity) -> Quantity | None:
    """
    Return a number with the scale, unit or percent that it leaves to its neighbour: the 5 of "5 to 10 million euros".

    :returns: None: the two do not measure the same.
    """
    if one.percent > other.percent or (other.percent and one.unit):
        return None
    if one.unit and other.unit and one.unit != other.unit:
        return None if one.unit.measures != "money" or not same_currency(one.unit, other.unit) else one
    if one.unit and not other.unit and not SIGN.match(one.text):
        return None
    factor = 1.0 if _scale(one) > 1 else _scale(other)
    value = one.value * factor if one.value * factor < other.value else one.value
    return replace(one, value=value, unit=one.unit or other.unit, percent=other.percent)


def as_meant(found: Sequence[Quantity], text: str) -> list[tuple[Quantity, ...]]:
    """
    Return each quantity, and what it may mean beside it: with the measure that it leaves to one that follows.

    The 8 of "from 8 to 5 million euros" is 8 million euros; so may the 5 of "5, 8 and 9 percent" be 5 percent.
    """
    readings: list[tuple[Quantity, ...]] = []
    last: Quantity | None = None
    start = 0
    for item in reversed(found):
        full = completed(item, last) if last and _JOINED.fullmatch(text[item.end : start]) else None
        if last is None or full is None:
            last = item
            readings.append((item,))
        else:
            scaled = replace(full, value=item.value * _scale(last)) if item.value < _THOUSAND else full
            readings.append((item, full, scaled))
        start = item.start
    return readings[::-1]


def nearest(one: Quantity, other: Quantity) -> tuple[Quantity, Quantity]:
    """Return two quantities as single numbers, of each range the one that is nearest to the other quantity."""
    (low, high), (least, most) = _ends(one), _ends(other)
    if low <= most and least <= high:
        low = least = max(low, least)
    elif low < least:
        low = high
    else:
        least = most
    return replace(one, value=low, least=None), replace(other, value=least, least=None)


def only_touch(one: Quantity, other: Quantity) -> bool:
    """Say whether both are ranges, meant exactly, that have no more than one end in common: 5 to 11, 11 to 16."""
    if one.least is None or other.least is None or {one.bound, other.bound} != {Bound.EXACT}:
        return False
    return max(one.least, other.least) >= min(one.value, other.value)


def is_of(item: Quantity, whole: Quantity) -> bool:
    """Say whether what was cut out of a text is a number that stands there, or an end of its range."""
    if item.value == whole.value or whole.least is None:
        return item.value == whole.value
    return item.value == whole.least or re.search(rf"(?<![\d.,]){re.escape(item.text)}\b", whole.text) is not None


def _range(last: Quantity, item: Quantity, text: str) -> Quantity | None:
    link = _LINK.fullmatch(text[last.end : item.start])
    if link is None or (link.group("unit") and not (last.unit and is_unit(link.group("unit"), last.unit))):
        return None
    low = completed(last, item)
    if low is None or last.least is not None or not low.value < item.value or (item.is_year and item.unit is None):
        return None
    before = text[max(0, last.start - _CONTEXT) : last.start]
    between = _BETWEEN.search(before)
    start = last.start
    if link.group("link").strip().lower() == "and":
        if between is None:
            return None
        start -= len(between.group())
    elif not _is_span(before, low, item, shares=low != last, after=text[item.end :], link=link.group("link")):
        return None
    if low.unit != last.unit and MINUS.search(before):
        return None
    return replace(
        item,
        text=text[start : item.end],
        start=start,
        bound=last.bound,
        unit=item.unit or last.unit,
        is_year=False,
        dating="",
        least=low.value,
    )


def _is_span(before: str, low: Quantity, item: Quantity, *, shares: bool, after: str, link: str) -> bool:
    """Say whether two numbers with "to" or a dash between them are ends of a range: no movement, score or season."""
    if _FROM.search(before):
        return _RANGING.search(before) is not None
    if _MOVES.search(before):
        return (shares or item.percent) and item.value <= _MOST_TIMES * low.value
    if "to" in link.lower():
        return True
    return bool(item.unit or item.percent or _scale(item) > 1 or _AGED.search(before) or _COUNTED.match(after))


def _ends(item: Quantity) -> tuple[float, float]:
    return (item.value if item.least is None else item.least), item.value


def _scale(item: Quantity) -> float:
    match = _SCALED.search(item.text)
    return scale_factor(match.group("scale")) if match else 1.0
