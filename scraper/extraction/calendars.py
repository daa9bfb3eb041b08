"""Dates in other scripts and calendars: names of months in many languages, Buddhist, Persian and Japanese years."""

import re
import unicodedata
from datetime import date, datetime
from functools import cache

from babel import Locale, UnknownLocaleError

_PERSIAN_MONTHS = (
    ("\u0641\u0631\u0648\u0631\u062f\u06cc\u0646", "\u062d\u0645\u0644"),
    ("\u0627\u0631\u062f\u06cc\u0628\u0647\u0634\u062a", "\u062b\u0648\u0631"),
    ("\u062e\u0631\u062f\u0627\u062f", "\u062c\u0648\u0632\u0627"),
    ("\u062a\u06cc\u0631", "\u0633\u0631\u0637\u0627\u0646"),
    ("\u0645\u0631\u062f\u0627\u062f", "\u0627\u0633\u062f"),
    ("\u0634\u0647\u0631\u06cc\u0648\u0631", "\u0633\u0646\u0628\u0644\u0647"),
    ("\u0645\u0647\u0631", "\u0645\u06cc\u0632\u0627\u0646"),
    ("\u0622\u0628\u0627\u0646", "\u0639\u0642\u0631\u0628"),
    ("\u0622\u0630\u0631", "\u0642\u0648\u0633"),
    ("\u062f\u06cc", "\u062c\u062f\u06cc"),
    ("\u0628\u0647\u0645\u0646", "\u062f\u0644\u0648"),
    ("\u0627\u0633\u0641\u0646\u062f", "\u062d\u0648\u062a"),
)
"""Of the Iranian and of the Afghan calendar."""
_ERAS = {
    "\u4ee4\u548c": 2018,
    "\u5e73\u6210": 1988,
    "\u662d\u548c": 1925,
    "R": 2018,
    "H": 1988,
    "S": 1925,
    "\u6c11\u570b": 1911,
    "\u6c11\u56fd": 1911,
    "\u4e2d\u83ef\u6c11\u570b": 1911,
}
"""Era to the year before its first."""
_ERA = re.compile(
    "(?P<era>\u4ee4\u548c|\u5e73\u6210|\u662d\u548c|\u4e2d\u83ef\u6c11\u570b|\u6c11\u570b|\u6c11\u56fd)\\s*(?P<year>\\d{1,3}|\u5143)\\s*\u5e74\\s*(?P<month>\\d{1,2})\\s*\u6708\\s*(?P<day>\\d{1,2})\\s*\u65e5"
    "|(?<![A-Za-z\\d])(?P<letter>[RHS])\\.?(?P<year2>\\d{1,2})[./\u5e74](?P<month2>\\d{1,2})[./\u6708](?P<day2>\\d{1,2})\u65e5?(?![\\d.])"
)
_EAST_ASIAN = re.compile(
    "(?P<year>\\d{4})\\s*[\u5e74\ub144]\\s*(?P<month>\\d{1,2})\\s*[\u6708\uc6d4]\\s*(?P<day>\\d{1,2})\\s*[\u65e5\u53f7\u865f\uc77c]?"
)
_HALF_DAY = re.compile(
    "(?P<half>\u4e0a\u5348|\u5348\u524d|\uc624\uc804|\u51cc\u6668|\u65e9\u4e0a|\u6e05\u6668|\u4e0b\u5348|\u5348\u5f8c|\uc624\ud6c4|\u665a\u4e0a|\u5348\u540e|\u4e2d\u5348)?\\s*"
    "(?P<hour>\\d{1,2})\\s*(?:[:\uff1a]|[\u65f6\u6642\u70b9\u9ede\uc2dc])\\s*(?:(?P<minute>\\d{1,2})(?:[\u5206\ubd84]|[:\uff1a](?P<second>\\d{2})|(?!\\d)))?"
)
_AFTER_NOON = frozenset(
    {"\u4e0b\u5348", "\u5348\u5f8c", "\u5348\u540e", "\uc624\ud6c4", "\u665a\u4e0a", "\u4e2d\u5348"}
)
_CLOCK = re.compile(
    r"(?<![\d.:])(?P<hour>[01]?\d|2[0-4])(?:\s?(?:[:\uff1a]|h|t|kl)\s?|\.)(?P<minute>[0-5]\d)(?:[:.](?P<second>[0-5]\d))?(?![\d.]*\d)\s*(?P<half>[ap]\.?\s?m\b\.?)?"
    r"|(?<![\d.:])(?P<hour2>1[0-2]|[1-9])\s?(?P<half2>[ap]\.?m\b\.?)|(?<![\d.:])(?P<hour3>[01]?\d|2[0-3])\s?(?:Uhr|h)\b",
    re.IGNORECASE,
)
_NAMED = re.compile(
    r"(?<!\d)(?P<day>\d{1,2})(?:st|nd|rd|th|er|\u00aa|\u00ba|:e|-?(?:\u0433\u043e|\u0435))?\.?[\s,/\-]*(?:(?:de|of|di|d'|den|ta|do|del|\u0e17\u0e35\u0e48)\s*)?(?P<month>[^\W\d_][^\d,;:()|\u2022]*?)\.?,?[\s./\-]*(?:(?:de|of|del|\u0e1e\.\u0e28\.|\u0e04\.\u0e28\.|\u0645)\s*)?(?P<year>\d{4})(?!\d)"
)
_MONTH_FIRST = re.compile(
    r"(?P<month>[^\W\d_][^\d,;:()|\u2022]*?)\.?\s+(?P<day>\d{1,2})(?:st|nd|rd|th)?\.?,?\s+(?P<year>\d{4})(?!\d)"
)
_YEAR_FIRST = re.compile(
    r"(?<!\d)(?P<year>\d{4})[.,\s]*(?P<month>[^\W\d_][^\d,;:()|\u2022]*?)\.?\s*(?P<day>\d{1,2})(?!\d)"
)
_FIGURES = re.compile(
    r"(?<![\d/.-])(?:(?P<year>\d{4})\s?[./-]\s?(?P<month>\d{1,2})\s?[./-]\s?(?P<day>\d{1,2})|(?P<day2>\d{1,2})[./-](?P<month2>\d{1,2})[./-](?P<year2>\d{4}))(?![\d/-])"
)
_THAI_SHORT = re.compile(r"(?<!\d)(?P<day>\d{1,2})\s*(?P<month>[\u0e00-\u0e7f.]+?)\s*(?P<year>\d{2})(?![\d:.])")
_BUDDHIST_ISO = re.compile(r"^(?:2[4-6]\d\d)(?=[-/.]\d{1,2}[-/.]\d{1,2}(?!\d))")
_BUDDHIST_CENTURY = 2500
_BUDDHIST, _PERSIAN = range(2400, 2701), range(1300, 1451)
_BUDDHIST_OFFSET = 543
_MAX_MONTH_WORDS = 4
_CORE = (
    "en",
    "de",
    "fr",
    "es",
    "it",
    "pt",
    "nl",
    "sv",
    "da",
    "nb",
    "fi",
    "pl",
    "cs",
    "ru",
    "uk",
    "tr",
    "id",
    "ar",
    "th",
    "vi",
    "el",
    "hu",
    "ro",
)
_VARIANTS = {
    "ar": ("ar", "ar_LB", "ar_DZ", "ar_MA", "ar_MR"),
    "no": ("nb", "nn"),
    "sr": ("sr", "sr_Latn", "hr"),
    "de": ("de", "de_AT"),
    "ms": ("ms", "id"),
    "id": ("id", "ms"),
}
MAX_CHARS = 200


