"""Text as a reader sees it."""

import unicodedata

_BLANK_CONTROLS = frozenset("\t\n\r")
_WITHOUT_BREAKS = dict.fromkeys(map(ord, _BLANK_CONTROLS))
_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})


def visible(text: str) -> str:
    """
    Drop what has no shape of its own: controls, zero-width and direction marks, tag characters.

    Tab and line breaks stay. Joiners inside emoji and Indic words go too: their look changes, not their words.
    """
    if text.translate(_WITHOUT_BREAKS).isprintable():  # str knows the same categories, and is quick
        return text
    return "".join(
        character
        for character in text
        if character in _BLANK_CONTROLS or unicodedata.category(character) not in _INVISIBLE
    )
