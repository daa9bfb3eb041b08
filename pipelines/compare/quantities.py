"""Numbers in running text: value, kind and how exact they are meant."""

import math
import re
from dataclasses import dataclass, replace
from enum import StrEnum

from pipelines.compare.names import names
from pipelines.compare.units import Unit, unit_of
from pipelines.compare.words import MONTHS, SCALES, TENS, UNITS
from pipelines.compare.years import dating

_ROUNDING = 0.005
_ABOUT = 0.1
_SLACK = 0.02

_SCALE_WORDS = ("hundred", "thousand", "million", "billion", "trillion", "dozen")
_ANY_SCALE = "|".join(_SCALE_WORDS)
_NUMBER_WORD = "|".join(sorted([*UNITS, *TENS, *_SCALE_WORDS], key=len, reverse=True))
_OF_SCALE = r"(?:(?:an?|one)[\s-]+)?(?:half|quarter)|three[\s-]quarters?"
"""A quarter of a million."""
_AND_SHARE = r"\s+and\s+(?:(?:an?|one)[\s-]+(?:half|quarter)|three[\s-]quarters)\b(?!\s+of\b)"
"""Two and a half."""
_WORDS = (
    rf"\b(?:(?:(?:{_OF_SCALE})(?:\s+of)?(?:\s+an?)?[\s-]+|an?\s+)(?=(?:{_ANY_SCALE})\b))?"
    rf"(?:{_NUMBER_WORD})(?:{_AND_SHARE}|(?:\s+and\s+|[\s-]+)(?:{_NUMBER_WORD}))*\b"
)
_BLANK = "[ \u00a0\u2009\u202f]"
_WHOLE = rf"(?:\d{{1,3}}(?:,\d{{3}})+|[1-9]\d{{0,2}}(?:{_BLANK}\d{{3}})+(?!\d)|\d+)"
_DIGITS = rf"(?<![\w.])[$€£¥]?\s?{_WHOLE}(?:\.\d+)?(?!\d)"
_PART = rf"(?:\s?[¼½¾]|[\s-](?:1/2|1/4|3/4)(?![\d/])|{_AND_SHARE})?"
_SCALE = rf"(?:(?:[\s-]*(?:{_ANY_SCALE}|bln|bn|mln|mn|trn|tn|m|k)|b)\b)?"
_PERCENT = r"(?:\s*(?:%|per\s?cent\b|percentage points?\b))?"
_QUANTITY = re.compile(
    rf"(?P<digits>{_DIGITS})(?P<part>{_PART})(?P<ordinal>(?:st|nd|rd|th)\b)?(?P<scale>{_SCALE})(?P<percent>{_PERCENT})"
    rf"|(?P<words>{_WORDS})(?P<wpercent>{_PERCENT})",
    re.IGNORECASE,
)
_SHARES = {
    "threequarters": 0.75,
    "¾": 0.75,
    "3/4": 0.75,
    "half": 0.5,
    "½": 0.5,
    "1/2": 0.5,
    "quarter": 0.25,
    "¼": 0.25,
    "1/4": 0.25,
}
_LONE_SCALE = re.compile(rf"(?:{_ANY_SCALE})\b", re.IGNORECASE)
_SHARE_OF = re.compile(r"\b(?:thirds?|fourths?|fifths?|sixths?|eighths?|tenths?|fraction)\s+of\s+$", re.IGNORECASE)
_MORE = "more than|over|above|at least|no fewer than|no less than|exceed(?:s|ed|ing)?|upwards of|a minimum of"
_LESS = "less than|fewer than|under|below|at most|up to|no more than|as (?:many|much) as"
_NEARLY = "nearly|almost|just short of"
_NEAR = "about|around|some|roughly|approximately|circa|an estimated|estimated|close to"
_BEFORE = re.compile(
    rf"(?:(?P<more>{_MORE})|(?P<less>{_LESS})|(?P<nearly>{_NEARLY})|(?P<about>{_NEAR}))\s+(?:the\s+)?$", re.IGNORECASE
)
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
    NEARLY = "nearly"
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
    dating: str = ""
    """How a year that surely is a date stands there: in, since, until; empty: it may be something else."""


