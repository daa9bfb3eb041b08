"""Numbers in running text: value, kind and how exact they are meant."""

import math
import re
from dataclasses import replace

from pipelines.conflicts.dates.years import dating
from pipelines.conflicts.lexicon import MONTHS, SCALES, TENS, UNITS
from pipelines.conflicts.names.names import names
from pipelines.conflicts.numbers.fractions import fractions
from pipelines.conflicts.numbers.number_patterns import ANY_SCALE, MINUS, QUANTITY, scale_factor
from pipelines.conflicts.numbers.quantity import Bound, Quantity, bound_of
from pipelines.conflicts.numbers.ranges import nearest, only_touch, ranged
from pipelines.conflicts.numbers.rounding import rounds_to
from pipelines.conflicts.numbers.units import FOOT, INCH, Unit, base_values, is_unit, same_currency, unit_of

_ROUNDING = 0.005
_ABOUT = 0.1
_SLACK = 0.02
_HALF_DEGREE = 0.5
"""By which a temperature is off that was taken over from the other scale and rounded."""
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
_LONE_SCALE = re.compile(rf"(?:{ANY_SCALE})\b", re.IGNORECASE)
_SHARE_OF = re.compile(r"\b(?:thirds?|fourths?|fifths?|sixths?|eighths?|tenths?|fraction)\s+of\s+$", re.IGNORECASE)
_ZONED = re.compile(r"(?:[01]\d|2[0-3])[0-5]\d\s*(?:UTC|GMT|[ECMP][SD]T|CES?T|BST)\b|0\d[0-5]\d\s+h(?:ou)?rs\b")
"""A time of day on the 24-hour clock: 2100 UTC, 0330 hours."""
_BEGINS = re.compile(r"(?:^|[.!?:][\"'”’)]*)\s*$")
_YEARS = range(1000, 2200)
_RECENT = range(1900, 2100)
"""Years that stand behind names: Expo 2010."""
_LIKE_COUNTS = {"age", "money"}
"""What a number without a unit may measure."""
_BELOW_ZERO = re.compile(r"\s*(?:degrees?\s+|°\s?)?(?:(?:celsius|fahrenheit|c|f)\s+)?below zero\b", re.IGNORECASE)
_BETWEEN = re.compile(r"(?P<unit>[\s-]*[^\s\d,-]+)(?:,?\s+and\s+|,\s+|[\s-]*)", re.IGNORECASE)
_INCHES = re.compile(r"\s*(?:$|[.,;:)\"″]|-?\s*(?:in|tall|high|long)\b)")
"""What stands behind the inches of 5ft 11."""
_COMPOUND = {"length", "mass", "time"}
"""What is given in two units."""
_SMALL = 2
_DECADES = range(10, 100, 10)
_PLURAL = re.compile(r"s\b")
_CONTEXT = 200
"""Characters before a number that can say how it is meant."""


def quantities(text: str) -> tuple[Quantity, ...]:
    """
    Return the numbers of a text in order: digits, number words, scales, percentages, and fractions as such.

    Neighbours that give one measure ("two hours and 45 minutes") are one, in the smaller unit; so are the two
    ends of a range.

    A decade of life ("in his 40s") is a range. Left out are days of dates, numbers that belong to a name (Boeing 737,
    Covid-19), and what may not be a number: the hundred of several hundred, 5B where no money is meant.
    """
    shares = fractions(text)
    within = {at for share in shares for at in range(share.start, share.end)}
    found: list[Quantity] = []
    for match in QUANTITY.finditer(text):
        if match.end() - 1 in within:
            continue
        value = _value(match)
        if value is None or not math.isfinite(value) or match.group("ordinal"):
            continue
        if _is_vague(text, match) or _is_day(text, match):
            continue
        start = match.start() + len(match.group()) - len(match.group().lstrip())
        digits = (match.group("digits") or "").strip()
        is_bare = "".join(digits.split()).isdigit() and not any(match.group("part", "scale", "percent"))
        is_year = is_bare and len(digits) == len("2019") and int(value) in _YEARS
        before, after = _before(text, start), text[match.end() :]
        unit = unit_of(match.group(), after)
        if unit is None and match.group("scale") in {"b", "B"}:
            continue
        if is_bare and unit is None and int(value) not in _RECENT and _is_of_name(text, start):
            continue
        if unit is None and not is_year and _PLURAL.match(after):
            found += _decade(text[start : match.end() + 1], start, value)
            continue
        if unit is not None and unit.measures == "temperature":
            minus = MINUS.search(before)
            value = -value if minus or _BELOW_ZERO.match(after) else value
            before = before[: minus.start()] if minus else before
        found.append(
            Quantity(
                text=match.group().strip(),
                start=start,
                end=match.end(),
                value=value,
                bound=bound_of(before, after),
                percent=bool((match.group("percent") or match.group("wpercent") or "").strip()),
                is_year=is_year,
                unit=unit,
                dating=dating(before, after) if is_year and unit is None else "",
            )
        )
    return tuple(ranged(sorted([*_joined(found, text), *shares], key=lambda item: item.start), text))


