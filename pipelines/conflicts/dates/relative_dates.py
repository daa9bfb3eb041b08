"""Days seen from another: "last Monday", "next month", midnight on Friday, which may be Saturday, "a day earlier"."""

import re
from calendar import monthrange
from datetime import date, timedelta

from pipelines.conflicts.numbers.quantities import words_value

_NIGHT = re.compile(r"\b(?:midnight|overnight|night)(?:,?\s+(?:on|of))?\s+(?:the\s+)?$", re.IGNORECASE)
_BY_NIGHT = re.compile(r",?\s+(?:(?:at|around|before|after|until|till|from)\s+)?(?:mid|over)?night\b", re.IGNORECASE)
_STEP = re.compile(
    r"\b(?P<count>an?|the|one|two|three|four|five|six|seven|\d)\s+(?P<unit>day|night|week)s?\s+"
    r"(?:earlier|later|before|after|previously)\b"
    r"|\bthe\s+(?:next|previous|following|preceding)\s+(?P<beside>day|night|morning|evening|week)\b",
    re.IGNORECASE,
)
WEEK = 7
"""Days."""
_YEARS = (2000, 2001)
"""One with a 29 February and one without."""


def is_at_night(before: str, after: str) -> bool:
    """
    Say whether a day's night or midnight is meant, which may be the next day's.

    :param before: The text before the day.
    :param after: The text behind it.
    """
    return bool(_NIGHT.search(before) or _BY_NIGHT.match(after))


def steps(text: str) -> set[int]:
    """Return how many days a text counts from one day to another, either way; empty: it does not."""
    found = set()
    for match in _STEP.finditer(text):
        days = counted(match.group("count") or "one") * (
            WEEK if (match.group("unit") or match.group("beside")).lower() == "week" else 1
        )
        found |= {days, -days}
    return found


def counted(count: str) -> int:
    """Return how many a number in digits or words says; an article is one."""
    return int(count) if count.isdigit() else int(words_value(count) or 1)


def moved(month_days: frozenset[tuple[int, int]], days: int) -> frozenset[tuple[int, int]]:
    """Return the months and days that lie a number of days behind others, in any year."""
    step = timedelta(days=days)
    each = (date(year, *one) + step for year in _YEARS for one in month_days if one != (2, 29) or year == _YEARS[0])
    return frozenset((day.month, day.day) for day in each)


def weekday_span(weekday: int, which: str, published: date) -> tuple[date, date]:
    """Return a span that holds the day of that name before or after publication, whichever is meant."""
    back = published - timedelta(days=(published.weekday() - weekday) % WEEK)
    if which == "next":
        return back + timedelta(days=WEEK), back + timedelta(days=2 * WEEK)
    if which == "last":
        return back - timedelta(days=WEEK), back
    return back, back + timedelta(days=WEEK)


def span_of(unit: str, away: int, published: date) -> tuple[date, date]:
    """
    Return the first and last day of a week, month or year, seen from the day of publication.

    :param away: -1 is the last, 0 this one, 1 the next.
    """
    if unit == "week":
        monday = published - timedelta(days=published.weekday()) + timedelta(days=WEEK * away)
        return monday, monday + timedelta(days=WEEK - 1)
    if unit == "year":
        return date(published.year + away, 1, 1), date(published.year + away, 12, 31)
    months = published.year * 12 + published.month - 1 + away
    year, month = divmod(months, 12)
    return date(year, month + 1, 1), date(year, month + 1, monthrange(year, month + 1)[1])
