"""
Text that is written so that a person or a filter reads something else than a model does.

Nothing here knows what an order says: these are shapes that do not occur in reporting.
"""

import html
import re
import unicodedata
from functools import lru_cache
from urllib.parse import unquote

from core.text import visible

LOOKALIKES = str.maketrans("аеорсухіјѕԁԛАВЕКМНОРСТХІЈЅαοενικρτυ", "aeopcyxijsdqABEKMHOPCTXIJSaoevikptu")
"""Cyrillic and Greek letters that look like Latin ones."""
_SMALL_CAPITALS = str.maketrans("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ", "abcdefghijklmnoprstuvwyz")

_HIDDEN = re.compile("[a-zA-Z][\u200b-\u200d\u2060\ufeff][a-zA-Z]|[\u202d\u202e]|[\U000e0020-\U000e007f]")
"""Letters parted by nothing, text turned round, tag characters. Marks of right-to-left scripts are not among them."""
_BLOB = re.compile(
    r"(?<![\w/.@#-])(?=[\w+/]*\d)(?=[\w+/]*[a-z])(?=[\w+/]*[A-Z])[A-Za-z0-9+/_]{32,}={0,2}|\b[0-9a-fA-F]{40,}\b"
)
_ESCAPES = re.compile(r"(?:%[0-9A-Fa-f]{2}){3,}|(?:&#x?[0-9A-Fa-f]{2,5};){2,}|(?:\\[ux][0-9A-Fa-f]{2,4}){2,}")
_SPACED = re.compile(r"(?<![\w.'’&])(?:[A-Za-z] +){4,}[A-Za-z](?![\w.'’])")
_CODE = re.compile(r"[\"']\w+[\"']\s*:\s*[\"'{\[\d]|^\s{0,9}[{\[].{0,300}?[\"'].{0,300}[}\]]\s{0,9}$", re.MULTILINE)
_MIXED_WORD = re.compile(r"\b(?=\w*[013457])(?=\w*[a-z])[a-z0134579]{3,}\b")
_ORDINARY_MIXED = re.compile(r"^(?:\d+[a-z]{1,3}|[a-z]{1,3}\d+|[a-z]+\d{1,4}|\d+[a-z]+)$")
_BROKEN_WORD = re.compile(r"\b([A-Za-z]{2,})- ([a-z]{2,})\b")
_SHAPES = (
    (frozenset("0123456789"), _BLOB),
    (frozenset("%&\\"), _ESCAPES),
    (frozenset("\"'"), _CODE),
)
"""Each pattern needs one of these characters: most sentences have none."""
MIN_BROKEN = 2
MIN_STYLED = 3
MIN_MIXED = 2


def is_hidden(text: str) -> bool:
    """Say whether a text holds letters that are not shown, or not in this order."""
    return not text.isascii() and bool(_HIDDEN.search(text))


def is_disguised(text: str) -> bool:
    """
    Say whether a text is written so that it reads as something else.

    Hidden letters, encodings (Base64, hexadecimal, percent, entities), letters in typographic costume, digits for
    letters, letters set apart, words broken apart, and code.
    """
    return (
        is_hidden(text)
        or any(needs.intersection(text) and pattern.search(text) for needs, pattern in _SHAPES)
        or bool(_SPACED.search(text))
        or (not text.isascii() and sum(map(_styled, text)) >= MIN_STYLED)
        or len(_BROKEN_WORD.findall(text)) >= MIN_BROKEN
        or sum(not _ORDINARY_MIXED.match(word) for word in _MIXED_WORD.findall(text)) >= MIN_MIXED
    )


def undisguised(text: str) -> str:
    """Return the text as a model may read it: compatibility forms, lookalikes, entities and escapes resolved."""
    plain = html.unescape(unquote(text, errors="ignore"))
    folded = visible(plain)
    if not folded.isascii():
        folded = unicodedata.normalize("NFKC", folded).translate(LOOKALIKES).translate(_SMALL_CAPITALS)
    return _BROKEN_WORD.sub(r"\1\2", folded)


@lru_cache(maxsize=4096)
def _styled(character: str) -> bool:
    """Say whether a letter is of an alphabet that exists for its looks: mathematical, circled, small capitals."""
    if character.isascii():
        return False
    folded = unicodedata.normalize("NFKC", character)
    costume = len(folded) == 1 and folded.isascii() and folded.isalpha()
    return costume or character.translate(_SMALL_CAPITALS) != character