def _joined(found: list[Quantity], text: str) -> list[Quantity]:
    """Return quantities with neighbours that give one measure as one: one year and six months, 5ft 11in."""
    joined: list[Quantity] = []
    for item in found:
        last = joined[-1] if joined else None
        unit = _unit_behind(last, item, text) if last else None
        if last and last.unit and unit:
            times = last.unit.factor / unit.factor
            value = last.value * times + item.value
            written = text[last.start : item.end]
            joined[-1] = replace(last, text=written, end=item.end, value=value, unit=unit)
        else:
            joined.append(item)
    return joined


def _unit_behind(last: Quantity, item: Quantity, text: str) -> Unit | None:
    """Return the unit of what goes on with the measure of the quantity before it; None: it does not."""
    between = _BETWEEN.fullmatch(text[last.end : item.start])
    if last.unit is None or between is None or not is_unit(between.group("unit"), last.unit) or item.percent:
        return None
    unit = item.unit
    if unit is None and last.unit == FOOT and (text[item.start - 1] == "-" or _INCHES.match(text[item.end :])):
        unit = INCH
    if unit is None or unit.measures not in _COMPOUND or unit.measures != last.unit.measures:
        return None
    return unit if item.value * unit.factor < last.unit.factor else None


def agree(stated: Quantity, found: Quantity) -> bool:
    """Say whether two numbers can both be right, given how they are meant; those that are not comparable can."""
    if not comparable(stated, found):
        return True
    if stated.in_points != found.in_points:
        return False
    if stated.unit and found.unit and stated.unit != found.unit:
        if not same_currency(stated.unit, found.unit):
            return False
        ours, theirs = _in_base(stated, stated.unit), _in_base(found, found.unit)
        return any(_values_agree(one, two) for one in ours for two in theirs)
    return not only_touch(stated, found) and _values_agree(stated, found)


def comparable(stated: Quantity, found: Quantity) -> bool:
    """Say whether two numbers measure the same: not shares and counts, lengths and sums, or things and days."""
    if stated.percent != found.percent:
        return False
    if stated.unit and found.unit:
        if stated.unit.measures == found.unit.measures == "money" and not same_currency(stated.unit, found.unit):
            return stated.value == found.value  # by which rate another value was converted is not known
        return stated.unit.measures == found.unit.measures
    only = stated.unit or found.unit
    return only is None or only.measures in _LIKE_COUNTS


def _in_base(quantity: Quantity, unit: Unit) -> list[Quantity]:
    """Return a quantity in the base unit; conversion is rounded in newspapers, so the value is an estimate."""
    bound = Bound.ABOUT if quantity.bound is Bound.EXACT else quantity.bound
    most = base_values(quantity.value, unit)
    least = [None] * len(most) if quantity.least is None else base_values(quantity.least, unit)
    return [
        quantity if value == quantity.value else replace(quantity, value=value, least=low, bound=bound)
        for value, low in zip(most, least, strict=True)
    ]


