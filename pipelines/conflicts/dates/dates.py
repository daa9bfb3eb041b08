"""Days in running text: "on Tuesday", "3 March", "last month", as spans of dates seen from the day of publication."""

import re
from calendar import monthrange
from dataclasses import dataclass, replace
from datetime import MAXYEAR, MINYEAR, date, timedelta

from pipelines.conflicts.dates.date_bounds import bound, spans
from pipelines.conflicts.dates.relative_dates import WEEK, counted, is_at_night, moved, span_of, weekday_span
from pipelines.conflicts.lexicon import MONTHS, WEEKDAYS

_MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
_DAY_NAME = "|".join(WEEKDAYS)
_COUNT = r"\d{1,2}|a|an|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_TH = r"(?:st|nd|rd|th)?"
_MORE = rf"(?:,\s+\d{{1,2}}{_TH})*(?:\s*[-–—/]\s*|,?\s+(?:to|and|or|until|till|through)\s+)(?:the\s+)?"
"""From the first of several days to the last."""
_DATE = re.compile(
    rf"\b(?P<iso>(?:1[5-9]|20)\d\d-\d\d-\d\d)\b"
    rf"|\b(?:(?P<since>\d{{1,2}}){_TH}{_MORE})?(?P<day>\d{{1,2}}){_TH}\s+(?:of\s+)?(?P<month>{_MONTH})\b\.?(?:,?\s+(?P<year>(?:1[5-9]|20)\d\d))?"
    rf"|\b(?P<month2>{_MONTH})\b\.?(?:\s+(?P<day2>\d{{1,2}}){_TH}\b(?!,\d)(?:{_MORE}(?P<until>\d{{1,2}}){_TH}\b(?![,.:]\d|\s*[ap]\.?m\b|\s+(?:of\s+)?(?:{_MONTH})\b))?)?(?:,?\s+(?P<year2>(?:1[5-9]|20)\d\d))?"
    rf"|\b(?:(?P<which>last|next|this)\s+)?(?P<weekday>{_DAY_NAME})\b"
    r"|\b(?P<word>today|tonight|yesterday|tomorrow)\b"
    r"|\b(?P<which2>last|next|this)\s+(?P<span>week|month|year)\b"
    rf"|\b(?P<count>{_COUNT})\s+(?P<unit>day|week|month|year)s?\s+ago\b",
    re.IGNORECASE,
)
_WORDS = {"today": 0, "tonight": 0, "yesterday": -1, "tomorrow": 1}
_RECKONED = range(MINYEAR + 101, MAXYEAR - 1)
"""Years in which "99 years ago" and "next week" can be worked out."""
_MOST_DAYS = 31
_AWAY = {"last": -1, "this": 0, "next": 1}
_LONGEST = 33
"""Days from the first to the last of what is about a month, a day more at either end."""
_TELLS_MONTH = re.compile(
    r"(?:(?<!confidence )(?<!faith )(?<!trust )\bin|\b(?:during|throughout|since|until|till|early|late|mid|last|next"
    r"|this|(?:end|start|beginning|middle|month) of))[\s-]+$",
    re.IGNORECASE,
)
_LEAP_YEAR = 2000
_MONTH_LENGTHS = {month: monthrange(_LEAP_YEAR, month)[1] for month in range(1, 13)}
_SOON = timedelta(days=31)
"""Within which a date without a year that is still to come is surely of this year, not the last."""
_PAST_OR_NEXT = re.compile(r"\b(?:last|next)\s+$", re.IGNORECASE)
_NEAR = 92
"""Days within which a date without a year is surely before or after another."""
_ANY_DAY = frozenset((month, day + 1) for month, length in _MONTH_LENGTHS.items() for day in range(length))
_OWNS = re.compile(r"['’]s\b")


@dataclass(frozen=True)
class DateMention:
    """One day, week, month, year or span of days that a text names."""

    text: str
    start: int
    end: int
    first: date | None
    """Earliest day that can be meant; None: it depends on a day that is not known."""
    last: date | None
    weekdays: frozenset[int] | None = None
    """0 is Monday; None: no day of the week is named."""
    month_days: frozenset[tuple[int, int]] | None = None
    """Months and days that a date without a year can mean."""
    near_year: int | None = None
    """Year of publication; None: not known, or the text gives a year itself."""
    is_sure: bool = True
    """False: a month by itself that may be a name (Theresa May) or describe a noun; no conflict rests on it."""
    bound: str = ""
    """since: a time begins with it that may go on; until: one ends with it; empty: it is the time itself."""


