"""Which of the pages that a site lists are wanted."""

import hashlib
import re
from datetime import UTC, date, datetime, time, timedelta
from functools import cached_property
from urllib.parse import urlsplit

from core.types import Article
from core.urls import article_id, exact_article_id, exact_url, normalise_url, variant_marks
from scraper.publishers import Publisher
from scraper.publishers.languages import may_be
from scraper.rejection import Rejection, RejectionReason
from scraper.sitemaps.entries import SitemapEntry

_DAY = timedelta(days=1)
_MONTH_OR_YEAR = re.compile(r"(?<!\d)((?:19|20)\d\d)(?:[-_/.]?(0[1-9]|1[0-2]))?(?!\d)")
_DAY_IN_PATH = re.compile(r"/((?:19|20)\d\d)/(0?[1-9]|1[0-2])/(0?[1-9]|[12]\d|3[01])(?:/|$)")


class Selection:
    """
    The conditions of a publisher file.

    :param publisher: Names patterns, date range and keywords.
    """

    def __init__(self, publisher: Publisher) -> None:
        self.publisher = publisher

    @cached_property
    def _include(self) -> list[re.Pattern[str]]:
        return [re.compile(pattern, re.IGNORECASE) for pattern in self.publisher.include]

    @cached_property
    def _exclude(self) -> list[re.Pattern[str]]:
        return [re.compile(pattern, re.IGNORECASE) for pattern in self.publisher.exclude]

    @cached_property
    def _keywords(self) -> list[re.Pattern[str]]:
        return [re.compile(rf"(?<!\w){re.escape(keyword)}(?!\w)", re.IGNORECASE) for keyword in self.publisher.keywords]

    @cached_property
    def _tracking(self) -> frozenset[str]:
        return frozenset(name.lower() for name in self.publisher.tracking_parameters)

    @cached_property
    def _number(self) -> re.Pattern[str] | None:
        return re.compile(self.publisher.same_article) if self.publisher.same_article else None

    @cached_property
    def bounds(self) -> tuple[datetime | None, datetime | None]:
        """First moment wanted and first moment no longer wanted, in UTC, from days in the site's time zone."""
        first, last = self.publisher.published_from, self.publisher.published_to
        return (
            datetime.combine(first, time.min, self.publisher.zone).astimezone(UTC) if first else None,
            datetime.combine(last + _DAY, time.min, self.publisher.zone).astimezone(UTC) if last else None,
        )

    def key(self, url: str) -> str:
        """Return the one name of all variants of an address."""
        number = self._number.search(url) if self._number else None
        return f"article:{number[1]}" if number and number[1] else self._normal(url)

    def article_id(self, url: str) -> str:
        """Return the id of the article at an address, whatever variant of it that is."""
        return article_id(url, tracking_parameters=self._tracking)

    def exact_key(self, url: str) -> str:
        """Return a name that also tells apart the variants whose `marks` differ."""
        return exact_url(url, tracking_parameters=self._tracking)

    def exact_article_id(self, url: str) -> str:
        """Return the id of an article whose `article_id` belongs to another text."""
        return exact_article_id(url, tracking_parameters=self._tracking)

    def marks(self, url: str) -> tuple[tuple[str, str], ...]:
        """Return what `key` drops of an address although sites may tell articles apart by it: kind and value."""
        number = self._number.search(url) if self._number else None
        return () if number and number[1] else variant_marks(url, tracking_parameters=self._tracking)

    def differing(self, url: str, other: str) -> frozenset[str]:
        """Return the kinds of marks in which two variants of one address differ."""
        return frozenset(kind for kind, _ in set(self.marks(url)) ^ set(self.marks(other)))

    def same_address(self, url: str, other: str) -> bool:
        """Say whether two addresses are variants of one; those of an article that was renamed are not."""
        return url == other or self._normal(url) == self._normal(other)

    def wants_sitemap(self, url: str) -> bool:
        """
        Say whether a sitemap that an index names may list wanted pages.

        A month in its address counts with a day's margin on either side: some sites put the first hours of a local
        year into the last month of the year before, because they sort by UTC.
        """
        include, exclude = self.publisher.sitemap_include, self.publisher.sitemap_exclude
        if include and not any(re.search(pattern, url, re.IGNORECASE) for pattern in include):
            return False
        if any(re.search(pattern, url, re.IGNORECASE) for pattern in exclude):
            return False
        span = _months_in(url)
        return span is None or self._overlaps(span[0] - _DAY, span[1] + _DAY)

    def wants_page(self, url: str, entry: SitemapEntry) -> bool:
        """Say whether a listed page can be wanted, by its address and the times that the sitemap gives."""
        if not self.wants_address(url):
            return False
        if entry.published_at is not None:
            return self._overlaps(entry.published_at - _DAY, entry.published_at + _DAY)
        first, _ = self.bounds
        if first is not None and entry.lastmod is not None and entry.lastmod < first - _DAY:
            return False  # last changed before the range begins, so published before it
        moment = _day_in(url)
        return moment is None or self._overlaps(moment - _DAY, moment + 2 * _DAY)

    def wants_address(self, url: str) -> bool:
        """Say whether a page can be wanted by its address alone."""
        included = not self._include or any(pattern.search(url) for pattern in self._include)
        return included and not any(pattern.search(url) for pattern in self._exclude)

    def refuse(self, article: Article) -> Rejection | None:
        """Say why an article is not wanted after all, now that its date and text are known."""
        published = article.published_at
        if published is not None and not self._in_range(published):
            detail = f"published on {published:%Y-%m-%d %H:%M} UTC, outside the publisher's date range"
            return Rejection(url=article.url, reason=RejectionReason.FILTERED, detail=detail)
        languages = self.publisher.languages
        if languages and article.language and not any(may_be(article.language, wanted) for wanted in languages):
            detail = f"written in {article.language}; the publisher's file wants {', '.join(languages)}"
            return Rejection(url=article.url, reason=RejectionReason.OTHER_LANGUAGE, detail=detail)
        text = f"{article.headline}\n{article.body}"
        if self._keywords and not any(pattern.search(text) for pattern in self._keywords):
            detail = "holds none of the publisher's keywords"
            return Rejection(url=article.url, reason=RejectionReason.FILTERED, detail=detail)
        return None

    def _normal(self, url: str) -> str:
        return normalise_url(url, tracking_parameters=self._tracking)

    def _in_range(self, published: datetime) -> bool:
        if published.time() == time.min:  # only the day is known, and it is the site's own
            return self._day_in_range(published.date())
        first, end = self.bounds
        return (first is None or published >= first) and (end is None or published < end)

    def _day_in_range(self, day: date) -> bool:
        first, last = self.publisher.published_from, self.publisher.published_to
        return (first is None or day >= first) and (last is None or day <= last)

    def _overlaps(self, start: datetime, end: datetime) -> bool:
        first, after_last = self.bounds
        return (first is None or end >= first) and (after_last is None or start < after_last)


