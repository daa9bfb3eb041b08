"""Shares with intervals by resampling clusters: statements on one passage stand or fall together."""

from collections import defaultdict
from collections.abc import Hashable, Sequence

import numpy as np

from evaluation.stats.bootstrap import statistic_with_interval
from evaluation.values import MeasureValue


def clustered_mean(values: Sequence[float], clusters: Sequence[Hashable]) -> MeasureValue:
    """
    Average values; the 95 % interval resamples whole clusters.

    :param values: One an item.
    :param clusters: One an item; items of the same one are drawn together.
    :returns: `n` counts items.
    """
    members: dict[Hashable, list[float]] = defaultdict(list)
    for value, cluster in zip(values, clusters, strict=True):
        members[cluster].append(value)
    sums = np.array([sum(group) for group in members.values()])
    counts = np.array([len(group) for group in members.values()])
    found = statistic_with_interval(
        len(sums), lambda picks: float(sums[picks].sum() / counts[picks].sum()), resamples=2000
    )
    return found.model_copy(update={"n": len(values)})
