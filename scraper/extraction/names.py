"""Cuts a byline into the names of persons: joiners of many languages, suffixes, "Last, First", roles, places, times."""

import re
from collections.abc import Iterator
from functools import cache
from zoneinfo import available_timezones

from scraper.extraction.text import clean_label, fold

MAX_AUTHORS = 30
MAX_NAME_CHARS = 80
_LEAD = (
    r"(?:(?:written|words|story|reported|compiled|text|article)\s+by|text(?:\s+(?:und|och|og|and|&)\s+(?:fotos?|bilder|foto|bild|photos?))?\s*:"
    r"|words\s*:|tekst\s*:|texte\s*:|testo\s*:|texto\s*:|autor(?:in|en|es|a)?\s*:|auteurs?\s*:|authors?\s*:|published by|posted by"
    r"|ein\w* \w+ von|from|przez|napisa\u0142a?|skrevet av|skriven av|skrevet af|kirjoittanut|yazan\s*:"
    r"|von|by|par|por|di|de|af|av|door|od|ot|\u043e\u0442|\u0430\u0432\u0442\u043e\u0440\s*:)(?![\w'\u2019-])\s*:?\s*"
)
BY = re.compile(rf"^{_LEAD}(?=\S)", re.IGNORECASE)
_EAST_LEAD = re.compile(
    "^(?:\u4f5c\u8005|\u8bb0\u8005|\u8a18\u8005|\u64b0\u6587|\u7f16\u8f91|\u7de8\u8f2f|\u6587\u5b57?|\u8d23\u4efb\u7f16\u8f91|\u7b46\u8005)\\s*[:\uff1a/\uff0f|\\s]+"
)
_EAST_ROLE = re.compile(
    "\\s*(?:\u8bb0\u8005|\u8a18\u8005|\u7279\u6d3e\u5458|\u7279\u6d3e\u54e1|\u7de8\u96c6\u59d4\u54e1|\uae30\uc790|\uc120\uc784\uae30\uc790|\ud2b9\ud30c\uc6d0|\uc778\ud134\uae30\uc790)$"
)
_SURE_JOINERS = r"and|und|sowie|et(?!\s+al\b)|och|og|en|ve|och|dan|\u0438|\u0442\u0430|\u03ba\u03b1\u03b9|\u0219i|\u015fi|\u00e9s|sekä|ja|ir|un|og|with|mit"
_SHORT_JOINERS = r"y|e|i|a|\u0456|\u0439|\u0648|\u05d5"
_HARD_SPLIT = re.compile(
    "\\s*(?:[;|\u3001\uff0c\uff1b\u2022\u00b7\uff0f\n]|\\s/\\s|&|\\s\\+\\s|(?:,\\s*)?\\b(?:"
    + _SURE_JOINERS
    + ")\\b(?=\\s))\\s*"
    "|(?-i:(?<=[a-z\u00df-\u00ff.])/(?=[A-Z\u00c0-\u00de]))|(?<=\\w)\\s*[\u548c\u8207\u4e0e\u53ca]\\s*(?=\\w)"
)
_SOFT_SPLIT = re.compile(rf"\s+(?:{_SHORT_JOINERS})\s+")
_SUFFIX = re.compile(
    r"^(?:jr|sr|jnr|snr|ii|iii|iv|v|ph\.?\s?d|m\.?d|d\.?phil|m\.?b\.?e|o\.?b\.?e|c\.?b\.?e|k\.?b\.?e|esq|d\.?d\.?s|d\.?v\.?m|m\.?sc|b\.?sc|m\.?a"
    r"|b\.?a|m\.?b\.?a|ll\.?[mbd]|r\.?n|k\.?c|q\.?c|m\.?p|s\.?j|j\.?d|m\.?p\.?h|ed\.?d|psy\.?d|cfa|cpa|frs|fba|frcp|phd|mag|dr|prof|dipl\.?-?ing)\.?$",
    re.IGNORECASE,
)
_CODE = re.compile(r"\s*\([\w./-]{2,8}\)$")
"""The shorthand of a desk behind a name, as in "Jo Doe (jod)"."""
_ASIDE = re.compile(r"\s*[(\[][^()\[\]]{0,60}[)\]]\s*$")
_PLACE = re.compile(
    "\\s*,?\\s+(?:in|aus|\u00e0|au|en|a|i|te|uit|w|from|reporting from|berichtet aus)\\s+(?-i:[A-Z\u00c0-\u00de])[\\w.'\u2019-]+(?:\\s+(?-i:[A-Z\u00c0-\u00de])[\\w.'\u2019-]+)?$",
    re.IGNORECASE,
)
"""Where a reporter is, as in "Jo Doe in New York"."""
ROLE = re.compile(
    r"\b(?:editors?|editor-in-chief|correspondents?|reporters?|writers?|columnists?|journalists?|producers?|bureau chief|contributors?|photographers?|anchor"
    r"|analysts?|critics?|fellow|intern|chief|director|head of [\w ]+|desk|lead|specialist|author of .*|professor(?: of .*)?"
    r"|(?:chef)?redakteur(?:in)?|korrespondent(?:in)?|reporter(?:in)?|journalist(?:in)?|autor(?:in)?|volont\u00e4r(?:in)?|freie[r]? mitarbeiter(?:in)?|kolumnist(?:in)?"
    r"|journaliste|correspondante?|envoy\u00e9e? sp\u00e9ciale?|r\u00e9dact(?:eur|rice)(?: en chef)?|grand reporter|periodista|corresponsal|redactora?|enviad[oa] especial"
    r"|giornalista|corrispondente|inviat[oa]|journalista|rep\u00f3rter|jornalista|verslaggever|redacteur|correspondent"
    r"|reporter|redakt\u00f8r|redakt\u00f6r|journalist|kommentator|fotograf|korrespondent|utenriksredakt\u00f8r|chefredakt\u00f6r|toimittaja|dziennikark?a?|redaktor"
    r"|muhabir[i]?|edit\u00f6r|agencies|agenturen|agences|agencias|agenzie|byr\u00e5|byr\u00e5er)$",
    re.IGNORECASE,
)
_TIME = re.compile(
    "[\\s,|\u2022\u00b7\u2013\u2014-]+(?:(?:on|am|le|el|den|the|published|updated|aktualisiert|publi\u00e9|publicado|publisert|oppdatert|ver\u00f6ffentlicht)\\b[\\s:]*)*"
    "(?:\\d{1,2}[:.]\\d{2}\\b|\\d{1,2}[./-]\\d{1,2}[./-]\\d{2,4}|\\d{4}-\\d{2}-\\d{2}|\\d{1,2}(?:st|nd|rd|th|\\.)?\\s+[^\\W\\d_]{3,12}\\.?,?\\s+(?:19|20)\\d\\d"
    "|[^\\W\\d_]{3,12}\\.?\\s+\\d{1,2},?\\s+(?:19|20)\\d\\d|\\d+\\s*(?:min|mins|minutes?|hours?|h|days?|Std|Min|Tagen?|Stunden?|timer|timmar|dager|heures?|horas?)\\b"
    "|(?:mon|tues?|wednes|thurs?|fri|satur|sun)day\\b|(?:mon|tues?|wed|thur?s?|fri|sat|sun)\\.?,?\\s+\\d|(?:today|yesterday|heute|gestern|hier|ayer)\\b).*$",
    re.IGNORECASE,
)
_UPDATED = re.compile(
    r"(?:^|[\s,|\u2022\u00b7\u2013\u2014-]+)(?:published|updated|posted|last modified|aktualisiert|ver\u00f6ffentlicht|publi\u00e9|publicado|publisert|oppdatert|uppdaterad|opdateret)\b.*$",
    re.I,
)
_PICTURES = re.compile(
    "(?:^|[\\s,;|/\u2022\u00b7(-])(?:fotos?|photos?|bild(?:er)?|pictures?|images?|photograph(?:y|s|er)?|illustrations?|grafik|graphics?|video|kamera|foto og video)"
    "\\s*(?::|by\\b|von\\b|av\\b|af\\b).*$",
    re.IGNORECASE,
)
_NOT_A_NAME = re.compile(
    r"https?:|www\.|\d{3}|^\W*$|^(?:null|undefined|none|n/?a|unknown|anonymous|\[?object object\]?)$", re.IGNORECASE
)
_CONTACT = re.compile(r"\s*[(<\[]?\S+@\S+\.\w+[)>\]]?|\s+@\w+|^@\w+$")
_PARTICLES = frozenset(
    {
        "van",
        "von",
        "de",
        "der",
        "den",
        "del",
        "della",
        "di",
        "da",
        "la",
        "le",
        "du",
        "dos",
        "das",
        "zu",
        "ter",
        "ten",
        "al",
        "el",
        "bin",
        "ibn",
        "mac",
        "st",
        "st.",
    }
)
_MAX_GIVEN_NAMES = 2
_FULL_NAME_WORDS = 2


