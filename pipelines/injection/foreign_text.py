"""
Pieces of an article in another language or script than the article's: the evidence model does not read them, a chat
model does.

Told by function words, so that a name in another language does not count. Only English articles are looked at.
"""

import re

_ENGLISH = frozenset(
    "the of and to that with was for by as it from has have were said his her they at on be not a are but an will this "
    "who which their its he she we you i or had been after than when would could".split()
)
_OTHERS = frozenset(
    "de der das und ist nicht mit ein eine einen auf dass alle sie wir ich zu von dem den wird auch "
    "le la les et est que pour dans des une un du sur ne pas vous il elle aux "
    "el los las y es en por con una del se su lo como siempre "
    "di che non per della gli nel sono "
    "het een van niet dat zijn op voor "
    "o os uma com não para ao "
    "och att som det inte yang dan ini dengan tidak bir ve bu jest nie na".split()
)
"""Words of German, French, Spanish, Italian, Dutch, Portuguese and others that English does not have."""
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_NOT_LATIN = re.compile(r"[^\W\d_\u0000-\u024f\u1e00-\u1eff]")
_CLAUSE = re.compile(r"[^:;,.!?\n\u2014\u2013]+")
MIN_WORDS = 4
MIN_FOREIGN = 2
MIN_ENGLISH_SHARE = 0.2
MIN_OTHER_LETTERS = 5


def is_english(text: str) -> bool:
    """Say whether a text is mostly English, by its function words; a short text without any is not."""
    words = [word.lower() for word in _WORD.findall(text[:4000])]
    return bool(words) and sum(word in _ENGLISH for word in words) / len(words) >= MIN_ENGLISH_SHARE


def is_foreign(sentence: str) -> bool:
    """Say whether a sentence, or a clause of it, is in another language or script than English."""
    if _other_letters(sentence) >= MIN_OTHER_LETTERS:
        return True
    return any(_is_foreign_clause(clause) for clause in _CLAUSE.findall(sentence))


def _is_foreign_clause(clause: str) -> bool:
    words = [word.lower() for word in _WORD.findall(clause)]
    if len(words) < MIN_WORDS or any(word in _ENGLISH for word in words):
        return False
    return sum(word in _OTHERS for word in words) >= MIN_FOREIGN


def _other_letters(text: str) -> int:
    """Count letters beyond Latin script and its extensions."""
    return len(_NOT_LATIN.findall(text))
