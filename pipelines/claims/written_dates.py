"""Relative dates of a text, "last year", "on Monday", said as they are on the calendar. English."""

import re
from datetime import date, timedelta

from pipelines.claims.verbs import finite_verbs
from pipelines.conflicts.dates.relative_dates import WEEK
from pipelines.conflicts.lexicon import MONTHS, WEEKDAYS
from pipelines.conflicts.numbers.quantities import words_value

_I = re.IGNORECASE
_LONG = 3
"""Letters of a short name of a month."""
_MONTH = "|".join(sorted((name for name in MONTHS if len(name) > _LONG or name == "may"), key=len, reverse=True))
_DAY = re.compile(
    rf"\b(?:(?P<d1>\d{{1,2}})(?:st|nd|rd|th)?\s+(?P<m1>{_MONTH}),?\s+(?P<y1>(?:1[5-9]|20)\d\d)|(?P<m2>{_MONTH})\s+(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<y2>(?:1[5-9]|20)\d\d)|(?P<y3>20\d\d)-(?P<m3>\d\d)-(?P<d3>\d\d))\b",
    _I,
)
_RELATIVE = re.compile(
    rf"(?P<lead>\b(?:in|during|since|of|from|until|by|for|on|than\s+in)\s+)?(?:\b(?P<which>last|this|next)\s+(?P<unit>year|month|week|spring|summer|autumn|fall|winter)\b(?P<own>['’]s\b)?|\b(?P<day>today|yesterday|tomorrow|tonight)\b|\b(?P<count>\d{{1,3}}|an?|one|two|three|four|five|six|seven|eight|nine|ten|twenty)\s+(?P<ago>year|month|week|day)s?\s+ago\b"
    rf"|\b(?:last\s+|this\s+|next\s+)?(?P<weekday>{'|'.join(WEEKDAYS)})\b(?!,?\s+(?:the\s+)?\d)(?!s\b)(?P<part>\s+(?:night|morning|evening|afternoon))?)",
    _I,
)
_YEARLESS = re.compile(
    rf"\b(?P<lead>in|since|until|by|on|of|last|from)\s+(?P<day>\d{{1,2}}\s+)?(?P<month>(?i:{_MONTH}))\b(?!\s+\d)(?!,?\s+(?:of\s+)?(?:last|this|that|next|the|\d))"
)
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
_HEADING_WORDS = 14
_DASHES = frozenset("-–—:/(")
_PLACE = re.compile(r"(?:[^\W\d_][\w .,'()-]{0,50})?")
_HEAD = 400
"""Characters at the beginning and the end of a text where its date is looked for."""


def date_of(text: str) -> date | None:
    """Return the day that a text gives as its own: in a heading, behind its place, or beside its signature."""
    lines = [line for part in (text[:_HEAD], text[-_HEAD:]) for line in part.splitlines()]
    for line in lines:
        match = _DAY.search(line)
        if match is None:
            continue
        behind = line[match.end() :].lstrip()
        is_heading = len(line.split()) <= _HEADING_WORDS and not any(verb.is_sure for verb in finite_verbs(line))
        if is_heading or (behind[:1] in _DASHES and _PLACE.fullmatch(line[: match.start()])):
            return _day(match)
    return None


def _day(match: re.Match[str]) -> date | None:
    try:
        if match["y3"]:
            return date(int(match["y3"]), int(match["m3"]), int(match["d3"]))
        month = MONTHS[(match["m1"] or match["m2"]).lower()]
        return date(int(match["y1"] or match["y2"]), month, int(match["d1"] or match["d2"]))
    except ValueError:
        return None


