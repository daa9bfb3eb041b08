"""Numbers in running text: value, kind and how exact they are meant."""

import re
from dataclasses import dataclass, replace
from enum import StrEnum

from pipelines.compare.names import names
from pipelines.compare.units import Unit, unit_of
from pipelines.compare.words import MONTHS, SCALES, TENS, UNITS

_ROUNDING = 0.005
_ABOUT = 0.1
_SLACK = 0.02

_SCALE_WORDS = ("hundred", "thousand", "million", "billion", "trillion", "dozen")
_NUMBER_WORD = "|".join(sorted([*UNITS, *TENS, *_SCALE_WORDS], key=len, reverse=True))
_WORDS = (
    rf"\b(?:(?:a|half a)\s+(?=(?:{'|'.join(_SCALE_WORDS)})\b))?"
    rf"(?:{_NUMBER_WORD})(?:(?:\s+and\s+|[\s-]+)(?:{_NUMBER_WORD}))*\b"
)
_DIGITS = r"(?<![\w.])[$€£¥]?\s?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?!\d)"
_SCALE = rf"(?:[\s-]*(?:{'|'.join(_SCALE_WORDS)}|bn|mn|tn|m|k)\b)?"
_PERCENT = r"(?:\s*(?:%|per\s?cent\b|percentage points?\b))?"
_QUANTITY = re.compile(
    rf"(?P<digits>{_DIGITS})(?P<ordinal>(?:st|nd|rd|th)\b)?(?P<scale>{_SCALE})(?P<percent>{_PERCENT})"
    rf"|(?P<words>{_WORDS})(?P<wpercent>{_PERCENT})",
    re.IGNORECASE,
)
_MORE = "more than|over|above|at least|no fewer than|no less than|exceed(?:s|ed|ing)?|upwards of|a minimum of"
_LESS = "less than|fewer than|under|below|at most|up to|no more than|as (?:many|much) as|nearly|almost|just short of"
_NEAR = "about|around|some|roughly|approximately|circa|an estimated|estimated|close to"
_BEFORE = re.compile(rf"(?:(?P<more>{_MORE})|(?P<less>{_LESS})|(?P<about>{_NEAR}))\s+(?:the\s+)?$", re.IGNORECASE)
_ZONED = re.compile(r"(?:[01]\d|2[0-3])[0-5]\d\s*(?:UTC|GMT|[ECMP][SD]T|CES?T|BST)\b|0\d[0-5]\d\s+h(?:ou)?rs\b")
"""A time of day on the 24-hour clock: 2100 UTC, 0330 hours."""
_BEGINS = re.compile(r"(?:^|[.!?:][\"'”’)]*)\s*$")  # noqa: RUF001 - the quotation marks that newspapers print
_YEARS = range(1000, 2200)
_RECENT = range(1900, 2100)
"""Years that stand behind names: Expo 2010."""
_COUNTED = {"length", "mass", "time"}
"""What a number without a unit does not measure."""
_SMALL = 2


class Bound(StrEnum):
    """How a number is meant."""

    EXACT = "exact"
    MORE = "more"
    LESS = "less"
    ABOUT = "about"


@dataclass(frozen=True)
class Quantity:
    """One number in a text."""

    text: str
    start: int
    end: int
    value: float
    bound: Bound
    percent: bool
    is_year: bool
    unit: Unit | None = None
    """None: things are counted, or the unit is not known."""


def quantities(text: str) -> list[Quantity]:
    """
    Return the numbers of a text in order: digits, number words, scales, percentages.

    Days of dates are left out, and numbers that belong to a name: Boeing 737, Apollo 11.
    """
    found = []
    for match in _QUANTITY.finditer(text):
        value = _value(match)
        if value is None or match.group("ordinal") or _is_day(text, match):
            continue
        start = match.start() + len(match.group()) - len(match.group().lstrip())
        digits = (match.group("digits") or "").strip()
        is_bare = digits.isdigit() and not ((match.group("scale") or "") + (match.group("percent") or "")).strip()
        unit = unit_of(match.group(), text[match.end() :])
        if is_bare and unit is None and int(value) not in _RECENT and _ends_name(text, start):
            continue
        found.append(
            Quantity(
                text=match.group().strip(),
                start=start,
                end=match.end(),
                value=value,
                bound=_bound(text[:start]),
                percent=bool((match.group("percent") or match.group("wpercent") or "").strip()),
                is_year=is_bare and len(digits) == len("2019") and int(value) in _YEARS,
                unit=unit,
            )
        )
    return found


