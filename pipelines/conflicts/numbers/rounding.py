"""Rounded numbers: 34 percent for 33.7, 1.2 billion for 1.23 billion."""

import re

from pipelines.conflicts.numbers.number_patterns import PERCENT, SCALE, scale_factor

_END = re.compile(rf"(?:\.(?P<decimals>\d+))?(?P<scale>{SCALE}){PERCENT}$", re.IGNORECASE)
_LEAST_SCALE = 1e3
"""A dozen and a hundred are counted to the last one."""
_MOST = 0.1
"""Share of a value by which rounding is less off: 2 percent is not 1.6."""
_FLOATS = 1e-9


def rounds_to(found: float, stated: float, *, written: str) -> bool:
    """
    Say whether a value, rounded half up at the last digit that is written, gives the stated one.

    A bare whole number is written to the last one, so that it stands for a value with decimals alone: 26 is not 25.

    :param written: The stated number as it stands.
    """
    match = _END.search(written)
    if match is None or abs(found - stated) >= _MOST * max(abs(stated), abs(found)):
        return False
    scale = scale_factor(match.group("scale"))
    scale = scale if scale >= _LEAST_SCALE else 1.0
    decimals = len(match.group("decimals") or "") or int(stated / scale % 1 != 0)  # two and a half million: one
    step = scale / 10.0**decimals
    return -0.5 - _FLOATS <= (abs(found) - abs(stated)) / step < 0.5 - _FLOATS
