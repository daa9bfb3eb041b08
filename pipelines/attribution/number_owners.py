"""Numbers that a sentence gives to somebody else than its source: "Jones got 40" of "Smith got 40 and Jones 35"."""

import itertools
import re

from pipelines.conflicts.analysis import analyse
from pipelines.conflicts.names.names import Name, mentions
from pipelines.conflicts.numbers.quantities import comparable
from pipelines.conflicts.numbers.quantity import Quantity

_LINK = re.compile(r"(?:,|;|\b(?:and|but|while|whereas))\s+(?:the\s+)?$", re.IGNORECASE)
Owned = tuple[Name, Quantity]


def of_somebody_else(sentence: str, source: str) -> bool:
    """
    Say whether a sentence gives a name a number that its source gives to another, and the name another number.

    Only lists are compared: a name and its number, then another name and its own.
    """
    theirs = _owned(source)
    for name, number in _owned(sentence):
        own = {item.value for one, item in theirs if mentions(name.keys, one.text) and comparable(number, item)}
        others = {item.value for one, item in theirs if not mentions(name.keys, one.text)}
        if own and number.value in others - own:
            return True
    return False


def _owned(text: str) -> list[Owned]:
    """Return the names and numbers of a text that has nothing but such pairs, years and a last name aside."""
    told: list[Name | Quantity] = [*analyse(text).names, *(item for item in analyse(text).numbers if not item.is_year)]
    told.sort(key=lambda item: item.start)
    if told and isinstance(told[-1], Name):
        told.pop()
    pairs = [
        (name, number)
        for name, number in zip(told[::2], told[1::2], strict=False)
        if isinstance(name, Name) and isinstance(number, Quantity)
    ]
    is_list = all(_LINK.search(text[before.end : after.start]) for (_, before), (after, _) in itertools.pairwise(pairs))
    return pairs if is_list and 2 * len(pairs) == len(told) else []
