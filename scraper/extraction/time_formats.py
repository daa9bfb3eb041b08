"""Points in time as pages write them, for machines and for people."""

import re
import warnings
from datetime import UTC, datetime, timedelta, timezone, tzinfo

from dateutil import parser as dateparser

from scraper.extraction.calendars import ascii_digits, find_date, gregorian_year
from scraper.extraction.jsonld import text_of
from scraper.extraction.zones import UnknownZoneError, at_zone, cut_zone

MAX_TIME_CHARS = 120
OFFSET = re.compile(r"\d{1,2}:\d{2}\S*\s?(?P<sign>[+-])(?P<hours>0\d|1[0-4]):?(?P<minutes>[0-5]\d)?$")
_MONTHS = 12
_UNIX = re.compile(r"^(?P<whole>\d{9,19})(?:\.\d+)?(?:[eE]\+?\d+)?$")
_UNIX_UNITS = {10: 1, 13: 1_000, 16: 1_000_000, 19: 1_000_000_000}
"""Digits of a Unix time to its units per second."""
_TICKS, _TICK_DIGITS = 10_000_000, 18
_TICKS_START = datetime(1, 1, 1, tzinfo=UTC)
_NET_DATE = re.compile(r"\\?/?Date\(\s*(?P<ms>-?\d{8,15})\s*(?:(?P<sign>[+-])\d{4})?\s*\)\\?/?")
_DEFAULTS = (datetime(1, 1, 1), datetime(2, 2, 2))
"""dateutil fills in from a default what a text lacks; where two defaults give two days, the text names none."""
_ZONE_BEFORE_OFFSET = re.compile(r"\b(?:GMT|UTC)(?=[+-]\d)")
"""Left in, it turns the sign of the offset round, as dateutil reads it."""
_ZONE_AFTER_OFFSET = re.compile(r"(?<=[+-]\d{4})\s*\([^()]*\)$")
"""As JavaScript writes a date: "Tue Mar 05 2024 22:40:00 GMT+0100 (Central European Standard Time)"."""
_JAVA_DATE = re.compile(
    r"^(?P<day>[A-Z][a-z]{2} [A-Z][a-z]{2} \d{1,2} \d{2}:\d{2}:\d{2}) (?P<zone>[A-Z]{2,5}|GMT[+-]\d{2}:\d{2}) (?P<year>\d{4})$"
)
_DAY_OR_MONTH = re.compile(r"(?<![\d/-])(\d{1,2})([/-])(\d{1,2})\2(\d{4}|\d{2})(?!\d)")
_MONTH_FIRST = frozenset({"US", "PH", "FM", "MH", "PW"})
_EITHER_FIRST = frozenset({"CA", "CN", "HU", "JP", "KP", "KR", "KZ", "LT", "MN", "SE", "TW", "ZA"})
"""Countries that write the year first, and so day and month in either order where they do not."""
_YEAR_FIRST = re.compile(r"(?<![\d./-])\d{4}\s?([./-])\s?\d{1,2}\1")
_DAY_ONLY = re.compile(r"^(?!.*\dT\d)[^:]*$")
_CLOCK_WORD = re.compile(r"\b(?:Uhr|hrs|hs|kl\.?|klo|at|um|alle|\u00e0)\b|(?<=\d)\s?\u0e19\.", re.IGNORECASE)
_LOCAL_ISO = re.compile(r"^\d{4}-\d{2}-\d{2}[T ]\d{2}[:.]\d{2}")
_FEW_FIELDS = 3
_FIRST_YEAR = 1900
"""An earlier one is of another calendar."""


def parse_value(
    value: object, *, zone: tzinfo, country: str | None = None, language: str | None = None
) -> datetime | None:
    """
    Parse what a page gives as a time: a text, a number of seconds, or a list of year, month, day, hour (Java).

    :param zone: As the others, as for `parse_time`.
    """
    if isinstance(value, list) and len(value) >= _FEW_FIELDS and all(isinstance(part, int) for part in value):
        try:
            return datetime(*value[:6]).replace(tzinfo=zone if len(value) > _FEW_FIELDS else UTC).astimezone(UTC)
        except (TypeError, ValueError, OverflowError):
            return None
    if isinstance(value, dict):
        value = next((value[key] for key in ("@value", "$date", "iso", "date", "value") if value.get(key)), None)
    return parse_time(text_of(value), zone=zone, country=country, language=language)


