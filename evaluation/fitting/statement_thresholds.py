"""From which probabilities on a statement is verified or refuted."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from evaluation.formats.labels import Label

MAX_FALSE_VERIFIED = 0.1
"""Share of the statements that are refuted by an article, or not in any, that may come out verified."""
MAX_TRUE_REFUTED = 0.02
"""Share of the true statements that may come out refuted where a conflict can be pointed to; it is the worst error."""
MAX_BARE = 0.01
"""The same where none can."""
STEPS = 100


@dataclass(frozen=True)
class Stand:
    """The highest probabilities that any article gave a statement."""

    label: Label
    supports: float
    refutes: float
    """Of articles with a conflict that plain code can point to."""
    bare_refutes: float
    """Of the others."""


@dataclass(frozen=True)
class Bars:
    """Thresholds; see `models.calibration.StatementWeights`."""

    verified_from: float
    refuted_from: float
    bare_refuted_from: float | None

    def verdict(self, stand: Stand) -> Label:
        """Return what comes out: the product's rule, short of corrections."""
        supported = stand.supports >= self.verified_from
        bare = self.bare_refuted_from is not None and stand.bare_refutes >= self.bare_refuted_from
        refuted = stand.refutes >= self.refuted_from or bare
        if supported and refuted:
            return Label.CONFLICTING
        return Label.SUPPORTS if supported else Label.REFUTES if refuted else Label.NEITHER


def choose(stands: Sequence[Stand]) -> Bars:
    """
    Choose the lowest thresholds, from one half on, that keep what the constants of this module promise.

    :param stands: Held out.
    """
    grid = [step / STEPS for step in range(STEPS // 2, STEPS)]
    false = [stand.supports for stand in stands if stand.label is not Label.SUPPORTS]
    true = [stand for stand in stands if stand.label is Label.SUPPORTS]
    verified = _lowest(grid, false, MAX_FALSE_VERIFIED)
    refuted = _lowest(grid, [stand.refutes for stand in true], MAX_TRUE_REFUTED)
    bare = _lowest(grid, [stand.bare_refutes for stand in true], MAX_BARE)
    return Bars(
        verified_from=1.0 if verified is None else verified,
        refuted_from=1.0 if refuted is None else refuted,
        bare_refuted_from=bare,
    )


def _lowest(grid: Sequence[float], wrong: Sequence[float], share: float) -> float | None:
    """Return the lowest threshold that at most a share of the wrong ones reach; None: there is none."""
    return next((at for at in grid if sum(one >= at for one in wrong) <= share * len(wrong)), None)


def held_out_scores(stands: Sequence[Stand], bars: Bars) -> dict[str, float]:
    """
    Summarise, rounded.

    :returns: `statements`, `accuracy`, and for each label the share with each verdict.
    """
    counts = Counter((stand.label, bars.verdict(stand)) for stand in stands)
    gold = Counter(stand.label for stand in stands)
    scores = {
        "statements": float(len(stands)),
        "accuracy": sum(counts[label, label] for label in gold) / max(1, len(stands)),
    }
    for label in gold:
        for verdict in (Label.SUPPORTS, Label.REFUTES):
            scores[f"{label.value}_called_{verdict.value}"] = counts[label, verdict] / gold[label]
    return {name: round(value, 3) for name, value in scores.items()}
