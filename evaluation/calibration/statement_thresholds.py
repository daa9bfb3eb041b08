"""From which probabilities on a statement is verified or refuted."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from evaluation.data.formats.labels import Label

MAX_FALSE_VERIFIED = 0.15
"""Share of the statements of each kind that are refuted by an article, or not in any, that may come out verified."""
MAX_SURE = 0.02
"""Share of the true statements of each kind that may come out refuted for a number or date."""
MAX_TRUE_REFUTED = 0.02
"""The same for another conflict that can be pointed to."""
MAX_BARE = 0.01
"""The same where none can."""
MAX_OPEN = 0.02
"""Share of the statements of each kind that no article settles that may come out refuted, for each of these reasons."""
STEPS = 100


@dataclass(frozen=True)
class Stand:
    """The highest probabilities that any article gave a statement: to support it, and to refute it."""

    label: Label
    kind: str
    """How it was written; statements of no kind may come out wrong too often."""
    supports: float
    sure_refutes: float
    """Of articles with a conflict that plain code is sure of."""
    refutes: float
    """Of articles with another conflict that it can point to."""
    bare_refutes: float
    """Of the others."""


@dataclass(frozen=True)
class Bars:
    """Thresholds; see `models.calibration.VerdictThresholds`."""

    verified_from: float
    refuted_from: float
    sure_refuted_from: float
    bare_refuted_from: float | None

    def verdict(self, stand: Stand) -> Label:
        """Return what comes out: the product's rule, short of corrections."""
        supported = stand.supports >= self.verified_from
        bare = self.bare_refuted_from is not None and stand.bare_refutes >= self.bare_refuted_from
        pointed = stand.refutes >= self.refuted_from or stand.sure_refutes >= self.sure_refuted_from
        if supported and (pointed or bare):
            return Label.CONFLICTING
        return Label.SUPPORTS if supported else Label.REFUTES if pointed or bare else Label.NEITHER


def choose(stands: Sequence[Stand]) -> Bars:
    """
    Choose the lowest thresholds, from one half on, that keep what the constants of this module promise.

    :param stands: Of statements that the verifier was not trained on.
    """
    grid = [step / STEPS for step in range(STEPS // 2, STEPS)]
    kinds = sorted({stand.kind for stand in stands})
    false = [[one.supports for one in stands if one.kind == kind and one.label is not Label.SUPPORTS] for kind in kinds]
    true, opened = (
        [[one for one in stands if one.kind == kind and one.label is label] for kind in kinds]
        for label in (Label.SUPPORTS, Label.NEITHER)
    )

    def refuted_from(probability: Callable[[Stand], float], share: float) -> float | None:
        wrong = [(some, share) for some in true] + [(some, MAX_OPEN) for some in opened]
        return _lowest(grid, [([probability(one) for one in some], most) for some, most in wrong])

    verified = _lowest(grid, [(some, MAX_FALSE_VERIFIED) for some in false])
    refuted = refuted_from(lambda one: one.refutes, MAX_TRUE_REFUTED)
    sure = refuted_from(lambda one: one.sure_refutes, MAX_SURE)
    bare = refuted_from(lambda one: one.bare_refutes, MAX_BARE)
    return Bars(
        verified_from=1.0 if verified is None else verified,
        refuted_from=1.0 if refuted is None else refuted,
        sure_refuted_from=1.0 if sure is None else sure,
        bare_refuted_from=bare,
    )


def _lowest(grid: Sequence[float], wrong: Sequence[tuple[Sequence[float], float]]) -> float | None:
    """Return the lowest threshold that at most so large a share of each list of wrong ones reaches; None: none does."""
    return next(
        (at for at in grid if all(sum(one >= at for one in some) <= share * len(some) for some, share in wrong)), None
    )


def scores(stands: Sequence[Stand], verdicts: Sequence[Label]) -> dict[str, float]:
    """
    Summarise, rounded.

    :returns: For each kind `statements`, `accuracy`, and for each label the share with each verdict.
    """
    found: dict[str, float] = {}
    for kind in sorted({stand.kind for stand in stands}):
        pairs = [(stand.label, verdict) for stand, verdict in zip(stands, verdicts, strict=True) if stand.kind == kind]
        found |= {f"{kind}_{name}": round(value, 3) for name, value in _scores(pairs).items()}
    return found


def _scores(pairs: Sequence[tuple[Label, Label]]) -> dict[str, float]:
    counts, gold = Counter(pairs), Counter(label for label, _ in pairs)
    found = {"statements": float(len(pairs)), "accuracy": sum(counts[label, label] for label in gold) / len(pairs)}
    for label in gold:
        for verdict in (Label.SUPPORTS, Label.REFUTES):
            found[f"{label.value}_called_{verdict.value}"] = counts[label, verdict] / gold[label]
    return found
