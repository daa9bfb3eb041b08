"""
Brier score.

Source: Brier, Monthly Weather Review 78(1), 1950: the sum over labels of (probability - truth)^2, mean over items; 0 is
best, 2 worst. `brier_right` is the form for one event: (probability that the label given is right - whether it is)^2.
"""

import numpy as np
from numpy.typing import NDArray


def brier(probabilities: NDArray[np.float64], gold: NDArray[np.int64]) -> NDArray[np.float64]:
    """
    Score each item.

    :param probabilities: Shape (items, labels); rows sum to 1.
    :param gold: True label numbers, shape (items,).
    :returns: Shape (items,).
    """
    truth = np.eye(probabilities.shape[1])[gold]
    return np.asarray(((probabilities - truth) ** 2).sum(axis=1))


def brier_right(confidence: NDArray[np.float64], right: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Score each item by the probability of the label given; 0 is best, 1 worst."""
    return np.asarray((confidence - right.astype(np.float64)) ** 2)
