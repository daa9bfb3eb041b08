"""Time by stage, as a figure."""

from collections.abc import Sequence

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
