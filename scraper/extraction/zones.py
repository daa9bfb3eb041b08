"""Time zones as pages name them: abbreviations, names in words, IANA and Windows names."""

import re
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo

_HOURS: dict[str, float] = {
    "UTC": 0,
    "GMT": 0,
    "Z": 0,
    "UT": 0,
    "WET": 0,
    "WEST": 1,
    "WEZ": 0,
    "WESZ": 1,
    "OEZ": 2,
    "OESZ": 3,
    "CET": 1,
    "MEZ": 1,
    "CEST": 2,
    "MESZ": 2,
    "HNEC": 1,
    "EET": 2,
    "EEST": 3,
    "MSK": 3,
    "MSD": 4,
    "TRT": 3,
    "FET": 3,
    "SAMT": 4,
    "YEKT": 5,
    "OMST": 6,
    "NOVT": 7,
    "KRAT": 7,
    "IRKT": 8,
    "YAKT": 9,
    "VLAT": 10,
    "MAGT": 11,
    "SAKT": 11,
    "PETT": 12,
    "NDT": -2.5,
    "ADT": -3,
    "CDT": -5,
    "MDT": -6,
    "PDT": -7,
    "AKST": -9,
    "AKDT": -8,
    "HST": -10,
    "HAST": -10,
    "HDT": -9,
    "CHST": 10,
    "ART": -3,
    "BRT": -3,
    "BRST": -2,
    "CLT": -4,
    "CLST": -3,
    "COT": -5,
    "PET": -5,
    "VET": -4,
    "BOT": -4,
    "UYT": -3,
    "PYT": -3,
    "PYST": -3,
    "GFT": -3,
    "GYT": -4,
    "SRT": -3,
    "FKT": -3,
    "SAST": 2,
    "EAT": 3,
    "CAT": 2,
    "WAT": 1,
    "IRST": 3.5,
    "IRDT": 4.5,
    "AFT": 4.5,
    "PKT": 5,
    "NPT": 5.75,
    "BDT": 6,
    "BTT": 6,
    "MMT": 6.5,
    "MVT": 5,
    "SLST": 5.5,
    "GET": 4,
    "AZT": 4,
    "UZT": 5,
    "TMT": 5,
    "TJT": 5,
    "KGT": 6,
    "ALMT": 5,
    "ICT": 7,
    "WIB": 7,
    "WITA": 8,
    "WIT": 9,
    "SGT": 8,
    "MYT": 8,
    "PHT": 8,
    "PHST": 8,
    "HKT": 8,
    "JST": 9,
    "KST": 9,
    "ULAT": 8,
    "BNT": 8,
    "TLT": 9,
    "PGT": 10,
    "AWST": 8,
    "ACST": 9.5,
    "ACDT": 10.5,
    "AEST": 10,
    "AEDT": 11,
    "NZST": 12,
    "NZDT": 13,
    "FJT": 12,
    "TOT": 13,
    "CHAST": 12.75,
    "IDT": 3,
    "AZOT": -1,
    "CVT": -1,
    "WGT": -2,
    "EGT": -1,
    "LHST": 10.5,
}
_BY_COUNTRY: dict[str, dict[str, float]] = {
    "IST": {"IN": 5.5, "LK": 5.5, "IE": 1, "IL": 2, "": 5.5},
    "CST": {"CN": 8, "TW": 8, "HK": 8, "MO": 8, "CU": -5, "": -6},
    "AST": {"SA": 3, "KW": 3, "BH": 3, "QA": 3, "IQ": 3, "YE": 3, "": -4},
    "PST": {"PH": 8, "PK": 5, "": -8},
    "BST": {"BD": 6, "": 1},
    "GST": {"GS": -2, "": 4},
    "AMT": {"BR": -4, "": 4},
    "SST": {"SG": 8, "": -11},
    "ECT": {"LC": -4, "": -5},
    "MST": {"MY": 8, "MM": 6.5, "": -7},
    "EST": {"AU": 10, "": -5},
    "EDT": {"AU": 11, "": -4},
    "NST": {"NP": 5.75, "": -3.5},
    "WST": {"AU": 8, "WS": 13, "EH": 1},
}
"""Abbreviations that mean one thing in one country and another elsewhere; blank: in all others."""
_RULES = {
    "ET": "America/New_York",
    "CT": "America/Chicago",
    "MT": "America/Denver",
    "PT": "America/Los_Angeles",
    "AKT": "America/Anchorage",
    "EASTERN TIME": "America/New_York",
    "CENTRAL TIME": "America/Chicago",
    "MOUNTAIN TIME": "America/Denver",
    "PACIFIC TIME": "America/Los_Angeles",
    "EASTERN STANDARD TIME": "America/New_York",
    "EASTERN DAYLIGHT TIME": "America/New_York",
    "CENTRAL EUROPEAN TIME": "Europe/Berlin",
    "CENTRAL EUROPEAN SUMMER TIME": "Europe/Berlin",
    "CENTRAL EUROPEAN STANDARD TIME": "Europe/Budapest",
    "W. EUROPE STANDARD TIME": "Europe/Berlin",
    "ROMANCE STANDARD TIME": "Europe/Paris",
    "CENTRAL EUROPE STANDARD TIME": "Europe/Budapest",
    "GMT STANDARD TIME": "Europe/London",
    "BRITISH SUMMER TIME": "Europe/London",
    "FLE STANDARD TIME": "Europe/Kiev",
    "GTB STANDARD TIME": "Europe/Bucharest",
    "RUSSIAN STANDARD TIME": "Europe/Moscow",
    "MOSCOW TIME": "Europe/Moscow",
    "TOKYO STANDARD TIME": "Asia/Tokyo",
    "CHINA STANDARD TIME": "Asia/Shanghai",
    "BEIJING TIME": "Asia/Shanghai",
    "KOREA STANDARD TIME": "Asia/Seoul",
    "INDIA STANDARD TIME": "Asia/Kolkata",
    "SINGAPORE STANDARD TIME": "Asia/Singapore",
    "SE ASIA STANDARD TIME": "Asia/Bangkok",
    "AUS EASTERN STANDARD TIME": "Australia/Sydney",
    "AUSTRALIAN EASTERN STANDARD TIME": "Australia/Brisbane",
    "NEW ZEALAND STANDARD TIME": "Pacific/Auckland",
    "SOUTH AFRICA STANDARD TIME": "Africa/Johannesburg",
    "PACIFIC STANDARD TIME": "America/Los_Angeles",
    "MOUNTAIN STANDARD TIME": "America/Denver",
    "CENTRAL STANDARD TIME": "America/Chicago",
    "ARABIAN STANDARD TIME": "Asia/Dubai",
    "ARAB STANDARD TIME": "Asia/Riyadh",
    "ISRAEL STANDARD TIME": "Asia/Jerusalem",
    "TURKEY STANDARD TIME": "Europe/Istanbul",
    "E. SOUTH AMERICA STANDARD TIME": "America/Sao_Paulo",
}
_NO_ZONES = frozenset(
    {"AM", "PM", "A", "P", "UHR", "H", "HRS", "HS", "HR", "ON", "AT", "TH", "BY", "IN", "IS", "VAN", "MIN"}
)
_IANA = re.compile(
    r"\[?(?<![\w/])(?P<name>(?:Africa|America|Antarctica|Asia|Atlantic|Australia|Europe|Indian|Pacific|Etc)/[A-Za-z_+\-/0-9]+)\]?|\[(?P<utc>UTC|GMT|Z)\]"
)
_WORDS = re.compile(
    rf"[(\[]?\b({'|'.join(re.escape(name) for name in sorted(_RULES, key=len, reverse=True) if ' ' in name)})\b[)\]]?",
    re.IGNORECASE,
)
_ABBREVIATION = re.compile(
    r"(?<=[\d.m])\s*[(\[]?(?<![A-Za-z])([A-Z]{1,5})(?![A-Za-z+\-\d])[)\]]?(?!\s*[+-]\d)|(?<=[AaPp]\.[Mm]\.)\s*[(\[]?([A-Z]{2,5})\b[)\]]?"
)
_PREFIXED = re.compile(r"\b(?:GMT|UTC)\s*(?P<sign>[+\u2212-])\s*(?P<hours>\d{1,2})(?::?(?P<minutes>[0-5]\d))?")
_OFFSET_END = re.compile(r"(?<=\d)\s*[+\u2212-]\d{1,2}:?\d{0,2}\s*$|(?<=\d)Z\s*$")


