"""How figures are written."""

from evaluation.measures.values import MeasureValue
from evaluation.reports.models import Cell, Timing

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


def timing_line(timing: Timing) -> str:
    """Write time and tokens as one sentence."""
    parts = [
        f"Time per item: mean {timing.mean_ms:,.0f} ms, median {timing.median_ms:,.0f} ms, 95th percentile "
        f"{timing.p95_ms:,.0f} ms (n = {timing.n})"
    ]
    if timing.tokens_in is not None and timing.tokens_out is not None:
        parts.append(
            f"tokens per item: {timing.tokens_in / timing.n:,.0f} in, {timing.tokens_out / timing.n:,.0f} out "
            f"({timing.tokens_in + timing.tokens_out:,} in all)"
        )
    return "; ".join(parts) + "."
