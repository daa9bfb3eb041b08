"""Intervals by resampling clusters: statements on one passage, or questions about one text, stand or fall together."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence

import numpy as np
from numpy.typing import NDArray

from evaluation.measures.stats.bootstrap import statistic_with_interval
from evaluation.measures.values import MeasureValue


def clustered_statistic(
    clusters: Sequence[Hashable],
    statistic: Callable[[NDArray[np.int64]], float | None],
    *,
    resamples: int = 1000,
    basic: bool = False,
) -> MeasureValue:
    """
    Compute a figure that is not a mean; the 95 % interval resamples whole clusters.

    :param clusters: One an item; items of the same one are drawn together.
    :param statistic: From item numbers, some repeated, to the figure; None where it is not defined.
    :param basic: As for `evaluation.measures.stats.bootstrap.statistic_with_interval`.
    :returns: `n` counts items.
    """
    members: dict[Hashable, list[int]] = defaultdict(list)
    for number, cluster in enumerate(clusters):
        members[cluster].append(number)
    groups = [np.array(numbers) for numbers in members.values()]
    found = statistic_with_interval(
        len(groups),
        lambda picks: statistic(np.concatenate([groups[pick] for pick in picks])),
        resamples=resamples,
        basic=basic,
    )
    return found.model_copy(update={"n": len(clusters)})


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
