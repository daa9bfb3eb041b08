"""Posts of social networks as plain sentences: what a reader would say aloud, without links, handles and signatures."""

import html
import re
import unicodedata

from core.sentences import sentence_spans

_LINK = re.compile(r"(?:https?://|www\.|pic\.twitter\.com/|t\.co/|youtu\.be/|bit\.ly/)\S*", re.IGNORECASE)
_DASHES = "\u2012-\u2015"
_SIGNATURE = re.compile(
    rf"(?:\s-|\s*(?:[{_DASHES}]|--))\s*[^{_DASHES}\n]{{0,60}}?\(\s*@\w{{1,30}}\s*\)\s*"
    r"(?:[^\W\d_]{3,10}\.?\s+\d{1,2},?\s+\d{4}|\d{1,2}\.?\s+[^\W\d_]{3,10}\.?\s+\d{4})?\s*$"
)
"""`— Name (@handle) March 3, 2020`, as embedded posts end."""
_SHARED_FROM = re.compile(r"^(?:RT|MT|QT)\s+@\w{1,30}\s*:?\s*|\s\(?(?:via|h/t)\s+@\w{1,30}\)?", re.IGNORECASE)
_TAG = re.compile(r"(?<!\w)[#@](\w{1,100})")
_HUMP = re.compile(r"(?<=[A-Z])(?=[A-Z][a-z])|(?<=[a-z])(?=[A-Z])|(?<=[^\W\d_])(?=\d)|(?<=\d)(?=[^\W\d_])|_+")
"""Where words meet in a tag: `StopTheSteal`, `USArmy`, `covid19`, `fake_news`."""
_SILENT = frozenset({"Cc", "Cf", "Co", "Cs", "Cn", "So", "Sk", "Me"})
"""Unicode categories of emoji, their modifiers, and what is not seen at all."""
_EMOJI_STYLES = re.compile("[\ufe00-\ufe0f]")
_REPEATED = re.compile(r"([^\W\d_])\1{3,}")
_MAX_SENTENCES = 6
_MIN_WORDS = 4


def plain_post(text: str) -> str:
    """
    Write a post as plain words: links, emoji and signatures left out, tags and handles cut into words.

    :returns: One line; empty where nothing is said in words.
    """
    text = unicodedata.normalize("NFKC", html.unescape(text))
    text = _SIGNATURE.sub("", _LINK.sub(" ", text).strip())
    text = _SHARED_FROM.sub(" ", text)
    text = _TAG.sub(lambda tag: _HUMP.sub(" ", tag[1]), text)
    text = _EMOJI_STYLES.sub("", text)
    text = "".join(" " if unicodedata.category(letter) in _SILENT else letter for letter in text)
    text = _REPEATED.sub(r"\1\1", text)
    return " ".join(text.split())


def said(text: str) -> tuple[str, ...]:
    """
    Return what a post may be about: the whole, and each sentence that is long enough to say something.

    :param text: As `plain_post` writes it.
    """
    sentences = (text[start:end] for start, end in sentence_spans(text))
    parts = [one for one in sentences if len(one.split()) >= _MIN_WORDS]
    return tuple(dict.fromkeys([text, *parts[:_MAX_SENTENCES]])) if text else ()
