"""Lines of a page that change by themselves: relative times, stamps of the last update, counts of readers."""

import contextlib
import re
from datetime import timedelta
from functools import lru_cache
from pathlib import Path
from typing import Literal

import yaml
from babel import Locale, UnknownLocaleError
from babel.dates import format_timedelta, get_day_names, get_month_names

from core.words import LETTER_RUN

MAX_CHARS = 160
"""A longer piece is text of the story, whatever it holds."""
MAX_OTHER_WORDS = 3
"""Of a stamp of the last update, words that are not part of a date: "on", "at", a zone."""
MAX_COUNT_WORDS = 7
"""A count of readers with more words is none where it ends as a sentence does."""
_Unit = Literal["second", "minute", "hour", "day", "week", "month", "year"]
_SPANS: dict[_Unit, int] = {
    "second": 1,
    "minute": 60,
    "hour": 3600,
    "day": 86400,
    "week": 604_800,
    "month": 2_592_000,
    "year": 31_536_000,
}
_NUMBERS = (1, 2, 3, 5, 11, 21)
"""Between them they take every plural form of the languages of the world."""
_STYLES: tuple[Literal["long"], Literal["short"], Literal["narrow"]] = ("long", "short", "narrow")
_ENGLISH = r"(?<!\w)\d+\s?(?:s|secs?|m|mins?|h|hrs?|d|w|wks?|mos?|y|yrs?)\.? ago(?!\w)"
"""Shorter than CLDR writes it."""
_PIECES = re.compile(
    r"(?<=[^\W\d]{3}[.!?\u2026])\s+(?=[^a-z])|(?<=[\u3002\uff01\uff1f])|\s*[|\u00b7\u2022\u2027\u2502]\s*|\s+[\u2013\u2014-]\s+"
)
"""Where sentences and the parts of a line of notes end; the stop of an abbreviation ends none."""
_SENTENCE_END = re.compile(r"[.!?\u2026\u3002\uff01\uff1f][\"'\u201d\u2019\u00bb)]*$")


def _load_words() -> dict[str, str]:
    lists = yaml.safe_load(Path(__file__).with_name("volatile_words.yaml").read_text(encoding="utf-8"))
    return {name: f"(?:{'|'.join(patterns)})" for name, patterns in lists.items()}


_WORDS = _load_words()
_NUMBER = r"(?<![\w.,])\d[\d.,\u00a0\u202f' ]*(?:[kKmM]\b|\d)?(?!\w)"
_UPDATED = re.compile(rf"{_WORDS['updated']}(?!\w)|{_WORDS['updated']}(?=\d)", re.IGNORECASE)
_TOLD_WITHOUT_NUMBER = rf"(?<!\w)(?:{_WORDS['just_now']}|{_WORDS['updated']} {_WORDS['day']})(?!\w)"
_COUNT = re.compile(
    rf"(?:\w+\W+){{0,4}}?{_WORDS['read']}(?:\W+\w+){{0,2}}?\W+{_NUMBER}(?:\W+\w+){{0,3}}"
    rf"|{_WORDS['counted']}\W{{0,3}}{_NUMBER}\W*"
    rf"|(?:\w+\W+){{0,3}}?{_NUMBER}(?:\W+\w+){{0,3}}?\W+{_WORDS['counted']}(?:\W+\w+){{0,4}}"
    rf"|{_WORDS['ideographic']}\W{{0,3}}[\d.,]+\S{{0,2}}|[\d.,]+\S{{0,4}}?{_WORDS['ideographic']}\S{{0,3}}"
    r"|(?:no|0) comments(?: yet)?|be the first to comment",
    re.IGNORECASE,
)


def steady_text(text: str, *, language: str | None = None) -> str:
    """
    Return a text without what changes by itself, to compare two readings of one page by.

    Only short pieces that are not sentences lose anything: "The strike began 2 hours ago." stays.

    :param text: Paragraphs, separated by line breaks.
    :param language: ISO 639-1 code, of the times that are looked for besides English ones.
    :returns: What is left of the paragraphs, in order; those of which nothing is left are left out.
    """
    paragraphs = (" ".join(_steady_pieces(line, language)) for line in text.splitlines())
    return "\n".join(paragraph for paragraph in paragraphs if paragraph)


def _steady_pieces(paragraph: str, language: str | None) -> list[str]:
    pieces = (piece.strip() for piece in _PIECES.split(paragraph))
    return [kept for piece in pieces if piece and (kept := _steady(piece, language))]


def _steady(piece: str, language: str | None) -> str:
    if len(piece) > MAX_CHARS:
        return piece
    if _COUNT.fullmatch(piece.rstrip(".!")) and not _is_statement(piece):
        return ""
    rest = _relative_time(language).sub(" ", piece)
    if rest != piece and not _SENTENCE_END.search(rest.strip()):
        rest = " ".join(rest.split()).strip(" ,:;()-")
        return "" if _UPDATED.fullmatch(rest) else rest
    return "" if _is_update_stamp(piece, language) else piece


def _is_statement(piece: str) -> bool:
    return _SENTENCE_END.search(piece) is not None and len(LETTER_RUN.findall(piece)) > MAX_COUNT_WORDS


def _is_update_stamp(piece: str, language: str | None) -> bool:
    begin = _UPDATED.match(piece)
    if begin is None or not any(char.isdigit() for char in piece):
        return False
    words = [word.lower() for word in LETTER_RUN.findall(piece[begin.end() :])]
    return sum(word not in _calendar_words(language) for word in words) <= MAX_OTHER_WORDS


@lru_cache(maxsize=64)
def _calendar_words(language: str | None) -> frozenset[str]:
    """Return the names of months and weekdays, in English and in a language."""
    return frozenset(
        word.strip(".").lower()
        for locale in _locales(language)
        for width in ("wide", "abbreviated")
        for names in (get_month_names(width, locale=locale), get_day_names(width, locale=locale))
        for name in names.values()
        for word in name.split()
    )


@lru_cache(maxsize=64)
def _relative_time(language: str | None) -> re.Pattern[str]:
    """Return what finds "5 minutes ago" and "in 2 hours" in English and in a language, as CLDR writes them."""
    found = {
        format_timedelta(
            timedelta(seconds=sign * number * seconds), granularity=unit, threshold=1e9, add_direction=True,
            format=style, locale=locale,
        )
        for locale in _locales(language)
        for unit, seconds in _SPANS.items()
        for number in _NUMBERS
        for style in _STYLES
        for sign in (-1, 1)
    }  # fmt: skip
    forms = {_as_pattern(text) for text in found if any(char.isdigit() for char in text)}
    return re.compile("|".join([*sorted(forms, key=len, reverse=True), _ENGLISH, _TOLD_WITHOUT_NUMBER]), re.IGNORECASE)


def _as_pattern(text: str) -> str:
    """Return what finds a relative time with any number, and with or without blanks and a last stop."""
    escaped = re.sub(r"\d+", r"\\d+", re.escape(text))
    escaped = re.sub(r"(?:\\?[ \u00a0\u202f])+", r"\\s?", escaped).removesuffix(r"\.")
    begin = r"(?<!\w)" if text[0].isascii() and text[0].isalnum() else ""
    return begin + escaped + (r"(?!\w)\.?" if text.endswith(".") else r"(?!\w)" if text[-1].isascii() else "")


def _locales(language: str | None) -> list[Locale]:
    locales = [Locale("en")]
    with contextlib.suppress(UnknownLocaleError, ValueError):
        locales += [Locale.parse(language)] if language and language != "en" else []
    return locales