def _values_agree(stated: Quantity, found: Quantity) -> bool:
    if stated.dating and stated.dating == found.dating:
        return stated.value == found.value
    stated, found = nearest(stated, found)
    if found.bound is Bound.MORE and (stated.bound is Bound.MORE or stated.value >= found.value):
        return True
    if found.bound is Bound.LESS and (stated.bound is Bound.LESS or stated.value <= found.value):
        return True
    slack = _ABOUT if found.bound is Bound.ABOUT else _SLACK
    if stated.bound is Bound.MORE:
        return found.value >= stated.value - slack * abs(stated.value)
    if stated.bound in {Bound.LESS, Bound.NEARLY}:
        # what another unit gives more exactly is further off: 20 months are nearly two years
        under = _ABOUT * (1 if stated.unit == found.unit else 2) + slack
        is_near = stated.bound is Bound.LESS or stated.value - found.value <= under * abs(stated.value)
        return is_near and found.value <= stated.value + slack * abs(stated.value)
    loose = Bound.ABOUT in {stated.bound, found.bound} or found.bound in {Bound.LESS, Bound.NEARLY}
    within = (_ABOUT if loose else _ROUNDING) * max(abs(stated.value), abs(found.value))
    if loose and stated.unit != found.unit and stated.unit and stated.unit.measures == "temperature":
        within = max(within, _HALF_DEGREE)
    return abs(stated.value - found.value) <= within or rounds_to(found.value, stated.value, written=stated.text)


def _value(match: re.Match[str]) -> float | None:
    if match.group("digits"):
        number = float(re.sub(r"^\D+|[^\d.]", "", match.group("digits")))  # Rs. 500 has no decimals
        part = _shares_as_words(match.group("part") or "")
        number += next((share for mark, share in _SHARES.items() if mark in part), 0.0)
        return number * scale_factor(match.group("scale") or "")
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
            # two lakh crore is one number, and "a million" has none before it
            total = total * last if total and not current else total + (current or 1.0) * last
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
    is_part = written[:1].lower() == "a" and _SHARE_OF.search(_before(text, match.start())) is not None
    return is_part or _LONE_SCALE.match(written) is not None


def _before(text: str, at: int) -> str:
    return text[max(0, at - _CONTEXT) : at]


def _decade(written: str, start: int, value: float) -> list[Quantity]:
    """Return the years of life, or degrees, that "40s" stands for: 40 to 49; of another plural (100s, 747s) none."""
    if value not in _DECADES:
        return []
    last, end = value + _DECADES.step - 1, start + len(written)
    whole = Quantity(written, start, end, last, Bound.EXACT, percent=False, is_year=False, least=value)
    return [whole]


def _is_of_name(text: str, at: int) -> bool:
    """
    Say whether what begins there stands within a name (Covid-19, F-16) or directly follows one (Boeing 737).

    A single word that begins a sentence may be none.
    """
    if any(name.start < at < name.end for name in names(text)):
        return True
    before = [name for name in names(text) if name.end == at - 1 and text[name.end] in {" ", "-"}]
    return any(" " in name.text or not _BEGINS.search(_before(text, name.start)) for name in before)


def _is_day(text: str, match: re.Match[str]) -> bool:
    """Say whether the number is the day of a date, or a time of day."""
    written = (match.group("digits") or "").strip()
    if _ZONED.match(written + text[match.end() :]):
        return True
    digits = next(iter(written.split()), "")  # on May 12 300 people came
    if not digits.isdigit() or len(digits) > _SMALL:
        return False
    after = re.match(r"\s*(?:of\s+)?([A-Za-z]+)|\s*(:\d\d)", text[match.end() :])
    before = re.search(r"([A-Za-z]+)\.?\s*$|:$", _before(text, match.start("digits")))
    following = (after.group(1) or "").lower() if after else ""
    names_day = {following, ((before.group(1) or "").lower() if before else "")} & set(MONTHS)
    clock = following in {"am", "pm"} or bool(after and after.group(2)) or bool(before and before.group() == ":")
    return bool(names_day) or clock
