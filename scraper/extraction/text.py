"""Small text functions that every part of extraction shares."""

import html
import re
import unicodedata
from collections.abc import Iterator

from lxml.html import HtmlElement

from core.words import TERM

_BLANKS = re.compile(r"\s+")
_INVISIBLE = re.compile("[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]")
_DROPPED = re.compile("[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff\ud800-\udfff]")
"""Among them the marks that turn the direction of writing: they belong to the page, not to the text."""
_IDEOGRAPHS = re.compile("[\u2e80-\U0010ffff]")
_PARTING = frozenset(
    {"br", "p", "div", "section", "h1", "h2", "h3", "h4", "li", "ul", "ol", "tr", "td", "header", "hr", "blockquote"}
)
_NO_TEXT = frozenset({"script", "style", "template"})
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


def block_text(element: HtmlElement) -> str:
    """Return the text of an element in one line, with a blank where a block or a line break parts it."""
    return clean_text("".join(_pieces(element)))


def _pieces(element: HtmlElement) -> Iterator[str]:
    if not isinstance(element.tag, str) or element.tag in _NO_TEXT:
        return
    parts = element.tag in _PARTING
    yield " " if parts else ""
    yield element.text or ""
    for child in element:
        previous = child.getprevious()
        if previous is not None and not previous.tail and _stand_apart(previous, child):
            yield " "
        yield from _pieces(child)
        yield child.tail or ""
    yield " " if parts else ""


def _stand_apart(first: HtmlElement, second: HtmlElement) -> bool:
    """Say whether two inline elements side by side, as style sheets set in lines of their own, are words of their own."""
    left, right = "".join(map(str, first.itertext())), "".join(map(str, second.itertext()))
    return (
        len(left.strip()) > 1
        and len(right.strip()) > 1
        and (left[-1].islower() or left[-1] in ":.!?")
        and right[0].isupper()
    )


def words(text: str) -> list[str]:
    """Return the words of a text in lower case, without punctuation."""
    return TERM.findall(_INVISIBLE.sub("", text).lower())


def fold(text: str) -> str:
    """Return the words of a text in lower case, joined by spaces: equal for texts that differ in punctuation only."""
    return " ".join(words(text))


def text_weight(text: str) -> int:
    """Return the length of a text, where a character of a script without spaces between words counts for three."""
    return len(text) if text.isascii() else len(text) + 2 * len(_IDEOGRAPHS.findall(text))
