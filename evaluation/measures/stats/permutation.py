"""
Paired permutation test of two runs over the same items.

Source: Fisher, The Design of Experiments, 1935; for retrieval Smucker, Allan and Carterette, CIKM 2007. Under the null
hypothesis the two values of an item could as well be exchanged, so the sign of each difference is flipped at random.
Few items: every assignment of signs is counted. Many: 10,000 random ones, and the observed one counts as one of them.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.types import Model
from evaluation.measures.stats.bootstrap import SEED, mean_with_interval
from evaluation.measures.values import MeasureValue

PERMUTATIONS = 10_000
EXACT_ITEMS = 13
"""Up to this many non-zero differences all 2^n sign assignments are enumerated."""
_TOLERANCE = 1e-12
_CHUNK_CELLS = 4_000_000


class PairedDifference(Model):
    """Second run minus first, over the items that both have."""

    difference: MeasureValue
    p_value: float
    """Two-sided."""
    better: int
    """Items on which the second run has the higher value."""
    worse: int
    equal: int


def paired_permutation(first: Sequence[float], second: Sequence[float]) -> PairedDifference:
    """
    Test whether the mean difference of two paired samples is zero.

    :param first: Values of the first run, one an item.
    :param second: Values of the second run in the same order.
    :raises ValueError: If the lengths differ.
    """
    if len(first) != len(second):
        raise ValueError(f"the samples have {len(first)} and {len(second)} values; they must be paired")
    differences = np.asarray(second, dtype=np.float64) - np.asarray(first, dtype=np.float64)
    return PairedDifference(
        difference=mean_with_interval(differences),
        p_value=_p_value(differences[np.abs(differences) > _TOLERANCE]),
        better=int((differences > _TOLERANCE).sum()),
        worse=int((differences < -_TOLERANCE).sum()),
        equal=int((np.abs(differences) <= _TOLERANCE).sum()),
    )


def _p_value(changed: NDArray[np.float64]) -> float:
    count = len(changed)
    if count == 0:
        return 1.0
    observed = abs(changed.sum()) - _TOLERANCE * max(1.0, np.abs(changed).sum())
    if count <= EXACT_ITEMS:
        bits = (np.arange(2**count)[:, None] >> np.arange(count)) & 1  # (assignments, items)
        return float((np.abs((1 - 2 * bits) @ changed) >= observed).mean())
    generator = np.random.default_rng(SEED)
    rows = max(1, _CHUNK_CELLS // count)
    extreme = 0
    for start in range(0, PERMUTATIONS, rows):
        signs = generator.choice((-1.0, 1.0), (min(rows, PERMUTATIONS - start), count))  # (permutations, items)
        extreme += int((np.abs(signs @ changed) >= observed).sum())
    return (extreme + 1) / (PERMUTATIONS + 1)
