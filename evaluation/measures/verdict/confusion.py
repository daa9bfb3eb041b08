"""
Confusion matrix, accuracy, and precision, recall and F1 of each label.

Source: the definitions of scikit-learn's `classification_report` with `zero_division=0`. Macro-F1 is the mean F1 over
the labels that occur in the gold.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.types import Model

Counts = NDArray[np.int64]


class LabelScores(Model):
    """One label against the rest."""

    label: str
    precision: float
    recall: float
    f1: float
    support: int
    """Items whose true label it is."""


def count(gold: Sequence[int] | Counts, predicted: Sequence[int] | Counts, *, labels: int) -> Counts:
    """
    Count label pairs.

    :param gold: Label numbers from 0.
    :returns: Shape (true label, predicted label).
    """
    flat = np.asarray(gold, dtype=np.int64) * labels + np.asarray(predicted, dtype=np.int64)
    return np.bincount(flat, minlength=labels * labels).reshape(labels, labels)


def accuracy(matrix: Counts) -> float | None:
    """Return the share on the diagonal; None of nothing."""
    total = int(matrix.sum())
    return float(np.trace(matrix) / total) if total else None


def f1_scores(matrix: Counts) -> NDArray[np.float64]:
    """Return each label's F1: 2 TP / (2 TP + FP + FN), 0 where that is 0 / 0."""
    true = np.diag(matrix).astype(np.float64)
    whole = matrix.sum(axis=0) + matrix.sum(axis=1)
    return np.asarray(np.divide(2 * true, whole, out=np.zeros_like(true), where=whole > 0))


def macro_f1(matrix: Counts) -> float | None:
    """Return the mean F1 over the labels that occur in the gold; None of nothing."""
    present = matrix.sum(axis=1) > 0
    return float(f1_scores(matrix)[present].mean()) if present.any() else None


def label_scores(matrix: Counts, names: Sequence[str]) -> list[LabelScores]:
    """Return precision, recall and F1 of each label."""
    true, predicted, gold = np.diag(matrix), matrix.sum(axis=0), matrix.sum(axis=1)
    f1 = f1_scores(matrix)
    return [
        LabelScores(
            label=name,
            precision=float(true[at] / predicted[at]) if predicted[at] else 0.0,
            recall=float(true[at] / gold[at]) if gold[at] else 0.0,
            f1=float(f1[at]),
            support=int(gold[at]),
        )
        for at, name in enumerate(names)
    ]
