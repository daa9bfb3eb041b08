"""
The no-answer threshold that gives the best score, as the official SQuAD 2.0 script finds it.

Source: Rajpurkar, Jia and Liang, ACL 2018, `find_best_thresh`: questions are taken by rising no-answer score; each one
taken is answered, the others are declined. The script's scores are probabilities, of which 0 declines all; of scores
below 0, one below them all does. Fitted on the data it is reported on: an upper bound, not a result.
"""

import math
from collections.abc import Sequence

from core.types import Model


class BestThreshold(Model):
    """A threshold and what it gives."""

    score: float
    """Mean over all questions."""
    threshold: float
    """Questions with a no-answer score up to this are answered."""


def best_threshold(
    no_answer: Sequence[float], scores: Sequence[float], *, has_answer: Sequence[bool], answered: Sequence[bool]
) -> BestThreshold:
    """
    Find the threshold.

    :param no_answer: No-answer score of each question; higher: less likely to have an answer.
    :param scores: Exact match or F1 of the answer given, were it given.
    :param has_answer: Whether there is an answer.
    :param answered: Whether any text was given.
    """
    current = best = float(sum(not has for has in has_answer))
    lowest = min(no_answer, default=0.0)
    threshold = math.nextafter(lowest, -math.inf) if lowest < 0 else 0.0  # where declining all is best
    for at in sorted(range(len(scores)), key=lambda number: no_answer[number]):
        current += scores[at] if has_answer[at] else -float(answered[at])
        if current > best:
            best, threshold = current, no_answer[at]
    return BestThreshold(score=best / len(scores) if scores else 0.0, threshold=threshold)
