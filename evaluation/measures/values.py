"""What a measure gives: a value with its interval, and the value of each item."""

from core.types import Model


class MeasureValue(Model):
    """One figure of a report."""

    value: float | None
    """None: not defined for these items (no item of the kind that it counts)."""
    low: float | None = None
    """Lower end of the 95 % interval; None: no interval can be given."""
    high: float | None = None
    n: int
    """Items that it is computed over."""


ItemValues = dict[str, dict[str, float]]
"""Item id to measure name to value."""
