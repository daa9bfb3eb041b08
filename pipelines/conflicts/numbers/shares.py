"""Shares that two numbers give: "four in five", "eight out of 10". English."""

import math
import re
from itertools import pairwise

from pipelines.conflicts.analysis import analyse
from pipelines.conflicts.numbers.quantity import Quantity

_OUT_OF = re.compile(r"(?:\s+[^\W\d_]+)?\s+(?:out\s+of|in)\s+(?:every\s+)?", re.IGNORECASE)
_WHOLES = frozenset({3, 4, 5, 6, 8, 10, 20, 100, 1000})
"""Of what shares are given."""


def may_be_same_share(stated: Quantity, found: Quantity, *, statement: str, sentence: str) -> bool:
    """Say whether a stated number is one of two that give a share; the sentence has it, too, or found is of none."""
    share = _share_of(stated.start, statement)
    if share is None:
        return False
    told = [_share_of(item.start, sentence) for item in analyse(sentence).numbers if item.value == found.value]
    return not any(told) or any(one is not None and math.isclose(one, share, rel_tol=0.01) for one in told)


def _share_of(start: int, text: str) -> float | None:
    """Return the share that the number which begins there gives with its neighbour; None: it gives none."""
    for one, two in pairwise(analyse(text).numbers):
        is_less = one.value < two.value and two.value in _WHOLES
        if start in {one.start, two.start} and is_less and _OUT_OF.fullmatch(text[one.end : two.start]):
            return one.value / two.value
    return None
