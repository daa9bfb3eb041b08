"""Time by stage: its mean as a figure, and shares."""

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from evaluation.reports.models import Bar, BarFigure


def stage_figure(timings: Sequence[dict[str, float]]) -> tuple[BarFigure, ...]:
    """
    Draw the mean time of each stage.

    :param timings: One an item: stage to milliseconds.
    :returns: One figure; none if no item has timings.
    """
    stages = list(dict.fromkeys(stage for one in timings for stage in one if stage != "total"))
    if not stages:
        return ()
    bars = tuple(Bar(label=stage, value=float(np.mean([one.get(stage, 0.0) for one in timings]))) for stage in stages)
    return (BarFigure(title="Mean time by stage", bars=bars, unit=" ms"),)


def stage_shares(timings: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """
    Return stage to its share of the time of all stages.

    :param timings: One an item: stage to milliseconds; `total` is none.
    """
    spent: Counter[str] = Counter()
    for one in timings:
        spent.update(one)
    spent.pop("total", None)
    return {stage: value / (spent.total() or 1.0) for stage, value in spent.items()}