def _day_in(url: str) -> datetime | None:
    """Return the day that an article's address names."""
    day = _DAY_IN_PATH.search(url)
    try:
        return datetime(int(day[1]), int(day[2]), int(day[3]), tzinfo=UTC) if day else None
    except ValueError:
        return None


def _months_in(url: str) -> tuple[datetime, datetime] | None:
    """
    Return the span from the first to the last of the months and years that a sitemap's address names.

    :returns: None: it names none, or a number stands right behind letters and may be a running one (`sitemap1999.xml`).
    """
    path = urlsplit(url).path
    found = list(_MONTH_OR_YEAR.finditer(path))
    if not found or any(path[match.start() - 1].isalpha() for match in found if match.start()):
        return None
    exact = {match[1] for match in found if match[2]}
    named = [match for match in found if match[2] or match[1] not in exact]  # /2020/2020-05.xml is one month
    starts = [datetime(int(match[1]), int(match[2] or 1), 1, tzinfo=UTC) for match in named]
    lasts = [datetime(int(match[1]), int(match[2] or 12), 1, tzinfo=UTC) for match in named]
    return min(starts), (max(lasts) + 31 * _DAY).replace(day=1)


_EXTRACTION_KEYS = {
    "name", "title", "home", "domains", "languages", "time_zone", "include", "exclude", "published_from",
    "published_to", "keywords", "prune_xpaths", "paywall_markers", "tracking_parameters", "same_article",
    "sitemap_include", "sitemap_exclude",
}  # fmt: skip


def config_hash(publisher: Publisher) -> str:
    """Name what decides which articles are taken and how; when it changes, pages are fetched and read anew."""
    return hashlib.sha256(publisher.model_dump_json(include=_EXTRACTION_KEYS).encode()).hexdigest()[:16]
