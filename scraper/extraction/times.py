"""When an article was published and last changed."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo

from scraper.extraction.jsonld import text_of
from scraper.extraction.page import Page
from scraper.extraction.shown_dates import address_day, shown_changes, shown_dates, time_elements
from scraper.extraction.time_formats import OFFSET, parse_time, parse_value

EARLIEST = datetime(1990, 1, 1, tzinfo=UTC)
CLOCK_SLACK = timedelta(days=2)
"""A page may be stamped a little ahead of our clock (time zones, wrong clocks); more is a mistake."""
_PUBLISHED_META = (
    "article:published_time",
    "og:article:published_time",
    "og:published_time",
    "datepublished",
    "date.published",
    "article:published",
    "article.published",
    "parsely-pub-date",
    "cxenseparse:recs:publishtime",
    "sailthru.date",
    "dc.date.issued",
    "dcterms.created",
    "dc.date.created",
    "dc.date",
    "dcterms.date",
    "pubdate",
    "publishdate",
    "publish-date",
    "publication_date",
    "ptime",
    "date",
)
_MODIFIED_META = (
    "article:modified_time",
    "og:updated_time",
    "datemodified",
    "dcterms.modified",
    "lastmod",
    "last-modified",
    "last-modified-date",
)
_MARKED_PUBLISHED = ("datepublished", "published", "dt-published", "pubdate", "issued", "date")
_MARKED_MODIFIED = ("datemodified", "updated", "dt-updated", "modified")


def read_published(
    page: Page,
    *,
    zone: tzinfo,
    now: datetime,
    country: str | None = None,
    listed_at: datetime | None = None,
) -> datetime | None:
    """
    Return the time of publication.

    Sources in order: JSON-LD, meta elements, marked elements, `time` elements of the story; what a news sitemap or feed
    lists; a date shown beside the headline; a day in whole segments of the address.

    :param zone: For times that name none.
    :param now: Times well after it are not believed.
    :param country: As for `parse_time`.
    :param listed_at: What a news sitemap or feed says. It also tells the minute of a day that the page names.
    :returns: UTC; midnight UTC where only the day is known; None if nothing says.
    """
    data = page.article_data
    zone = _stated_zone(page) or zone
    known = _Reader(zone=zone, now=now, country=country, language=_language(page))
    dates = (data.get(key) for key in ("datePublished", "dateCreated", "uploadDate"))
    stated = known.first([*dates, *_meta_values(page, _PUBLISHED_META)])
    stated = stated or known.first([*_marked(page, _MARKED_PUBLISHED), *time_elements(page)])
    if listed_at is not None and EARLIEST <= listed_at <= now + CLOCK_SLACK:
        is_of_that_day = stated is not None and stated.time() == time.min and stated.date() in _days(listed_at, zone)
        return listed_at if stated is None or is_of_that_day else stated
    return stated or known.first(shown_dates(page)) or known.first([address_day(page.url)])


def _days(moment: datetime, zone: tzinfo) -> set[date]:
    """Return the days that a moment belongs to, in UTC and where the page was written."""
    return {moment.date(), moment.astimezone(zone).date()}


def read_modified(
    page: Page, *, zone: tzinfo, now: datetime, published: datetime | None, country: str | None = None
) -> datetime | None:
    """Return the time of the last change; None if the page gives none, or one before its publication."""
    known = _Reader(zone=_stated_zone(page) or zone, now=now, country=country, language=_language(page))
    found = known.first([page.article_data.get("dateModified"), *_meta_values(page, _MODIFIED_META)])
    found = found or known.first([*_marked(page, _MARKED_MODIFIED), *shown_changes(page)])
    return found if found and (published is None or found >= published) else None


class _Reader:
    """Reads the first time that may be believed."""

    def __init__(self, *, zone: tzinfo, now: datetime, country: str | None, language: str | None) -> None:
        self.zone, self.now, self.country, self.language = zone, now, country, language

    def first(self, values: "list[object] | Iterator[str]") -> datetime | None:
        """Return the first value that is a time not long before the web nor after now."""
        for value in values:
            moment = parse_value(value, zone=self.zone, country=self.country, language=self.language) if value else None
            if moment and EARLIEST <= moment <= self.now + CLOCK_SLACK:
                return moment
        return None


def _language(page: Page) -> str | None:
    declared = page.tree.get("lang") or text_of(page.article_data.get("inLanguage")) or page.meta_text("og:locale")
    return declared[:2].lower() or None


def _meta_values(page: Page, names: tuple[str, ...]) -> list[object]:
    return [text for name in names for text in page.meta.get(name, [])]


def _marked(page: Page, names: tuple[str, ...]) -> list[object]:
    return [text for name in names for text in page.marked.get(name, [])]


def _stated_zone(page: Page) -> tzinfo | None:
    """Return the offset from UTC that some time on the page names: the zone of those that name none."""
    stamps = [*_meta_values(page, (*_PUBLISHED_META, *_MODIFIED_META)), *time_elements(page)]
    stamps += [text_of(page.article_data.get(key)) for key in ("datePublished", "dateModified")]
    for match in filter(None, (OFFSET.search(str(stamp)) for stamp in stamps)):
        sign = -1 if match["sign"] == "-" else 1
        return timezone(sign * timedelta(hours=int(match["hours"]), minutes=int(match["minutes"] or 0)))
    return None


__all__ = ["parse_time", "read_modified", "read_published"]
