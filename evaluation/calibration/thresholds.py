"""From which probability on an answer is shown, and called verified."""

from collections.abc import Sequence
from dataclasses import dataclass

MIN_PRECISION = 0.85
"""Share of the verified answers that are right."""
MAX_FALSE = 0.05
"""Share of the questions without an answer that come out verified, of either kind."""
WITHOUT_ANSWER = ("near", "absent")
MIN_RECALL = {"answered": 0.98, "free": 0.85}
"""Share of the right answers that are shown, verified or not; of the free ones there are too few for a finer one."""
STEPS = 100


@dataclass(frozen=True)
class BestAnswer:
    """The best candidate of a question."""

    kind: str
    probability: float
    right: bool
    weight: float
    """How much the question counts."""


@dataclass(frozen=True)
class Thresholds:
    """Probabilities from which on an answer is shown, and is verified."""

    shown_from: float
    verified_from: float


def choose_thresholds(answers: Sequence[BestAnswer]) -> Thresholds:
    """
    Choose thresholds that keep what the constants of this module promise.

    `verified_from` is the lowest that keeps the promise, 1 if none does; `shown_from` the highest that shows enough of
    the right answers, and never above it.
    """
    grid = [step / STEPS for step in range(1, STEPS)]
    verified = min((at for at in grid if _keeps_promise(answers, at)), default=1.0)
    shown = max((at for at in grid if _shows_enough(answers, at)), default=grid[0])
    return Thresholds(shown_from=min(shown, verified), verified_from=verified)


def precision(answers: Sequence[BestAnswer], at: float) -> float:
    """Return the share of right ones among the answers from a probability on; 1 without any."""
    above = [one for one in answers if one.probability >= at]
    total = sum(one.weight for one in above)
    return sum(one.weight for one in above if one.right) / total if total else 1.0


def falsely_verified(answers: Sequence[BestAnswer], at: float, *, kind: str) -> float:
    """Return the share of the questions of a kind whose best answer is wrong and above; 0 without such questions."""
    asked = [one for one in answers if one.kind == kind]
    return sum(one.probability >= at and not one.right for one in asked) / max(1, len(asked))


def _keeps_promise(answers: Sequence[BestAnswer], at: float) -> bool:
    rarely = all(falsely_verified(answers, at, kind=kind) <= MAX_FALSE for kind in WITHOUT_ANSWER)
    return rarely and precision(answers, at) >= MIN_PRECISION


def _shows_enough(answers: Sequence[BestAnswer], at: float) -> bool:
    right = {kind: [one.probability for one in answers if one.kind == kind and one.right] for kind in MIN_RECALL}
    return all(sum(one >= at for one in found) >= MIN_RECALL[kind] * len(found) for kind, found in right.items())
