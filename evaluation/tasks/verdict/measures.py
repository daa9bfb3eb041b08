"""All measures of a verdict run, with intervals and per-item values."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from evaluation.data.formats.labels import Label
from evaluation.measures.stats.bootstrap import mean_with_interval, statistic_with_interval
from evaluation.measures.values import ItemValues, MeasureValue
from evaluation.measures.verdict import confusion
from evaluation.measures.verdict.brier import brier, brier_right
from evaluation.measures.verdict.calibration import expected_calibration_error
from evaluation.measures.verdict.pairs import PairRow, both_right, in_order
from evaluation.measures.verdict.risk_coverage import area_under_risk_coverage

_SIDES = {Label.SUPPORTS: 1, Label.REFUTES: -1}
Picks = NDArray[np.int64]


@dataclass(frozen=True)
class Judged:
    """Claims that were judged; all arrays have one entry a claim."""

    ids: list[str]
    labels: list[Label]
    """Those that occur, in gold or predicted; label numbers point into it."""
    gold: NDArray[np.int64]
    predicted: NDArray[np.int64]
    confidence: NDArray[np.float64]
    score: NDArray[np.float64]
    probabilities: NDArray[np.float64] | None
    """Shape (claims, labels of `Label`); None where only a confidence is known."""
    pairs: list[str | None]

    @property
    def right(self) -> NDArray[np.bool_]:
        """Whether each label is right."""
        return np.asarray(self.gold == self.predicted)


def verdict_measures(judged: Judged) -> tuple[dict[str, MeasureValue], ItemValues]:
    """Compute every measure."""
    right = judged.right
    measures = {"accuracy": mean_with_interval(right.astype(float))}
    measures["macro_f1"] = _of_matrix(judged, confusion.macro_f1)
    for at, label in enumerate(judged.labels):
        if (judged.gold == at).any():
            measures[f"f1_{label.value}"] = _of_matrix(judged, partial(_f1_of, at))
    measures |= _calibration(judged)
    measures |= _two_way(judged)
    measures |= _called_the_opposite(judged, "true_refuted", Label.SUPPORTS, Label.REFUTES)
    measures |= _called_the_opposite(judged, "false_verified", Label.REFUTES, Label.SUPPORTS)
    measures |= _pairs(judged)
    squares = brier_right(judged.confidence, right)
    per_item = {
        name: {"accuracy": float(right[at]), "brier_right": float(squares[at])} for at, name in enumerate(judged.ids)
    }
    return measures, per_item


def _f1_of(label: int, matrix: confusion.Counts) -> float | None:
    """Return the F1 of a label; None where the gold lacks it, as a draw may lack a rare one."""
    return float(confusion.f1_scores(matrix)[label]) if matrix[label].any() else None


def _of_matrix(judged: Judged, figure: Callable[[confusion.Counts], float | None]) -> MeasureValue:
    def statistic(picks: Picks) -> float | None:
        return figure(confusion.count(judged.gold[picks], judged.predicted[picks], labels=len(judged.labels)))

    return statistic_with_interval(len(judged.ids), statistic)


def _calibration(judged: Judged) -> dict[str, MeasureValue]:
    right, confidence, count = judged.right, judged.confidence, len(judged.ids)
    measures = {
        "ece": statistic_with_interval(
            count, lambda picks: expected_calibration_error(confidence[picks], right[picks]), resamples=300, basic=True
        ),
        "brier_right": mean_with_interval(brier_right(confidence, right)),
        "aurc": statistic_with_interval(
            count, lambda picks: area_under_risk_coverage(confidence[picks], right[picks]), resamples=300
        ),
    }
    if judged.probabilities is not None:
        order = list(Label)
        gold = np.array([order.index(judged.labels[number]) for number in judged.gold], dtype=np.int64)
        measures["brier"] = mean_with_interval(brier(judged.probabilities, gold))
    return measures


def _two_way(judged: Judged) -> dict[str, MeasureValue]:
    """
    Supports against refutes by the higher score, over the claims that are truly one of the two.

    A tie, as where a system is silent, is half right.
    """
    sides = np.array([_SIDES.get(judged.labels[number], 0) for number in judged.gold], dtype=np.int64)
    decided = sides != 0
    if not decided.any():
        return {}
    given = np.sign(judged.score[decided])
    right = np.where(given == 0, 0.5, given == sides[decided])
    return {
        "accuracy_two_way": mean_with_interval(right),
        "two_way_ties": mean_with_interval((given == 0).astype(float)),
    }


def _called_the_opposite(judged: Judged, name: str, gold: Label, called: Label) -> dict[str, MeasureValue]:
    """Share of the claims of one label that were called the other, the worst errors there are."""
    if gold not in judged.labels or not (these := judged.gold == judged.labels.index(gold)).any():
        return {}
    opposite = judged.labels.index(called) if called in judged.labels else -1
    return {name: mean_with_interval((judged.predicted[these] == opposite).astype(float))}


def _pairs(judged: Judged) -> dict[str, MeasureValue]:
    right = judged.right
    rows = [
        PairRow(
            pair=pair,
            right=bool(right[at]),
            side=_SIDES.get(judged.labels[judged.gold[at]], 0),
            score=float(judged.score[at]),
        )
        for at, pair in enumerate(judged.pairs)
        if pair is not None
    ]
    if not rows:
        return {}
    found = {"pair_both_right": both_right(rows), "pair_order": in_order(rows)}
    return {name: mean_with_interval(list(values.values())) for name, values in found.items() if values}