def date_mentions(text: str, *, published: date | None) -> list[DateMention]:
    """
    Return the days that a text names, in order; a year alone is a number, and left out.

    :param published: Day of publication, UTC; None: not known. Where "today" was written it may have been the day
        before or after.
    """
    if published is not None and published.year not in _RECKONED:
        published = None
    found: list[DateMention] = []
    before = ""
    for match in _DATE.finditer(text):
        if (match.group("month2") or "")[:1].islower() or (match.group("month") or "")[:1].islower():
            continue  # may, march
        mention = _mention(match, published)
        if mention is None:
            continue
        if is_at_night(text[: mention.start], text[mention.end :]):
            mention = _or_next_day(mention)
        mention = mention if _is_date(text, match) else replace(mention, is_sure=False, near_year=None)
        is_span = bool(match.group("since") or match.group("until"))
        how = bound(text[: mention.start], text[mention.end :], is_span=is_span)
        mention = _bounded(mention, how, published=published)
        kind = _kind(match)
        if kind and kind == before and spans(text[: found[-1].start], text[found[-1].end : mention.start]):
            found[-1] = _joined(found[-1], mention, text)
        else:
            found.append(mention)
        before = kind
    return found


def _kind(match: re.Match[str]) -> str:
    """Say which dates may be the other end of a span; empty: none."""
    if match.group("weekday"):
        return "weekday"
    return "date" if match.group("iso") or match.group("month") or match.group("month2") else ""


def disagree(stated: DateMention, found: DateMention) -> bool:
    """Say whether two mentions cannot mean the same day, or one lies beyond the end of the other; unknown agrees."""
    if stated.bound != found.bound:
        apart = _ends_before(stated, found) or _ends_before(found, stated)
        return apart and not _is_of_other_year(stated, found)
    if _is_of_other_year(stated, found):
        found = replace(found, first=None, last=None)  # an anniversary
    if not _weekdays(stated) & _weekdays(found):
        return True
    if stated.month_days is not None:
        return _misses(stated.month_days, found)
    if stated.first is None or stated.last is None or found.first is None or found.last is None:
        return found.month_days is not None and stated.first is not None and _misses(found.month_days, stated)
    return stated.last < found.first or found.last < stated.first


def _ends_before(one: DateMention, other: DateMention) -> bool:
    """Say whether one surely ends before the other begins; without a year only if they are near each other."""
    if one.bound == "since" or other.bound == "until":
        return False
    if one.last and other.first:
        if one.last >= other.first:
            return False
        if one.month_days is None and other.month_days is None:
            return True
    ours, theirs = _days_of_year(one), _days_of_year(other)
    year = sum(_MONTH_LENGTHS.values())
    return bool(ours and theirs) and all(0 < (late - early) % year <= _NEAR for early in ours for late in theirs)


def _days_of_year(mention: DateMention) -> list[int]:
    """Return the days of any year that a mention can mean, counted; empty: not known, or too many."""
    month_days = mention.month_days
    if month_days is None and mention.first and mention.last and (mention.last - mention.first).days <= _LONGEST:
        month_days = _month_days(mention.first, mention.last)
    return [date(_LEAP_YEAR, month, day).toordinal() for month, day in month_days or ()]


def _is_of_other_year(stated: DateMention, found: DateMention) -> bool:
    """Say whether a statement gives a year that a date without one, seen from its publication, hardly means."""
    if found.near_year is None or stated.first is None or stated.last is None:
        return False
    return not (stated.first.year - 1 <= found.near_year <= stated.last.year + 1)


def _or_next_day(mention: DateMention) -> DateMention:
    days, later = mention.month_days, mention.last and mention.last + timedelta(days=1)
    weekdays = mention.weekdays and mention.weekdays | {(day + 1) % WEEK for day in mention.weekdays}
    return replace(mention, last=later, weekdays=weekdays, month_days=days and days | moved(days, 1))


def _bounded(mention: DateMention, how: str, *, published: date | None) -> DateMention:
    """Note which end of a time a mention is; nothing lasts since a day to come: of which year it is, is not known."""
    of_unknown_year = mention.near_year is not None and mention.first is None
    is_to_come = published and mention.first and mention.first > published + timedelta(days=1)
    if how == "since" and (of_unknown_year or is_to_come):
        return DateMention(mention.text, mention.start, mention.end, None, None, is_sure=mention.is_sure, bound=how)
    return replace(mention, bound="since" if how == "from" else how)


def _joined(one: DateMention, other: DateMention, text: str) -> DateMention:
    """Return the span from one date to another; of days that are not known where the two do not make one."""
    joined = DateMention(text[one.start : other.end], one.start, other.end, None, None)
    if one.first and other.last and one.first <= other.last:
        joined = replace(joined, first=one.first, last=other.last, near_year=one.near_year and other.near_year)
    if one.month_days and other.month_days:
        first, last = min(one.month_days), max(other.month_days)
        days = {day for day in _ANY_DAY if (first <= day <= last if first <= last else first <= day or day <= last)}
        joined = replace(joined, month_days=frozenset(days))
    return replace(joined, is_sure=one.is_sure and other.is_sure)