def dated(sentence: str, written_on: date | None) -> tuple[str, list[tuple[str, str]], str]:
    """
    Put calendar dates in the place of relative ones.

    :param written_on: The day that the text was written or said; None: not known.
    :returns: The sentence, what was replaced by what, and the words that cannot be told; empty: all can.
    """
    replaced: list[tuple[str, str]] = []
    unclear = ""

    def put(match: re.Match[str]) -> str:
        nonlocal unclear
        if written_on is None:
            unclear = unclear or ("" if match["weekday"] else match.group().strip())
            return match.group()
        new = _said(match, written_on)
        replaced.append((match.group().strip(), new.strip()))
        return new

    text = _RELATIVE.sub(put, sentence)
    if written_on is not None:
        text = _YEARLESS.sub(lambda match: _with_year(match, written_on, replaced), text)
    return text, replaced, unclear


def _said(match: re.Match[str], written_on: date) -> str:
    lead = match["lead"] or ""
    if match["which"]:
        return _said_span(match["which"].lower(), match["unit"].lower(), written_on, lead, own=match["own"] or "")
    if match["day"]:
        step = {"yesterday": -1, "tomorrow": 1}.get(match["day"].lower(), 0)
        return f"{lead or 'on '}{_written(written_on + timedelta(days=step))}"
    if match["ago"]:
        return _ago(
            int(words_value(match["count"]) or 1) if not match["count"].isdigit() else int(match["count"]),
            match["ago"].lower(),
            written_on,
            lead,
        )
    back = (written_on.weekday() - WEEKDAYS[match["weekday"].lower()]) % WEEK
    step = (
        WEEK - back if "next" in match.group().lower() else -back or (-WEEK if "last" in match.group().lower() else 0)
    )
    return (
        f"{lead}{match['weekday']}{match['part'] or ''}, {_written(written_on + timedelta(days=step))}"
        if lead
        else f"on {_written(written_on + timedelta(days=step))}"
    )


def _said_span(which: str, unit: str, written_on: date, lead: str, *, own: str) -> str:
    step = {"last": -1, "this": 0, "next": 1}[which]
    lead = lead if lead and lead.lower().strip() != "on" else ("" if own else "in ")
    if unit == "year":
        return f"{lead}{written_on.year + step}{own}"
    if unit == "month":
        year, month = divmod(written_on.year * 12 + written_on.month - 1 + step, 12)
        return f"{lead}{_name(month + 1)} {year}{own}"
    if unit == "week":
        monday = written_on - timedelta(days=written_on.weekday()) + timedelta(days=WEEK * step)
        return f"{lead}the week of {_written(monday)}{own}"
    year = (
        written_on.year
        - (1 if which == "last" and _SEASONS[unit] + 2 >= written_on.month else 0)
        + (1 if which == "next" and _SEASONS[unit] <= written_on.month else 0)
    )
    return f"{lead}the {unit} of {year}{own}"


def _ago(count: int, unit: str, written_on: date, lead: str) -> str:
    if unit == "year":
        return f"{lead or 'in '}{written_on.year - count}"
    if unit == "month":
        year, month = divmod(written_on.year * 12 + written_on.month - 1 - count, 12)
        return f"{lead or 'in '}{_name(month + 1)} {year}"
    return f"{lead or 'on '}{_written(written_on - timedelta(days=count * (WEEK if unit == 'week' else 1)))}"


def _with_year(match: re.Match[str], written_on: date, replaced: list[tuple[str, str]]) -> str:
    """Add the year to a month: the last such month before the text, or of its year behind "by" and "until"."""
    if not match["month"][0].isupper():
        return match.group()  # may, march
    month = MONTHS[match["month"].lower()]
    later = (month, int(match["day"] or 1)) > (written_on.month, written_on.day)
    ahead = match["lead"].lower() in {"by", "until"}
    year = written_on.year - (1 if later and not ahead else 0)
    new = f"{'in' if match['lead'].lower() == 'last' else match['lead']} {match['day'] or ''}{match['month']} {year}"
    replaced.append((match.group(), new))
    return new


def _name(month: int) -> str:
    return next(
        name for name, number in MONTHS.items() if number == month and (len(name) > _LONG or name == "may")
    ).capitalize()


def _written(day: date) -> str:
    return f"{day.day} {_name(day.month)} {day.year}"