def tidy_names(names: list[str], *, split: bool, known: frozenset[str] = frozenset()) -> tuple[str, ...]:
    """
    Clean names, drop what is not a name (addresses, profiles, places, times) and doubles.

    :param split: Whether one string may hold several names, as in "A and B".
    :param known: Folded names of agencies and houses: one word, and yet no place.
    """
    found: dict[str, str] = {}
    for name in names:
        for part in _persons(_without_extras(name), split=split, known=known):
            cleaned = _clean(part)
            if cleaned and len(cleaned) <= MAX_NAME_CHARS and not _NOT_A_NAME.search(cleaned):
                found.setdefault(fold(cleaned), cleaned)
    return tuple(found.values())[:MAX_AUTHORS]


def _without_extras(name: str) -> str:
    """Take off lead words, pictures, times and addresses around a byline."""
    text = clean_label(name)
    for _ in range(2):
        text = BY.sub("", _EAST_LEAD.sub("", text)).strip()
    text = _PICTURES.sub("", text) if len(_PICTURES.sub("", text)) > 1 else text
    return _CONTACT.sub("", _UPDATED.sub("", _TIME.sub("", text))).strip(" ,;|/\u2022\u00b7-")


def _clean(name: str) -> str:
    name = _CODE.sub("", BY.sub("", name).strip(" ,;|:"))
    name = _EAST_ROLE.sub("", _EAST_LEAD.sub("", _ASIDE.sub("", name) or name))
    cut = _PLACE.sub("", name)
    return (cut if len(cut.split()) >= _FULL_NAME_WORDS else name).strip(" ,;|:")