def _is_date(text: str, match: re.Match[str]) -> bool:
    """Say whether a match is not a month alone, or one that stands as a month does: in May, not Theresa May."""
    if match.group("month2") is None or match.group("day2") or match.group("year2"):
        return True
    return _TELLS_MONTH.search(text[: match.start()]) is not None and not _OWNS.match(text[match.end() :])


def _weekdays(mention: DateMention) -> frozenset[int]:
    """Return the days of the week that a mention can mean; all of them where it does not tell."""
    if mention.weekdays is not None:
        return mention.weekdays
    if mention.first is None or mention.last is None:
        return frozenset(range(WEEK))
    days = min((mention.last - mention.first).days + 1, WEEK)
    return frozenset((mention.first.weekday() + n) % WEEK for n in range(days))


def _misses(month_days: frozenset[tuple[int, int]], span: DateMention) -> bool:
    """Say whether a date without a year is none of a span's days."""
    if span.month_days is not None:
        return month_days.isdisjoint(span.month_days)
    if span.first is None or span.last is None or (span.last - span.first).days > _LONGEST:
        return False
    return month_days.isdisjoint(_month_days(span.first, span.last))


def _month_days(first: date, last: date) -> frozenset[tuple[int, int]]:
    days = (first + timedelta(days=n) for n in range((last - first).days + 1))
    return frozenset((day.month, day.day) for day in days)


def _mention(match: re.Match[str], published: date | None) -> DateMention | None:
    text, start, end = match.group(), match.start(), match.end()
    if match.group("iso"):
        first = last = _day(*(int(part) for part in match.group("iso").split("-")))
        return DateMention(text, start, end, first, last) if first else None
    month = match.group("month") or match.group("month2")
    if month:
        return _dated(match, MONTHS[month.lower()], published)
    weekday = WEEKDAYS.get((match.group("weekday") or "").lower())
    weekdays = None if weekday is None else frozenset({weekday})
    if published is None:
        return DateMention(text, start, end, None, None, weekdays=weekdays)
    spans = [_relative(match, weekday, published + timedelta(days=away)) for away in (-1, 0, 1)]
    first, last = min(one for one, _ in spans), max(one for _, one in spans)
    return DateMention(text, start, end, first, last, weekdays=weekdays)


def _dated(match: re.Match[str], month: int, published: date | None) -> DateMention | None:
    """
    Read a month with day, days or year; a date without a year is that nearest to publication.

    What is far ahead may be the last year's as well ("resigned in May", read in March), "last February" of either.
    """
    start, end, (first_day, last_day) = match.start(), match.end(), _days_of_month(match)
    if match.group("since") and first_day == last_day:
        start = match.start("day")
    text = match.string[start:end]
    year = int(match.group("year") or match.group("year2") or 0) or None
    month_days = near_year = None
    if year is None and (last_day or 1) > _MONTH_LENGTHS[month]:
        return None
    if year is None:
        days = range(first_day or 1, (last_day or _MONTH_LENGTHS[month]) + 1)
        month_days = frozenset((month, day) for day in days)
    if year is None and published is not None:
        near_year = published.year
        near = [published.year + offset for offset in (-1, 0, 1)]
        year = min(near, key=lambda one: abs((date(one, month, 15) - published).days))
        is_ahead = date(year, month, 1) > published + _SOON
        is_open = is_ahead or _PAST_OR_NEXT.search(match.string[:start])
        year = None if is_open and _is_date(match.string, match) else year
    if year is None:
        return DateMention(text, start, end, None, None, month_days=month_days, near_year=near_year)
    first = _day(year, month, first_day or 1)
    last = _day(year, month, last_day or monthrange(year, month)[1])
    if first is None or last is None:
        return None
    return DateMention(text, start, end, first, last, month_days=month_days, near_year=near_year)


def _days_of_month(match: re.Match[str]) -> tuple[int | None, int | None]:
    """Return the first and last day that stand by a month; None: none does."""
    first = int(match.group("since") or match.group("day") or match.group("day2") or 0)
    last = int(match.group("until") or match.group("day") or match.group("day2") or 0)
    if first > last or last > _MOST_DAYS:  # two numbers that are not a span: the one by the month counts
        first = last = int(match.group("day") or match.group("day2") or 0)
    return first or None, last or None


def _relative(match: re.Match[str], weekday: int | None, published: date) -> tuple[date, date]:
    if weekday is not None:
        return weekday_span(weekday, (match.group("which") or "").lower(), published)
    if match.group("word"):
        day = published + timedelta(days=_WORDS[match.group("word").lower()])
        return day, day
    if match.group("span"):
        return span_of(match.group("span").lower(), _AWAY[match.group("which2").lower()], published)
    days = {"day": 1, "week": 7, "month": 30.44, "year": 365.25}[match.group("unit").lower()]
    slack = 0 if days == 1 else days / 2
    middle = counted(match.group("count")) * days
    return published - timedelta(days=round(middle + slack)), published - timedelta(days=round(middle - slack))


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