def quantities(text: str) -> list[Quantity]:
    """
    Return the numbers of a text in order: digits, number words, scales, halves and quarters, percentages.

    Left out are days of dates, numbers that belong to a name (Boeing 737, Apollo 11), and what may be no number: the
    hundred of several hundred, 5B where no money is meant.
    """
    found = []
    for match in _QUANTITY.finditer(text):
        value = _value(match)
        if value is None or not math.isfinite(value) or match.group("ordinal"):
            continue
        if _is_vague(text, match) or _is_day(text, match):
            continue
        start = match.start() + len(match.group()) - len(match.group().lstrip())
        digits = (match.group("digits") or "").strip()
        is_bare = "".join(digits.split()).isdigit() and not any(match.group("part", "scale", "percent"))
        is_year = is_bare and len(digits) == len("2019") and int(value) in _YEARS
        unit = unit_of(match.group(), text[match.end() :])
        if unit is None and match.group("scale") in {"b", "B"}:
            continue
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
                is_year=is_year,
                unit=unit,
                dating=dating(text[:start], text[match.end() :]) if is_year and unit is None else "",
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
    if stated.dating and stated.dating == found.dating:
        return stated.value == found.value
    if found.bound is Bound.MORE and (stated.bound is Bound.MORE or stated.value >= found.value):
        return True
    if found.bound is Bound.LESS and (stated.bound is Bound.LESS or stated.value <= found.value):
        return True
    slack = _ABOUT if found.bound is Bound.ABOUT else _SLACK
    if stated.bound is Bound.MORE:
        return found.value >= stated.value * (1 - slack)
    if stated.bound in {Bound.LESS, Bound.NEARLY}:
        return found.value <= stated.value * (1 + slack)
    loose = Bound.ABOUT in {stated.bound, found.bound} or found.bound in {Bound.LESS, Bound.NEARLY}
    return abs(stated.value - found.value) <= (_ABOUT if loose else _ROUNDING) * max(stated.value, found.value)


def _value(match: re.Match[str]) -> float | None:
    if match.group("digits"):
        number = float(re.sub(r"[^\d.]", "", match.group("digits")))
        part = _shares_as_words(match.group("part") or "")
        number += next((share for mark, share in _SHARES.items() if mark in part), 0.0)
        scale = re.sub(r"[\s-]+", "", match.group("scale") or "").lower()
        return number * SCALES.get(scale, 1.0)
    return words_value(match.group("words"))


def words_value(text: str) -> float | None:
    """Return the value of number words, "two hundred and six", "two and a half million"; None if there is none."""
    total, current, last = 0.0, 0.0, 1.0
    seen = False
    for word in re.split(r"[\s-]+", _shares_as_words(text)):
        if word in UNITS or word in TENS:
            current += UNITS.get(word, 0) + TENS.get(word, 0)
        elif word in _SHARES and total and not current:
            total += _SHARES[word] * last  # a million and a half
        elif word in _SHARES:
            current += _SHARES[word]
        elif word in {"hundred", "dozen"}:
            current = (current or 1.0) * SCALES[word]
        elif word in SCALES:
            last = SCALES[word]
            total += (current or 1.0) * last
            current = 0.0
        else:
            continue
        seen = True
    return total + current if seen else None


def _shares_as_words(text: str) -> str:
    """Return a text in lower case with each half and quarter in one word: one half, three quarters."""
    joined = re.sub(r"\bthree[\s-]+quarters?\b", "threequarters", text.lower())
    return re.sub(r"\bone[\s-]+(?=(?:half|quarter)\b)", "", joined)


def _is_vague(text: str, match: re.Match[str]) -> bool:
    """Say whether a scale is left without its number: several hundred, a third of a million."""
    written = match.group("words") or ""
    is_part = written[:1].lower() == "a" and _SHARE_OF.search(text[: match.start()]) is not None
    return is_part or _LONE_SCALE.match(written) is not None


def _bound(before: str) -> Bound:
    match = _BEFORE.search(before)
    return Bound(match.lastgroup) if match and match.lastgroup else Bound.EXACT


def _ends_name(text: str, at: int) -> bool:
    """Say whether what begins there directly follows a name; a single word that begins a sentence may be none."""
    before = [name for name in names(text) if text[name.end : at] in {" ", "-"}]
    return any(" " in name.text or not _BEGINS.search(text[: name.start]) for name in before)


def _is_day(text: str, match: re.Match[str]) -> bool:
    """Say whether the number is the day of a date, or a time of day."""
    written = (match.group("digits") or "").strip()
    if _ZONED.match(written + text[match.end() :]):
        return True
    digits = next(iter(written.split()), "")  # on May 12 300 people came
    if not digits.isdigit() or len(digits) > _SMALL:
        return False
    after = re.match(r"\s*(?:of\s+)?([A-Za-z]+)|\s*(:\d\d)", text[match.end() :])
    before = re.search(r"([A-Za-z]+)\.?\s*$|:$", text[: match.start("digits")])
    following = (after.group(1) or "").lower() if after else ""
    names_day = {following, ((before.group(1) or "").lower() if before else "")} & set(MONTHS)
    clock = following in {"am", "pm"} or bool(after and after.group(2)) or bool(before and before.group() == ":")
    return bool(names_day) or clock