def ascii_digits(text: str) -> str:
    """Return a text with the figures of all scripts as those of ASCII."""
    if text.isascii():
        return text
    return "".join(
        str(unicodedata.digit(char)) if char.isdigit() and unicodedata.category(char) == "Nd" else char for char in text
    )


def gregorian_year(text: str) -> str:
    """Return a date in figures that begins with a Buddhist year with the Gregorian one: 2568-03-05 is in 2025."""
    return _BUDDHIST_ISO.sub(lambda match: str(int(match[0]) - _BUDDHIST_OFFSET), text)


def find_date(text: str, *, language: str | None) -> tuple[datetime, bool] | None:
    """
    Find a date that names its day, month and year in words, East Asian signs or another calendar.

    :param language: Of the page, ISO 639-1: its names of months come before those of others.
    :returns: The moment without zone, and whether it has a clock; None: there is none, or it may mean two days.
    """
    text = ascii_digits(text[:MAX_CHARS])
    for find in (_era_date, _east_asian_date, _named_date, _thai_date, _other_calendar):
        found = find(text, language)
        if found:
            day, end = found
            if not 1 <= day.year <= datetime.max.year:
                return None
            return _with_clock(day, text, end)
    return None


def _era_date(text: str, _language: str | None) -> tuple[date, int] | None:
    match = _ERA.search(text)
    if not match:
        return None
    base = _ERAS[match["era"] or match["letter"]]
    year = base + (1 if match["year"] == "\u5143" else int(match["year"] or match["year2"]))
    return _day(year, int(match["month"] or match["month2"]), int(match["day"] or match["day2"]), match.end())


