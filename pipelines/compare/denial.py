"""Which words of a text are denied, and what stands near them. English."""

import re
from dataclasses import dataclass
from functools import lru_cache

from pipelines.compare.names import is_negation
from pipelines.compare.words import NOT_NAMES, words

_REACH = 4
"""A negation reaches this many words forward."""
_NEAR = 5
"""What a word is said of is looked for this many words to each side."""
_STEM = 5
_SHORTEST = 3
_CLAUSE_END = re.compile(
    r"[,;:.!?()]|\b(?=(?:but|because|although|though|while|whereas|which|who|since|after|before|when|if)\b)",
    re.IGNORECASE,
)
_NOT_ONLY = re.compile(r"\bnot (?:only|just|least)\b", re.IGNORECASE)


@dataclass(frozen=True)
class SaidWord:
    """A word in its clause."""

    word: str
    """Folded."""
    denied: bool
    near: frozenset[str]
    """Beginnings of the words around it in its clause, short and common ones left out."""


@lru_cache(maxsize=4096)
def said_words(text: str) -> tuple[SaidWord, ...]:
    """
    Return the words of a text in order.

    A negation reaches to the end of its clause, and `_REACH` words at most; "not only" denies nothing.
    """
    found = []
    for clause in _CLAUSE_END.split(_NOT_ONLY.sub(" ", text)):
        said = words(clause)
        for index, word in enumerate(said):
            denied = any(is_negation(before) for before in said[max(0, index - _REACH) : index])
            around = (*said[max(0, index - _NEAR) : index], *said[index + 1 : index + 1 + _NEAR])
            found.append(SaidWord(word, denied, frozenset(stem(other) for other in around if _tells(other))))
    return tuple(found)


def stem(word: str) -> str:
    """Return a word's beginning, by which its forms are one."""
    return word[:_STEM]


def _tells(word: str) -> bool:
    return len(word) >= _SHORTEST and word not in NOT_NAMES and not is_negation(word)