def _persons(text: str, *, split: bool, known: frozenset[str]) -> Iterator[str]:
    pieces = [piece for piece in _HARD_SPLIT.split(text) if piece and piece.strip()] if split else [text]
    for at, piece in enumerate(pieces):
        if at == 0 or not _is_description(piece.split(",")[0], after=pieces[0]):
            yield from _between_commas(piece, split=split, known=known)


def _between_commas(text: str, *, split: bool, known: frozenset[str]) -> Iterator[str]:
    """Yield the persons of a text without joiners: a comma parts persons, but also a suffix, a role or a place."""
    parts = [part.strip() for part in text.split(",") if part.strip()]
    joined: list[str] = []
    for part in parts:
        if joined and _SUFFIX.match(part):
            joined[-1] = f"{joined[-1]}, {part}"
        else:
            joined.append(part)
    if len(joined) == _FULL_NAME_WORDS and _is_last_first(*joined, known=known):
        yield f"{joined[1]} {joined[0]}"
        return
    first = True
    for part in joined:
        if first or not _is_aside(part, known=known, after=joined[0]):
            if split:
                yield from _soft_parts(part)
            elif first or (len(part.split()) >= _FULL_NAME_WORDS and not ROLE.search(part)):
                yield part
        first = False


def is_place(name: str) -> bool:
    """Say whether a name is that of a place from which papers report."""
    return fold(name) in _places()


def _soft_parts(text: str) -> Iterator[str]:
    """Cut at joiners of one letter, but not within a name as "Santiago Ram\u00f3n y Cajal"."""
    parts = _SOFT_SPLIT.split(text)
    if all(len(part.split()) >= _FULL_NAME_WORDS for part in parts):
        yield from parts
    else:
        yield text


def _is_last_first(last: str, first: str, *, known: frozenset[str]) -> bool:
    """Say whether two texts are a surname and given names."""
    surnames = [word for word in last.split() if word.lower() not in _PARTICLES]
    given = [word for word in first.split() if word.lower() not in _PARTICLES]
    if len(surnames) != 1 or not 1 <= len(given) <= _MAX_GIVEN_NAMES or fold(last) in known or fold(first) in known:
        return False
    return (
        all(word[0].isupper() for word in (*surnames, *given))
        and not _SUFFIX.match(first)
        and not ROLE.search(first)
        and fold(first) not in _places()
    )


def _is_aside(part: str, *, known: frozenset[str], after: str) -> bool:
    """Say whether what follows a name is not a further name: a role, a place, a house."""
    if fold(part) in known:
        return False
    if ROLE.search(part) or _is_description(part, after=after) or fold(part) in _places():
        return True
    if fold(after) in known and len(part.split()) == 1:
        return True
    return len(part.split()) == 1 and len(after.split()) >= _FULL_NAME_WORDS and part.isalpha() and part.isascii()


def _is_description(part: str, *, after: str) -> bool:
    """Say whether what follows a name in capitals says what that person is: "professor at the faculty of Law"."""
    words = [word for word in part.split() if fold(word) not in _PARTICLES]
    return after[:1].isupper() and any(word[0].islower() for word in words)


@cache
def _places() -> frozenset[str]:
    """Return the folded names of places that time zones are named for."""
    return frozenset(
        fold(zone.rsplit("/", 1)[-1].replace("_", " ")) for zone in available_timezones() if "/" in zone
    ) | {
        "washington",
        "geneva",
        "beijing",
        "new delhi",
        "mumbai",
        "barcelona",
        "milan",
        "munich",
        "san francisco",
        "tel aviv",
        "rio de janeiro",
        "st petersburg",
        "frankfurt",
        "hamburg",
        "m\u00fcnchen",
        "wien",
        "k\u00f6ln",
        "bruxelles",
        "roma",
        "praha",
    }