def _east_asian_date(text: str, _language: str | None) -> tuple[date, int] | None:
    match = _EAST_ASIAN.search(text)
    return _day(int(match["year"]), int(match["month"]), int(match["day"]), match.end()) if match else None


def _named_date(text: str, language: str | None) -> tuple[date, int] | None:
    for pattern in (_NAMED, _MONTH_FIRST, _YEAR_FIRST):
        for match in pattern.finditer(text):
            year, day = int(match["year"]), int(match["day"])
            if year in _PERSIAN and (month := _persian_month(match["month"])):
                return _from_persian(year, month, day, match.end())
            month = _month(match["month"], language)
            if month:
                return _day(year - _BUDDHIST_OFFSET if year in _BUDDHIST else year, month, day, match.end())
    return None


def _thai_date(text: str, _language: str | None) -> tuple[date, int] | None:
    """Read a date with a Thai month and the last two figures of a Buddhist year."""
    match = _THAI_SHORT.search(text)
    month = _months("th").get(_bare(match["month"])) if match else None
    if match is None or month is None:
        return None
    return _day(_BUDDHIST_CENTURY + int(match["year"]) - _BUDDHIST_OFFSET, month, int(match["day"]), match.end())


def _other_calendar(text: str, language: str | None) -> tuple[date, int] | None:
    """Read figures whose year is of no Gregorian calendar: Buddhist, or Persian on a page in Persian or Pashto."""
    for match in _FIGURES.finditer(text):
        year = int(match["year"] or match["year2"])
        month, day = int(match["month"] or match["month2"]), int(match["day"] or match["day2"])
        if year in _BUDDHIST:
            return _day(year - _BUDDHIST_OFFSET, month, day, match.end())
        if year in _PERSIAN and language in {"fa", "ps", "prs", "ckb", "az"}:
            return _from_persian(year, month, day, match.end())
    return None


def _day(year: int, month: int, day: int, end: int) -> tuple[date, int] | None:
    try:
        return date(year, month, day), end
    except ValueError:
        return None


def _from_persian(year: int, month: int, day: int, end: int) -> tuple[date, int] | None:
    """
    Turn a day of the solar Hijri calendar into a Gregorian one.

    Source: the 2820-year rule by A. Birashk, "A Comparative Calendar of the Iranian, Muslim Lunar, and Christian Eras", 1993.
    """
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return None
    base = year - 474
    cycle = 474 + base % 2820
    days = day + ((month - 1) * 31 if month <= 7 else (month - 1) * 30 + 6)
    days += (cycle * 682 - 110) // 2816 + (cycle - 1) * 365 + base // 2820 * 1029983
    return date.fromordinal(days + 1948320 - 1721425), end


