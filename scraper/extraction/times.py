"""When an article was published and last changed."""

import copy
import re
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo

from dateutil import parser as dateparser
from htmldate import find_date
from lxml.html import HtmlElement

from scraper.extraction.jsonld import text_of
from scraper.extraction.page import Page

EARLIEST = datetime(1990, 1, 1, tzinfo=UTC)
CLOCK_SLACK = timedelta(days=2)
"""A page may be stamped a little ahead of our clock (time zones, wrong clocks); more is a mistake."""
MAX_TIME_CHARS = 80
_MONTHS = 12
_UNIX_UNITS = {10: 1, 13: 1000}
"""Digits of a Unix time to its units per second."""
_DEFAULTS = (datetime(1, 1, 1), datetime(2, 2, 2))
"""dateutil fills in from a default what a text lacks; where two defaults give two days, the text names none."""
_OFFSET = re.compile(r"\d{1,2}:\d{2}\S*\s?(?P<sign>[+-])(?P<hours>0\d|1[0-4]):?(?P<minutes>[0-5]\d)?$")
_ZONE_BEFORE_OFFSET = re.compile(r"\b(?:GMT|UTC)(?=[+-]\d)")
"""Left in, it turns the sign of the offset round, as dateutil reads it."""
_ZONE_AFTER_OFFSET = re.compile(r"(?<=[+-]\d{4})\s*\([^()]*\)$")
"""As JavaScript writes a date: "Tue Mar 05 2024 22:40:00 GMT+0100 (Central European Standard Time)"."""
_DAY_OR_MONTH = re.compile(r"(?<![\d/-])(\d{1,2})([/-])(\d{1,2})\2(\d{4}|\d{2})(?!\d)")
_MONTH_FIRST = frozenset({"US", "PH", "FM", "MH", "PW"})
_EITHER_FIRST = frozenset({"CA", "CN", "HU", "JP", "KP", "KR", "KZ", "LT", "MN", "SE", "TW", "ZA"})
"""Countries that write the year first, and so day and month in either order where they do not."""
_YEAR_FIRST = re.compile(r"(?<![\d./-])\d{4}\s?([./-])\s?\d{1,2}\1")
_DAY_ONLY = re.compile(r"^(?!.*\dT\d)[^:]*$")
_PUBLISHED_META = (
    "article:published_time", "og:article:published_time", "og:published_time", "datepublished", "date.published",
    "article:published", "article.published", "parsely-pub-date", "cxenseparse:recs:publishtime", "sailthru.date",
    "dc.date.issued", "dcterms.created", "dc.date.created", "dc.date", "dcterms.date", "pubdate", "publishdate",
    "publish-date", "publication_date", "ptime", "date", "last-modified-date",
)  # fmt: skip
_MODIFIED_META = (
    "article:modified_time",
    "og:updated_time",
    "datemodified",
    "dcterms.modified",
    "lastmod",
    "last-modified",
)
_OF_CHANGE = frozenset({"dateModified", "updated", "modified"})
_OF_PUBLICATION = frozenset({"datePublished", "published", "entry-date"})
_ZONES = {"EST": -18000, "EDT": -14400, "CST": -21600, "CDT": -18000, "PST": -28800, "PDT": -25200, "BST": 3600,
          "GMT": 0, "UTC": 0, "CET": 3600, "CEST": 7200, "IST": 19800, "SGT": 28800, "MYT": 28800, "JST": 32400,
          "AEST": 36000, "AEDT": 39600, "SAST": 7200, "MESZ": 7200, "MEZ": 3600}  # fmt: skip


def read_published(
    page: Page, *, zone: tzinfo, now: datetime, country: str | None = None, listed_at: datetime | None = None
) -> datetime | None:
    """
    Return the time of publication: JSON-LD, meta elements, the news sitemap or feed, `time` elements, then htmldate.

    :param zone: For times that name none.
    :param now: Times well after it are not believed.
    :param country: As for `parse_time`.
    :param listed_at: What a news sitemap or feed says. It also tells the minute of a day that the page names.
    :returns: UTC; midnight UTC where only the day is known; None if the page does not say.
    """
    data = page.article_data
    stated = (text_of(data.get(key)) for key in ("datePublished", "dateCreated", "uploadDate"))
    zone = _stated_zone(page) or zone
    found = _first_believable([*stated, *_meta_values(page, _PUBLISHED_META)], zone=zone, now=now, country=country)
    if listed_at is not None and EARLIEST <= listed_at <= now + CLOCK_SLACK:
        is_of_that_day = found is not None and found.time() == time.min and found.date() in _days(listed_at, zone)
        return listed_at if found is None or is_of_that_day else found
    found = found or _first_believable(_time_elements(page), zone=zone, now=now, country=country)
    return found or _guess(page, now=now, country=country)


def _days(moment: datetime, zone: tzinfo) -> set[date]:
    """Return the days that a moment belongs to, in UTC and where the page was written."""
    return {moment.date(), moment.astimezone(zone).date()}


def read_modified(
    page: Page, *, zone: tzinfo, now: datetime, published: datetime | None, country: str | None = None
) -> datetime | None:
    """Return the time of the last change; None if the page gives none, or one before its publication."""
    stated = [text_of(page.article_data.get("dateModified")), *_meta_values(page, _MODIFIED_META)]
    zone = _stated_zone(page) or zone
    found = _first_believable(stated, zone=zone, now=now, country=country)
    return found if found and (published is None or found >= published) else None


