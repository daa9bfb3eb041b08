"""Small text functions that every part of extraction shares."""

import html
import re
import unicodedata

_BLANKS = re.compile(r"\s+")
_INVISIBLE = re.compile("[\u00ad\u200b\u200c\u200d\u2060\ufeff]")
_DROPPED = re.compile("[\u00ad\u200b\u2060\ufeff\ud800-\udfff]")
_WORDS = re.compile(r"\w+")
_TAG = re.compile(r"</?[a-zA-Z!][^<>]{0,199}>")
"""Not a text that compares: "below < 2 % and > 3 % above"."""


def clean_text(text: str) -> str:
    """
    Return one line in Unicode NFC: blanks of every kind become single spaces, invisible characters go.

    So do lone surrogates, halves of characters that JSON can write but no file can hold.
    """
    return _BLANKS.sub(" ", unicodedata.normalize("NFC", _DROPPED.sub("", text))).strip()


def clean_label(text: str) -> str:
    """Clean the text of an attribute or a JSON value, where markup and entities may be left."""
    return clean_text(html.unescape(_TAG.sub("", html.unescape(text))))


def words(text: str) -> list[str]:
    """Return the words of a text in lower case, without punctuation."""
    return _WORDS.findall(_INVISIBLE.sub("", text).lower())


def fold(text: str) -> str:
    """Return the words of a text in lower case, joined by spaces: equal for texts that differ in punctuation only."""
    return " ".join(words(text))
