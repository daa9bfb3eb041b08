"""Noun phrases: their head, and whether they are plural. English."""

import re

from core.words import fold_word
from pipelines.conflicts.names.names import names

_PREPOSITION = re.compile(r"\s(?:of|in|at|on|for|from|with)\s")
_PLURALS = frozenset(("police", "people", "children", "men", "women"))
_SEVERAL = frozenset("two three four five six seven eight nine ten several many some these those both".split())
_SINGLE = frozenset(("a", "an", "this", "that", "another", "each", "every"))


def head(phrase: str) -> str:
    """Return the head of a phrase, folded: "council" of "the new council of Kalvik"; empty: it has no word."""
    words = _PREPOSITION.split(phrase)[0].split()
    return fold_word(words[-1]) if words else ""


def is_plural(phrase: str) -> bool:
    """Say whether a phrase names several: "the ferries", "two crew members", "police"."""
    noun, first = head(phrase), fold_word(phrase.split(maxsplit=1)[0])
    if noun in _PLURALS or first in _SEVERAL:
        return True
    ends = noun.endswith("s") and not noun.endswith(("ss", "us", "is"))
    before, *behind = _PREPOSITION.split(phrase)
    begins = bool(behind) and " " not in before  # "Homes in Rome": a capital for it begins the sentence
    is_name = bool(names(before.rsplit(maxsplit=1)[-1])) and not begins
    return ends and first not in _SINGLE and not is_name