def parse_time(text: str, *, zone: tzinfo, country: str | None = None) -> datetime | None:
    """
    Parse a point in time.

    :param zone: Assumed when the text names none. A bare day is taken as midnight UTC instead.
    :param country: ISO 3166-1 alpha-2, of the publisher: says whether 5/3/2024 is in March or in May.
    :returns: UTC; None if it cannot be read, may mean either of two days, or names none: a bare year is no date.
    """
    text = text.strip()
    if not any(char.isdigit() for char in text) or len(text) > MAX_TIME_CHARS:
        return None
    if text.isdecimal() and len(text) in _UNIX_UNITS:
        return datetime.fromtimestamp(int(text) / _UNIX_UNITS[len(text)], tz=UTC)
    moment = _parse(text, country=country)
    if moment is None:
        return None
    try:
        if _DAY_ONLY.match(text):
            return moment.replace(hour=0, minute=0, second=0, microsecond=0, tzinfo=UTC)
        return (moment if moment.tzinfo else moment.replace(tzinfo=zone)).astimezone(UTC)
    except (OverflowError, ValueError):
        return None


def _parse(text: str, *, country: str | None) -> datetime | None:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        pass
    day_first = _day_first(text, country=country)
    if day_first is None:
        return None
    text = _ZONE_AFTER_OFFSET.sub("", _ZONE_BEFORE_OFFSET.sub("", text))
    try:
        moment, again = (
            dateparser.parse(text, tzinfos=_ZONES, dayfirst=day_first, default=default) for default in _DEFAULTS
        )
    except (ValueError, OverflowError, TypeError):
        return None
    return moment if isinstance(moment, datetime) and moment.date() == again.date() else None


def _day_first(text: str, *, country: str | None) -> bool | None:
    """Say whether the day stands before the month; None where that makes two days of it and nobody knows."""
    found = _DAY_OR_MONTH.search(text)
    if found is None or not _is_either(found):
        return "." in text and not _YEAR_FIRST.search(text)
    return _writes_day_first(country)


def _is_either(found: re.Match[str]) -> bool:
    """Say whether a date is another one with day and month exchanged."""
    return int(found[1]) != int(found[3]) and max(int(found[1]), int(found[3])) <= _MONTHS


def _writes_day_first(country: str | None) -> bool | None:
    return None if country is None or country in _EITHER_FIRST else country not in _MONTH_FIRST


def _first_believable(texts: list[str], *, zone: tzinfo, now: datetime, country: str | None) -> datetime | None:
    moments = (parse_time(text, zone=zone, country=country) for text in texts if text)
    return next((moment for moment in moments if moment and EARLIEST <= moment <= now + CLOCK_SLACK), None)


def _meta_values(page: Page, names: tuple[str, ...]) -> list[str]:
    return [text for name in names for text in page.meta.get(name, [])]


def _stated_zone(page: Page) -> tzinfo | None:
    """Return the offset from UTC that some time on the page names: the zone of those that name none."""
    stamps = [*_meta_values(page, (*_PUBLISHED_META, *_MODIFIED_META)), *_time_elements(page)]
    stamps += [text_of(page.article_data.get(key)) for key in ("datePublished", "dateModified")]
    for match in filter(None, map(_OFFSET.search, stamps)):
        sign = -1 if match["sign"] == "-" else 1
        return timezone(sign * timedelta(hours=int(match["hours"]), minutes=int(match["minutes"] or 0)))
    return None


def _time_elements(page: Page) -> list[str]:
    """Return the first times in the page's markup: those marked as publication, those beside the headline, others."""
    marked = page.tree.xpath('//*[contains(concat(" ", @itemprop, " "), " datePublished ")] | //time[@pubdate]')
    story = page.tree.xpath("(//h1/ancestor::*[self::article or self::main][1])[1]//time")
    elements = (element for element in (*marked, *story, *page.tree.iter("time")) if not _is_of_change(element))
    stamps = (element.get("datetime") or element.get("content") for element in elements)
    return list(dict.fromkeys(stamp for stamp in stamps if stamp))[:3]


def _is_of_change(element: HtmlElement) -> bool:
    """Say whether an element is marked as the time of the last change, and not of the publication, too."""
    marks = set(f"{element.get('itemprop', '')} {element.get('class', '')}".split())
    return not marks.isdisjoint(_OF_CHANGE) and marks.isdisjoint(_OF_PUBLICATION)


def _guess(page: Page, *, now: datetime, country: str | None) -> datetime | None:
    """Let htmldate look at the whole page; of a bare year, as in a copyright line, it makes the first of January."""
    latest = (now + CLOCK_SLACK).strftime("%Y-%m-%d")
    try:
        tree = _with_day_first(page.tree, country=country)
        day = find_date(tree, url=page.url, original_date=True, max_date=latest)
    except Exception:
        return None
    return parse_time(day, zone=UTC) if day and not day.endswith("-01-01") else None


def _with_day_first(tree: HtmlElement, *, country: str | None) -> HtmlElement:
    """Return a page as htmldate reads it: with the day before the month, and without dates whose order nobody knows."""
    day_first = _writes_day_first(country)
    if day_first:
        return tree

    def written(found: re.Match[str]) -> str:
        if not _is_either(found):
            return found[0]
        return "" if day_first is None else found[2].join((found[3], found[1], found[4]))

    tree = copy.deepcopy(tree)
    for element in tree.iter():
        element.text = element.text and _DAY_OR_MONTH.sub(written, element.text)
        element.tail = element.tail and _DAY_OR_MONTH.sub(written, element.tail)
        for name, value in element.items():
            element.set(name, _DAY_OR_MONTH.sub(written, value))
    return tree