def agree(stated: Quantity, found: Quantity) -> bool:
    """Say whether two numbers can both be right, given how they are meant; those that are not comparable can."""
    if not comparable(stated, found):
        return True
    if stated.unit and found.unit and stated.unit != found.unit:
        if stated.unit.currency != found.unit.currency:
            return False
        return _values_agree(_in_base(stated), _in_base(found))
    return _values_agree(stated, found)


def comparable(stated: Quantity, found: Quantity) -> bool:
    """Say whether two numbers measure the same: not shares and counts, lengths and sums, or things and days."""
    if stated.percent != found.percent:
        return False
    if stated.unit and found.unit:
        return stated.unit.measures == found.unit.measures
    only = stated.unit or found.unit
    return only is None or only.measures not in _COUNTED


def _in_base(quantity: Quantity) -> Quantity:
    """Return a quantity in the base unit; conversion is rounded in newspapers, so the value is an estimate."""
    if quantity.unit is None or quantity.unit.factor == 1.0:
        return quantity
    bound = Bound.ABOUT if quantity.bound is Bound.EXACT else quantity.bound
    return replace(quantity, value=quantity.value * quantity.unit.factor, bound=bound)


def _values_agree(stated: Quantity, found: Quantity) -> bool:
    if stated.bound is Bound.MORE:
        return found.value >= stated.value * (1 - _SLACK)
    if stated.bound is Bound.LESS:
        return found.value <= stated.value * (1 + _SLACK)
    if found.bound is Bound.MORE and stated.value >= found.value:
        return stated.value <= found.value * (1 + _ABOUT)
    loose = Bound.ABOUT in {stated.bound, found.bound} or found.bound is Bound.LESS
    return abs(stated.value - found.value) <= (_ABOUT if loose else _ROUNDING) * max(stated.value, found.value)


def _value(match: re.Match[str]) -> float | None:
    if match.group("digits"):
        number = float(re.sub(r"[^\d.]", "", match.group("digits")))
        scale = (match.group("scale") or "").strip(" -").lower()
        return number * SCALES.get(scale, 1.0)
    return words_value(match.group("words"))


def words_value(text: str) -> float | None:
    """Return the value of number words, "two hundred and six"; None if there is none."""
    total, current = 0.0, 0.0
    seen = False
    for word in re.split(r"[\s-]+", text.lower()):
        if word in UNITS or word in TENS:
            current += UNITS.get(word, 0) + TENS.get(word, 0)
        elif word == "half":
            current = 0.5
        elif word in {"hundred", "dozen"}:
            current = (current or 1.0) * SCALES[word]
        elif word in SCALES:
            total += (current or 1.0) * SCALES[word]
            current = 0.0
        else:
            continue
        seen = True
    return total + current if seen else None


def _bound(before: str) -> Bound:
    match = _BEFORE.search(before)
    if match is None:
        return Bound.EXACT
    return Bound.MORE if match.group("more") else Bound.LESS if match.group("less") else Bound.ABOUT


def _ends_name(text: str, at: int) -> bool:
    """Say whether what begins there directly follows a name; a single word that begins a sentence may be none."""
    before = [name for name in names(text) if text[name.end : at] in {" ", "-"}]
    return any(" " in name.text or not _BEGINS.search(text[: name.start]) for name in before)


def _is_day(text: str, match: re.Match[str]) -> bool:
    """Say whether the number is the day of a date, or a time of day."""
    digits = (match.group("digits") or "").strip()
    if _ZONED.match(digits + text[match.end() :]):
        return True
    if not digits.isdigit() or len(digits) > _SMALL:
        return False
    after = re.match(r"\s*(?:of\s+)?([A-Za-z]+)|\s*(:\d\d)", text[match.end() :])
    before = re.search(r"([A-Za-z]+)\.?\s*$|:$", text[: match.start("digits")])
    following = (after.group(1) or "").lower() if after else ""
    names_day = {following, ((before.group(1) or "").lower() if before else "")} & set(MONTHS)
    clock = following in {"am", "pm"} or bool(after and after.group(2)) or bool(before and before.group() == ":")
    return bool(names_day) or clock
