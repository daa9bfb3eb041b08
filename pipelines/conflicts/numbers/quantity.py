"""One number in a text, and how exact the words around it say that it is meant."""

import re
from dataclasses import dataclass
from enum import StrEnum

from pipelines.conflicts.numbers.units import Unit

_UPWARDS = "(?:great|high|larg|bigg|long|old|heavi)er"
_DOWNWARDS = "(?:low|small|short|young|light)er"
_MORE = (
    f"more than|over|above|at least|(?:no|not) (?:fewer|less|{_DOWNWARDS}) than|exceed(?:s|ed|ing)?|upwards of"
    f"|a minimum of|in excess of|surpass(?:es|ed|ing)?|topp(?:ed|ing)|tops|(?:has|have|had) passed|{_UPWARDS} than"
)
_LESS = (
    "less than|fewer than|under|below|at most|up to|as (?:many|much) as|a maximum of|within"
    f"|(?:no|not) (?:more|{_UPWARDS}) than|{_DOWNWARDS} than"
    "|(?:not|n['’]t|never) exceed(?:s|ed|ing)?"
)
_NEARLY = "nearly|almost|just short of"
_NEAR = "about|around|some|roughly|approximately|circa|an estimated|estimated|close to"
BOUNDING = rf"(?:(?P<more>{_MORE})|(?P<less>{_LESS})|(?P<nearly>{_NEARLY})|(?P<about>{_NEAR}))\s+(?:the\s+)?"
_BEFORE = re.compile(rf"{BOUNDING}$", re.IGNORECASE)
_BEHIND = re.compile(
    r"-plus\b|\+(?!\s?\d)|(?:\s+[^\W\d_]+){0,2}\s+(?:(?:or|and)\s+(?:older|upwards?|up|(?P<younger>younger))\b"
    r"|or\s+(?:more|greater|higher|longer|(?P<less>less|fewer|lower|shorter))\b(?!\s+than))",
    re.IGNORECASE,
)
"""300-plus, 300+, 300 people or more, 30 dollars or less, 18 and older."""


class Bound(StrEnum):
    """How a number is meant."""

    EXACT = "exact"
    MORE = "more"
    LESS = "less"
    NEARLY = "nearly"
    ABOUT = "about"


@dataclass(frozen=True)
class Quantity:
    """One number in a text, or the two ends of a range."""

    text: str
    start: int
    end: int
    value: float
    """Of a range: its upper end."""
    bound: Bound
    percent: bool
    is_year: bool
    unit: Unit | None = None
    """None: things are counted, or the unit is not known."""
    dating: str = ""
    """How a year that surely is a date stands there: in, since, until; empty: it may be something else."""
    least: float | None = None
    """The lower end of a range; None: it is none."""

    @property
    def in_points(self) -> bool:
        """Whether it is in percentage points, not in percent."""
        return self.percent and "point" in self.text.casefold()


def bound_of(before: str, after: str) -> Bound:
    """
    Say how a number is meant.

    :param before: The text before it.
    :param after: The text behind it.
    """
    match = _BEFORE.search(before)
    if match and match.lastgroup:
        return Bound(match.lastgroup)
    match = _BEHIND.match(after)
    if match is None:
        return Bound.EXACT
    return Bound.LESS if match.group("less") or match.group("younger") else Bound.MORE