def parse_time(text: str, *, zone: tzinfo, country: str | None = None, language: str | None = None) -> datetime | None:  # noqa: PLR0911 - a form each
    """
    Parse a point in time.

    :param zone: Assumed when the text names none. A bare day is taken as midnight UTC instead.
    :param country: ISO 3166-1 alpha-2, of the publisher: says whether 5/3/2024 is in March or in May.
    :param language: ISO 639-1, of the page: says which language names of months are in.
    :returns: UTC; None if it cannot be read, may mean either of two days, names none (a bare year is not a date), or
        names a zone that is not known.
    """
    text = gregorian_year(ascii_digits(text.strip()))
    if not any(char.isdigit() for char in text) or len(text) > MAX_TIME_CHARS:
        return None
    counted = _counted(text)
    if counted is not None:
        return counted
    if text.replace(".", "").isdecimal() and "." not in text and len(text) not in {6, 8, 12, 14}:
        return None
    try:
        java = _JAVA_DATE.match(text)
        text = f"{java['day']} {java['year']} {java['zone']}" if java else text
        bare, named = cut_zone(_ZONE_AFTER_OFFSET.sub("", text), country=country)
        day_only = bool(_DAY_ONLY.match(bare))
        moment = _parse(bare, country=country)
        if moment is None or moment.year < _FIRST_YEAR:
            found = find_date(bare, language=language)
            if found is None:
                return None
            moment, day_only = found[0], not found[1]
        if day_only:
            return moment.replace(hour=0, minute=0, second=0, microsecond=0, tzinfo=UTC)
        return at_zone(moment, named or zone)
    except (UnknownZoneError, OverflowError, ValueError):
        return None


def _counted(text: str) -> datetime | None:
    """Read a number of seconds, or parts of them, since 1970, ticks of .NET, or its /Date(…)/."""
    net = _NET_DATE.search(text)
    try:
        if net:
            return datetime.fromtimestamp(int(net["ms"]) / 1000, tz=UTC)
        number = _UNIX.match(text)
        if not number or not text.isascii():
            return None
        whole = str(int(float(text))) if "e" in text.lower() else number["whole"]
        if len(whole) == _TICK_DIGITS:
            return _TICKS_START + timedelta(seconds=int(whole) // _TICKS)
        return (
            datetime.fromtimestamp(int(whole) / _UNIX_UNITS[len(whole)], tz=UTC) if len(whole) in _UNIX_UNITS else None
        )
    except (ValueError, OverflowError, OSError):
        return None


def _parse(text: str, *, country: str | None) -> datetime | None:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        pass
    if not text.isascii() and any(char.isalpha() and not char.isascii() for char in text):
        return None  # dateutil knows English names alone
    day_first = _day_first(text, country=country)
    if day_first is None:
        return None
    text = _CLOCK_WORD.sub(" ", _ZONE_BEFORE_OFFSET.sub("", text))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", dateparser.UnknownTimezoneWarning)
            moment, again = (dateparser.parse(text, dayfirst=day_first, default=default) for default in _DEFAULTS)
    except (ValueError, OverflowError, TypeError, dateparser.UnknownTimezoneWarning):
        return None
    return moment if isinstance(moment, datetime) and moment.date() == again.date() else None


def _day_first(text: str, *, country: str | None) -> bool | None:
    """Say whether the day stands before the month; None where that makes two days of it and nobody knows."""
    found = _DAY_OR_MONTH.search(text)
    if found is None or not _is_either(found):
        return "." in text and not _YEAR_FIRST.search(text)
    return None if country is None or country in _EITHER_FIRST else country not in _MONTH_FIRST


def _is_either(found: re.Match[str]) -> bool:
    """Say whether a date is another one with day and month exchanged."""
    return int(found[1]) != int(found[3]) and max(int(found[1]), int(found[3])) <= _MONTHS


__all__ = ["OFFSET", "parse_time", "parse_value", "timezone"]