def _persian_month(text: str) -> int | None:
    words = _spell(text).split()
    for number, names in enumerate(_PERSIAN_MONTHS, 1):
        if any(_spell(name) in words for name in names):
            return number
    return None


def _spell(text: str) -> str:
    """Return a text in one spelling: Arabic and Persian letters alike."""
    return unicodedata.normalize("NFC", text).replace("\u064a", "\u06cc").replace("\u0643", "\u06a9").strip().casefold()


def _month(text: str, language: str | None) -> int | None:
    """Return the month that a text of a few words names, alone or after a weekday or a small word."""
    words = re.split(r"[\s/\u060c]+", text.strip())[:_MAX_MONTH_WORDS]
    for size in range(len(words), 0, -1):
        for at in range(len(words) - size, -1, -1):
            month = _lookup(_bare(" ".join(words[at : at + size])), language)
            if month:
                return month
    return None


def _lookup(name: str, language: str | None) -> int | None:
    if not name:
        return None
    for code in dict.fromkeys(filter(None, ((language or "").lower()[:2], "en"))):
        month = _months(code).get(name)
        if month:
            return month
    found = {month for code in _CORE if (month := _months(code).get(name))}
    return found.pop() if len(found) == 1 else None


@cache
def _months(code: str) -> dict[str, int]:
    """Return the names of months of a language, as the Unicode CLDR has them."""
    names: dict[str, int] = {}
    for variant in _VARIANTS.get(code, (code,)):
        try:
            locale = Locale.parse(variant)
        except (UnknownLocaleError, ValueError):
            continue
        for context in ("format", "stand-alone"):
            for width in ("wide", "abbreviated"):
                for number, name in locale.months[context][width].items():
                    for spelled in {_bare(name), _bare(name)[:3] if width == "wide" and code == "en" else _bare(name)}:
                        if not spelled.isdecimal():
                            names.setdefault(spelled, number)
                    if variant == "ar_LB":
                        names.update({_bare(part): number for part in name.split("/")})
    if code == "en":
        names["sept"] = 9
    return names


def _bare(name: str) -> str:
    """Return a name of a month without points and accents of writing; small letters."""
    text = unicodedata.normalize("NFC", name.casefold()).replace("\u0307", "").strip(" .\u200f")
    return text if "\u0e00" <= text[:1] <= "\u0e7f" else text.replace(".", "")


def _with_clock(day: date, text: str, end: int) -> tuple[datetime, bool]:
    """Add the clock that stands behind a date, or else before it."""
    for part in (text[end:], text[:end]):
        east = _HALF_DAY.search(part)
        if east and (east["half"] or any(char > "\u2e80" for char in east[0])):
            return _at(
                day,
                east["hour"],
                east["minute"],
                east["second"],
                late=east["half"] in _AFTER_NOON,
                early=bool(east["half"]),
            ), True
        match = _CLOCK.search(part) if part is not text[:end] else None
        if match:
            half = (match["half"] or match["half2"] or "").lower()
            hour = match["hour"] or match["hour2"] or match["hour3"]
            return _at(
                day, hour, match["minute"], match["second"], late=half.startswith("p"), early=half.startswith("a")
            ), True
    return datetime(day.year, day.month, day.day), False


def _at(day: date, hour: str, minute: str | None, second: str | None, *, late: bool, early: bool) -> datetime:
    hours = int(hour)
    if late and hours < 12:
        hours += 12
    elif early and not late and hours == 12:
        hours = 0
    return datetime(day.year, day.month, day.day, min(hours, 23), min(int(minute or 0), 59), min(int(second or 0), 59))
