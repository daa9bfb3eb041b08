"""Runs of words, by which texts are compared."""

import re

from core.words import TERM

WORDS = 3
"""With one word in ten changed, seven runs of three in ten are left, but only six of five."""
CHARS = 6
"""In Chinese and Japanese: about three words."""
_UNSPACED = re.compile("[\u2e80-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
"""Chinese and Japanese characters: what stands between two points is a clause, and no word."""


def shingles(text: str) -> set[str]:
    """Return the different runs of words of a text; punctuation, capitals and line breaks do not count."""
    words = TERM.findall(text.lower())
    joined = "".join(words)
    if 2 * len(_UNSPACED.findall(joined)) > len(joined):
        return {joined[at : at + CHARS] for at in range(max(1, len(joined) - CHARS + 1))}
    return {" ".join(words[at : at + WORDS]) for at in range(max(1, len(words) - WORDS + 1))}
