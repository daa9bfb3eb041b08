"""The figure that every report begins with: the headline measures as bars."""

from collections.abc import Iterable, Mapping

from evaluation.measures.values import MeasureValue
from evaluation.reports.models import Bar, BarFigure

TITLE = "Measures with 95 % intervals"


def measure_bars(measures: Mapping[str, MeasureValue], names: Iterable[str]) -> tuple[BarFigure, ...]:
    """
    Draw measures that lie between 0 and 1.

    :param names: Measures to draw, in this order; those that are missing or not defined are left out.
    :returns: One figure; none if nothing is left.
    """
    bars = tuple(
        Bar(label=name.replace("_", " "), value=one.value, low=one.low, high=one.high)
        for name in names
        if (one := measures.get(name)) is not None and one.value is not None
    )
    return (BarFigure(title=TITLE, bars=bars, maximum=1.0),) if bars else ()
