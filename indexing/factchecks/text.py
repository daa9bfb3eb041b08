"""Texts of strangers as they are kept: one line, in Unicode NFC, without controls, marks that turn lines, or markup."""

import html
import re
import unicodedata
from datetime import date, datetime
from urllib.parse import urlsplit

from dateutil import parser as dates

from core.urls import has_login, hostname
from indexing.factchecks.types import MAX_URL_CHARS

_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Cn"})
_JOINERS = frozenset("\u200c\u200d")
"""They shape words in Persian, Hindi and others, and hold emoji together."""
_MARKUP = re.compile(r"</?[a-zA-Z][^<>]{0,300}>|<!--[^<>]{0,300}-->")
_SCANNED = 20_000
"""Characters of a text that are read at all; fields are shorter."""
_EARLIEST = 1900
_LONGEST_DATE = 40
_NO_DAY = datetime(1, 1, 1)
"""What a date that names no year gets, so that it is refused."""


def plain_line(value: object) -> str:
    """Return a text as one line; empty for what is not text."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    text = _MARKUP.sub(" ", html.unescape(str(value)[:_SCANNED]))
    text = unicodedata.normalize("NFC", text)
    kept = (" " if letter.isspace() else letter for letter in text if letter.isspace() or _is_seen(letter))
    return " ".join("".join(kept).split())


def web_address(value: object) -> str:
    """
    Return an address that a reader can open; empty where there is none.

    :raises ValueError: If it is one that no reader should open.
    """
    text = plain_line(value)
    if not text:
        return ""
    if len(text) > MAX_URL_CHARS:
        raise ValueError(f"has {len(text)} characters; at most {MAX_URL_CHARS} are accepted")
    scheme = text.partition(":")[0].lower()
    try:
        usable = scheme in {"http", "https"} and " " not in text and hostname(text) and not has_login(text)
        usable = usable and (urlsplit(text).port or 1) > 0
    except ValueError:
        usable = False
    if not usable:
        raise ValueError(f"is {text[:80]!r}, not an address that begins with http:// or https://")
    return text


def read_day(value: object) -> date | None:
    """
    Return the day of a date in any usual form.

    :raises ValueError: If it is none.
    """
    text = plain_line(value)
    if not text:
        return None
    try:
        read = (
            dates.isoparse(text) if text[:4].isdigit() else dates.parse(text[:_LONGEST_DATE], default=datetime(1, 1, 1))
        )
    except (ValueError, OverflowError) as error:
        raise ValueError(f"is {text[:40]!r}, not a date such as 2020-01-31") from error
    if read.year < _EARLIEST:
        raise ValueError(f"is {text[:40]!r}, not a date such as 2020-01-31")
    return read.date()


def _is_seen(letter: str) -> bool:
    return letter in _JOINERS or unicodedata.category(letter) not in _UNSEEN
