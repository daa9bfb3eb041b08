"""What every verifier promises."""

from collections.abc import Sequence
from typing import Protocol

from core.types import Model, Probability
from models.calibration import VerdictThresholds

CHAT = "chat"
"""Value of the setting `judge` that asks the generator for labels."""
SHIPPED = "shipped"
"""Value of the setting `judge`: the best that ships with Looksy."""
SMALL = "small"
"""Value of the setting `judge`: the reader's own model."""
NAMED = frozenset({CHAT, SHIPPED, SMALL})
"""Values of the setting `judge` that are no folder and no name of a hub."""


def judge_without_chat(judge: str) -> str:
    """Return the setting `judge` for where no chat model is to be asked."""
    return SHIPPED if judge == CHAT else judge


class Judgement(Model):
    """What a premise does to a statement; the three sum to one."""

    supports: Probability
    refutes: Probability
    neither: Probability


class Verifier(Protocol):
    """A model of entailment. Safe to call from several threads; constructors touch neither network nor disk."""

    @property
    def identity(self) -> str:
        """Name and hash, for the run record."""
        ...

    @property
    def method(self) -> str:
        """Name and version of the calibration behind the probabilities."""
        ...

    @property
    def thresholds(self) -> VerdictThresholds:
        """From which probabilities on an article settles a statement."""
        ...

    def reads_whole(self, statement: str) -> bool:
        """Say whether a statement is judged whole; one that is too long for that is neither supported nor refuted."""
        ...

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Judgement]:
        """
        Judge (statement, premise) pairs.

        :returns: One judgement per pair, in order.
        :raises ModelError: If the model cannot be used.
        """
        ...