class UnknownZoneError(ValueError):
    """A text names a zone that nobody knows."""


def cut_zone(text: str, *, country: str | None) -> tuple[str, tzinfo | None]:
    """
    Cut the name of a zone off a time.

    :param country: ISO 3166-1 alpha-2, of the publisher, for abbreviations that countries share.
    :returns: The text without the name, and the zone; None: the text names none, or only an offset, which stays in it.
    :raises UnknownZoneError: If it names one that is not known.
    """
    found = _IANA.search(text)
    if found:
        rest = f"{text[: found.start()]} {text[found.end() :]}".strip()
        return rest, None if _OFFSET_END.search(rest) else _iana(found["name"] or "UTC")
    words = _WORDS.search(text)
    if words:
        rest = f"{text[: words.start()]} {text[words.end() :]}".strip()
        return rest, None if _OFFSET_END.search(rest) else ZoneInfo(_RULES[words[1].upper()])
    prefixed = _PREFIXED.search(text)
    if prefixed:
        sign = 1 if prefixed["sign"] == "+" else -1
        offset = timedelta(hours=int(prefixed["hours"]), minutes=int(prefixed["minutes"] or 0))
        return f"{text[: prefixed.start()]} {text[prefixed.end() :]}".strip(), timezone(
            sign * min(offset, timedelta(hours=14))
        )
    return _cut_abbreviation(text, country=country)


