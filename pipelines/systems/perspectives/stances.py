"""Which side a sentence takes towards a proposition: the one seam behind which stance models stand."""

from collections.abc import Sequence
from typing import Protocol

from pipelines.systems.perspectives.types import Stance


class StanceModel(Protocol):
    """Judges the side that texts take; `models.stance.StanceHead` is one."""

    def probability_yes(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Judge (proposition, text) pairs, in order; near a half: no side."""
        ...


def mean_yes(probabilities: Sequence[float]) -> float:
    """Return the mean; of none: a half."""
    return sum(probabilities) / len(probabilities) if probabilities else 0.5


def stance_of(yes: float, *, least: float) -> Stance:
    """
    Name the side, or none.

    :param yes: Probability of yes.
    :param least: A side is taken from this probability on, > 0.5.
    """
    if max(yes, 1 - yes) < least:
        return Stance.MIXED
    return Stance.YES if yes > 1 - yes else Stance.NO
