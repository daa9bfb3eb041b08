"""
95 % intervals by the percentile bootstrap over items, or by the basic one.

Sources: Efron and Tibshirani, An Introduction to the Bootstrap, 1993, chapter 13; Davison and Hinkley, Bootstrap
Methods and their Application, 1997, section 5.2 (basic). The random numbers are seeded: the same values give the same
interval.
"""

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from evaluation.measures.values import MeasureValue

RESAMPLES = 2000
SEED = 20_190_601
LEVEL = 0.95
_Z = 1.959_963_985
MANY = 5000
"""From this many items on, the interval of a mean is the normal one: the bootstrap differs by less than it varies."""
_CHUNK_CELLS = 4_000_000


def mean_with_interval(values: Sequence[float] | NDArray[np.float64]) -> MeasureValue:
    """
    Average per-item values. Their order does not matter, to the last digit.

    :param values: One value an item; empty gives the value None.
    """
    array = np.sort(np.asarray(values, dtype=np.float64))
    count = len(array)
    if count == 0:
        return MeasureValue(value=None, n=0)
    mean = float(array.mean())
    if count == 1:
        return MeasureValue(value=mean, n=1)
    if count >= MANY:
        half = _Z * float(array.std(ddof=1)) / math.sqrt(count)
        return MeasureValue(value=mean, low=mean - half, high=mean + half, n=count)
    low, high = np.quantile(_resampled_means(array), [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return MeasureValue(value=mean, low=float(low), high=float(high), n=count)


def statistic_with_interval(
    count: int,
    statistic: Callable[[NDArray[np.int64]], float | None],
    *,
    resamples: int = 1000,
    basic: bool = False,
) -> MeasureValue:
    """
    Compute a figure that is not a mean (F1, calibration error, ...) with its interval.

    :param count: Number of items.
    :param statistic: From item numbers, some repeated, to the figure; None where it is not defined.
    :param basic: Mirror the resampled figures at the figure itself, and cut at 0 and 1: for a share that resampling
        makes larger, as it does a calibration error.
    """
    value = statistic(np.arange(count)) if count else None
    if value is None or count == 1:
        return MeasureValue(value=value, n=count)
    generator = np.random.default_rng(SEED)
    drawn = [statistic(generator.integers(0, count, count)) for _ in range(resamples)]
    defined = [figure for figure in drawn if figure is not None]
    if not defined:
        return MeasureValue(value=value, n=count)
    low, high = np.quantile(defined, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    if basic:
        low, high = max(0.0, 2 * value - high), min(1.0, 2 * value - low)
    return MeasureValue(value=float(value), low=float(low), high=float(high), n=count)


def _resampled_means(array: NDArray[np.float64]) -> NDArray[np.float64]:
    generator = np.random.default_rng(SEED)
    rows = max(1, _CHUNK_CELLS // len(array))
    parts = []
    for start in range(0, RESAMPLES, rows):
        picks = generator.integers(0, len(array), (min(rows, RESAMPLES - start), len(array)))  # (resamples, items)
        parts.append(array[picks].mean(axis=1))
    return np.concatenate(parts)