def _cut_abbreviation(text: str, *, country: str | None) -> tuple[str, tzinfo | None]:
    for match in _ABBREVIATION.finditer(text):
        name = match[1] or match[2]
        if name in _NO_ZONES or (name == "T" and text[match.end() :][:1].isdigit()):
            continue
        if ":" not in text[: match.start()] and not re.search(
            r"\d\s?[AaPp]\.?[Mm]\.?\s*$|\d{1,2}[.h]\d{2}\s*$", text[: match.start()]
        ):
            continue  # no clock before it
        return f"{text[: match.start()]} {text[match.end() :]}".strip(), _zone_of(name, country=country)
    return text, None


def _zone_of(name: str, *, country: str | None) -> tzinfo:
    if name in _BY_COUNTRY:
        hours = _BY_COUNTRY[name].get(country or "", _BY_COUNTRY[name].get(""))
        if hours is None:
            raise UnknownZoneError(name)
        return _fixed(hours)
    if name in _HOURS:
        return _fixed(_HOURS[name])
    if name in _RULES:
        return ZoneInfo(_RULES[name])
    raise UnknownZoneError(name)


def _fixed(hours: float) -> tzinfo:
    return timezone(timedelta(hours=hours)) if hours else UTC


def _iana(name: str) -> tzinfo:
    try:
        return ZoneInfo(name)
    except (ValueError, OSError, KeyError) as error:
        raise UnknownZoneError(name) from error


def at_zone(moment: datetime, zone: tzinfo) -> datetime:
    """Return a moment in UTC; one without zone is in the zone given."""
    return (moment if moment.tzinfo else moment.replace(tzinfo=zone)).astimezone(UTC)
