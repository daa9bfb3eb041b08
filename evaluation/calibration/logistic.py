"""Logistic regression on candidate answers, scaled so that the best candidate's probability is what it says."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from evaluation.calibration.examples import Example, Floats, Truths
from evaluation.optional_import import require

RIDGE = 0.01
"""Inverse strength of the penalty on weights of standardised features: few questions, several features."""
SHARES = {"answered": 0.45, "free": 0.15, "near": 0.2, "absent": 0.2}
"""How much the kinds of question count in all, whatever their numbers: more than half have an answer."""


class LogitWeights:
    """
    An intercept and a weight a feature.

    :param weights: Shape (features,).
    """

    def __init__(self, intercept: float, weights: Floats) -> None:
        self.intercept = intercept
        self.weights = weights

    def best(self, example: Example) -> tuple[float, bool]:
        """Return the best candidate's logit, and whether it is right."""
        logits = example.features @ self.weights + self.intercept  # (candidates,)
        at = int(np.argmax(logits))
        return float(logits[at]), bool(example.right[at])


def fit_weights(examples: Sequence[Example]) -> LogitWeights:
    """
    Weigh the features over all candidates, then scale the logits on the best ones (Platt).

    The best of twenty is more often right than one of twenty with the same features; only the best is ever shown.

    :raises ConfigError: Without the extra [evaluation].
    """
    counts = question_weights([example.kind for example in examples])
    rows = np.concatenate([example.features for example in examples])  # (all candidates, features)
    right = np.concatenate([example.right for example in examples])
    weights = np.concatenate([np.full(len(one.right), count) for one, count in zip(examples, counts, strict=True)])
    first = LogitWeights(*regress(rows, right, weights, ridge=RIDGE))
    best = [first.best(example) for example in examples]
    logits, hits = np.array([[logit] for logit, _ in best]), np.array([hit for _, hit in best])
    shift, scale = regress(logits, hits, np.array(counts))
    factor = max(float(scale[0]), 0.0)
    return LogitWeights(first.intercept * factor + shift, first.weights * factor)


def question_weights(kinds: Sequence[str]) -> list[float]:
    """Return how much each question counts: by `SHARES` of its kind, one on average."""
    counts = Counter(kinds)
    total = sum(SHARES[kind] for kind in counts)
    return [len(kinds) * SHARES[kind] / total / counts[kind] for kind in kinds]


def regress(rows: Floats, right: Truths, weights: Floats, *, ridge: float = 1e6) -> tuple[float, Floats]:
    """
    Fit a logistic regression on standardised features.

    :param rows: Shape (examples, features).
    :param weights: Shape (examples,): how much each counts.
    :param ridge: Inverse strength of the penalty on the weights.
    :returns: Intercept, and a weight for each feature as it was given.
    :raises ConfigError: Without the extra [evaluation].
    """
    linear: Any = require("sklearn.linear_model", extra="evaluation", need="fitting a calibration")
    mean, spread = rows.mean(axis=0), rows.std(axis=0)
    spread[spread == 0] = 1.0
    model = linear.LogisticRegression(C=ridge, max_iter=5000).fit((rows - mean) / spread, right, sample_weight=weights)
    found = np.asarray(model.coef_[0]) / spread
    return float(model.intercept_[0]) - float(found @ mean), found
