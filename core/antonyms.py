"""Pairs of words of opposite meaning, in every form: WordNet 3.1, (c) Princeton University; see LICENSE-WORDNET."""

from collections.abc import Iterable
from functools import cache
from pathlib import Path

TABLE = Path(__file__).with_name("antonyms.txt")
"""A pair a line, between tabs; made by `training.data.lexicon`."""


@cache
def antonyms() -> dict[str, frozenset[str]]:
    """Return each word with its opposites, both ways; in lower case."""
    return both_ways(line.split("\t") for line in TABLE.read_text(encoding="utf-8").splitlines())


def both_ways(pairs: Iterable[Iterable[str]]) -> dict[str, frozenset[str]]:
    """Return each word of the pairs with all that it is paired with."""
    opposites: dict[str, set[str]] = {}
    for one, other in pairs:
        opposites.setdefault(one, set()).add(other)
        opposites.setdefault(other, set()).add(one)
    return {word: frozenset(others) for word, others in opposites.items()}
