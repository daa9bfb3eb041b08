"""How figures are written."""

from evaluation.reports.models import Cell
from evaluation.values import MeasureValue

_MANY = 10.0
DASH = "\N{EN DASH}"
"""Stands for no value."""


def number(value: float | None) -> str:
    """Write a figure: three decimals below 10, one above; a dash for none."""
    if value is None:
        return DASH
    return f"{value:.3f}" if abs(value) < _MANY else f"{value:,.1f}"


def interval(measure: MeasureValue) -> str:
    """Write an interval; a dash for none."""
    if measure.low is None or measure.high is None:
        return DASH
    return f"{number(measure.low)} to {number(measure.high)}"


def cell(value: Cell) -> str:
    """Write a table cell."""
    if value is None:
        return DASH
    if isinstance(value, bool) or not isinstance(value, float):
        return str(value)
    return number(value)
