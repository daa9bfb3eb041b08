"""
Expected calibration error and the reliability diagram, over the probability of the label that was given.

Source: Guo, Pleiss, Sun and Weinberger, ICML 2017. Ten bins of equal width; bin m holds probabilities p with
(m-1)/10 < p <= m/10, and 0 is in the first. ECE is the mean over items of |accuracy - mean probability| of their bin.
"""

import numpy as np
from numpy.typing import NDArray

from core.types import Model

BINS = 10


class Bin(Model):
    """One bin of the reliability diagram that holds items."""

    confidence: float
    """Mean probability."""
    accuracy: float
    share: float
    """Of all items."""
    count: int


def reliability(confidence: NDArray[np.float64], right: NDArray[np.bool_]) -> list[Bin]:
    """
    Bin items by confidence.

    :param confidence: Probability of the label given, shape (items,).
    :param right: Whether that label is right, shape (items,).
    """
    numbers = np.clip(np.ceil(confidence * BINS - 1e-12).astype(int) - 1, 0, BINS - 1)
    bins = []
    for number in np.unique(numbers):
        inside = numbers == number
        bins.append(
            Bin(
                confidence=float(confidence[inside].mean()),
                accuracy=float(right[inside].mean()),
                share=float(inside.mean()),
                count=int(inside.sum()),
            )
        )
    return bins


def expected_calibration_error(confidence: NDArray[np.float64], right: NDArray[np.bool_]) -> float:
    """Average |accuracy - confidence| over the bins, weighted by their items."""
    return sum(one.share * abs(one.accuracy - one.confidence) for one in reliability(confidence, right))
