"""What of the index a request leaves as evidence, in words for the reader of a result."""

from collections.abc import Sequence
from datetime import datetime, time

from core.types import Request

NAMED = 3
"""Sources, sections or languages that are named; of more, the first."""


def bounds_of(request: Request) -> str:
    """Write the bounds of a request as they stand behind "articles"; empty: everything may be evidence."""
    filters = request.filters
    times = (
        ("known by", request.as_of),
        ("published from", filters.published_from),
        ("published to", filters.published_to),
    )
    names = (("of", filters.sources), ("in section", filters.sections), ("in language", filters.languages))
    parts = [f"{words} {_moment(moment)}" for words, moment in times if moment is not None]
    parts += [f"{words} {_either(values)}" for words, values in names if values]
    return ", ".join(parts)


def _moment(moment: datetime) -> str:
    """Write a day, and the time where it is neither the day's first moment nor its last."""
    clock = moment.time()
    return moment.date().isoformat() if clock in {time.min, time.max} else f"{moment:%Y-%m-%d %H:%M} UTC"


def _either(values: Sequence[str]) -> str:
    return " or ".join([*values[:NAMED], "others"] if len(values) > NAMED else values)
