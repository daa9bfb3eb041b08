"""
Risk over coverage: the error among the most confident items, for every share of items answered.

Source: El-Yaniv and Wiener, JMLR 11, 2010; area under the curve (AURC): Geifman, Uziel and El-Yaniv,
ICLR 2019, the mean risk over all coverages. Items of equal confidence enter together: their order cannot matter.
"""

import numpy as np
from numpy.typing import NDArray


def risk_coverage(confidence: NDArray[np.float64], right: NDArray[np.bool_]) -> list[tuple[float, float]]:
    """
    Return (coverage, risk) after each distinct confidence, from the highest.

    :param confidence: Shape (items,).
    :param right: Shape (items,).
    """
    order = np.argsort(-confidence, kind="stable")
    wrong = np.cumsum(~right[order])
    last = np.append(np.diff(confidence[order]) != 0, True)
    taken = np.flatnonzero(last) + 1
    return [(float(n / len(order)), float(wrong[n - 1] / n)) for n in taken]


def area_under_risk_coverage(confidence: NDArray[np.float64], right: NDArray[np.bool_]) -> float:
    """Average the risk over the items' coverages; an item's is that of the whole group of its confidence."""
    points = risk_coverage(confidence, right)
    before, total = 0.0, 0.0
    for coverage, risk in points:
        total += (coverage - before) * risk
        before = coverage
    return total
