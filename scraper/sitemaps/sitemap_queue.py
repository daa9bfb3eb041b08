"""Follows sitemaps and feeds: index to index, and into the state file what they list."""

import asyncio
import itertools
import logging
import sqlite3
from collections.abc import AsyncIterator, Iterable, Iterator

from scrapy import Request
from scrapy.http import Response

from scraper.headers import WITH_CONTENT, validators
from scraper.publishers import Publisher
from scraper.publishers.site import Site
from scraper.sitemaps.entries import SitemapEntry, absolute
from scraper.sitemaps.reader import SitemapKind, SitemapReader
from scraper.sitemaps.selection import Selection
from scraper.state.crawls import Crawl, KnownSitemap, Sitemaps
from scraper.state.database import Database
from scraper.state.frontier import Frontier, Listed
from scraper.state.variants import Variants

logger = logging.getLogger(__name__)
MAX_DEPTH = 5
MAX_SITEMAPS = 20_000
MAX_SITEMAP_BYTES = 64 * 1024 * 1024
FEW = 0.5
"""A sitemap that lists less than this share of what it listed last time is reported."""
ENOUGH_TO_COMPARE = 5
BATCH = 1000
SITEMAP = "looksy_sitemap"
"""Request meta: the sitemap that a request is for."""
_NOT_MODIFIED = 304
_ABOVE_PAGES = 10


def first_sitemaps(publisher: Publisher, named_by_robots: list[str]) -> list[str]:
    """Return what a crawl begins with: the sitemaps and feeds of the file, else those of robots.txt, else a guess."""
    named = [*publisher.sitemaps, *publisher.feeds]
    return named or named_by_robots or ["/sitemap.xml"]


class SitemapQueue:
    """
    The sitemaps of one run.

    :param database: Open.
    :param run: Whose.
    :param site: Names pages, and says where they are fetched from.
    :param selection: Says what is wanted.
    """

    def __init__(self, database: Database, run: Crawl, *, site: Site, selection: Selection) -> None:
        self.database = database
        self.site = site
        self.selection = selection
        self.sitemaps = Sitemaps(database, run)
        self.frontier = Frontier(database, run)
        self.variants = Variants(database, run, marks=selection.marks, exact_key=selection.exact_key)
        self.warnings: list[str] = []
        self._feeds = {absolute(url, base=f"{site.publisher.home}/") for url in site.publisher.feeds}
        self._met = 0
        self._pages = 0
        self._unwanted_sitemaps = 0

    def begin(self, named_by_robots: list[str]) -> Iterator[Request]:
        """Yield requests for the sitemaps to begin with, and for those that an interrupted session left."""
        named = first_sitemaps(self.site.publisher, self._addresses(named_by_robots))
        urls = [f"{self.site.publisher.home}{url}" if url.startswith("/") else self.site.identity(url) for url in named]
        yield from self._requests([*self.sitemaps.pending(), *self.sitemaps.add(urls, depth=0)])

    def _addresses(self, lines: list[str]) -> list[str]:
        """Return the addresses that robots.txt names; note the lines that are none."""
        found = {line: absolute(line, base=f"{self.site.publisher.home}/") for line in lines}
        odd = [line for line, address in found.items() if address is None]
        self.warnings += [f"robots.txt names a sitemap at {line[:200]!r}, which is not an address" for line in odd]
        return [address for address in found.values() if address is not None]

    def _requests(self, sitemaps: Iterable[KnownSitemap]) -> Iterator[Request]:
        """Yield requests; a sitemap that cannot be asked for is noted, and not left pending."""
        for known in sitemaps:
            try:
                request = self._request(known)
            except ValueError as error:
                self.failed(known, f"not asked for ({error})")
            else:
                yield request

    def _request(self, known: KnownSitemap) -> Request:
        headers = {}
        if known.etag:
            headers["If-None-Match"] = known.etag
        if known.last_modified:
            headers["If-Modified-Since"] = known.last_modified
        meta = {SITEMAP: known, "download_maxsize": MAX_SITEMAP_BYTES, "download_fail_on_dataloss": False}
        return Request(
            self.site.fetch_address(known.url), headers=headers, meta=meta, dont_filter=True, priority=_ABOVE_PAGES
        )

    def failed(self, known: KnownSitemap, reason: str) -> None:
        """Note a sitemap that could not be fetched or read."""
        self._warn(known, reason)
        self.sitemaps.keep(known.url, problem=reason)

    async def read(self, response: Response) -> AsyncIterator[Request]:
        """Take in what a sitemap lists, and yield requests for the sitemaps that it names."""
        known: KnownSitemap = response.meta[SITEMAP]
        if response.status == _NOT_MODIFIED and (known.etag or known.last_modified):
            self.sitemaps.keep(known.url)
            return
        if response.status not in WITH_CONTENT:
            self.failed(known, f"HTTP status {response.status}")
            return
        reader = SitemapReader(response.body, response.url, zone=self.site.publisher.zone)
        try:
            children = await self._take_in(reader, response, known)
        except sqlite3.Error:
            raise  # not the sitemap's fault: it stays pending
        except Exception as error:  # whatever it does to its reader, it must not stay pending for good
            logger.exception("%s could not be read", known.url)
            self.failed(known, f"not read ({type(error).__name__}: {error})")
            return
        problems = [*reader.problems, *(["the transfer broke off"] if "dataloss" in response.flags else [])]
        for problem in [*problems, *self._too_few(reader, known)]:
            self._warn(known, problem)
        for request in self._requests(children):
            yield request

    def warn_if_empty(self) -> None:
        """Note, once all sitemaps are read, that they led to no page."""
        if self.frontier.count_known() == 0:
            left_out = f" and {self._unwanted_sitemaps} further sitemaps" if self._unwanted_sitemaps else ""
            listing = "sitemaps and feeds" if self._feeds else "sitemaps"
            self.warnings.append(
                f"nothing to fetch: the {listing} list {self._pages} pages{left_out}, and the publisher file wants none"
                " of them; look at sitemaps, feeds, include, exclude and the date range"
            )

    async def _take_in(self, reader: SitemapReader, response: Response, known: KnownSitemap) -> list[KnownSitemap]:
        """
        Write pages and further sitemaps to the state and return the latter.

        A sitemap of which only a part was written when the crawl was killed is still to be read, and read again.
        """
        children: list[str] = []
        etag, last_modified = validators(response)
        entries = iter(reader)
        while batch := list(itertools.islice(entries, BATCH)):
            wanted = list(self._wanted(batch, children))
            with self.database.transaction() as sql:
                if self.site.publisher.same_article:
                    wanted = self.frontier.rename(sql, wanted, same_address=self.selection.same_address)
                self.variants.add(sql, wanted)
            await asyncio.sleep(0)  # pages that are on their way must not time out because a sitemap is long
        followed = self._follow(children, known, is_feed=reader.kind is SitemapKind.FEED)
        with self.database.transaction() as sql:
            intact = not reader.problems and "dataloss" not in response.flags
            self.sitemaps.settle(
                sql, known.url, kind=reader.kind,
                etag=etag if intact else None, last_modified=last_modified if intact else None,
                entries=reader.entries, problem="; ".join(reader.problems) or None,
            )  # fmt: skip
        return followed

    def _wanted(self, entries: Iterable[SitemapEntry], children: list[str]) -> Iterator[Listed]:
        for entry in entries:
            url = self.site.identity(entry.url)
            if entry.is_sitemap:
                children.append(url)
                continue
            self._pages += 1
            if self.selection.wants_page(url, entry):
                yield Listed(self.selection.key(url), url, entry.lastmod, entry.published_at)

    def _follow(self, children: list[str], parent: KnownSitemap, *, is_feed: bool) -> list[KnownSitemap]:
        wanted = [url for url in dict.fromkeys(children) if self.selection.wants_sitemap(url)]
        self._unwanted_sitemaps += len(set(children)) - len(wanted)
        if not wanted:
            return []
        if parent.depth >= MAX_DEPTH and is_feed:
            return []  # older pages of a feed: a crawl reads a few
        if parent.depth >= MAX_DEPTH:
            self._warn(parent, f"its {len(wanted)} sitemaps lie deeper than {MAX_DEPTH} levels and were not read")
            return []
        room = max(0, MAX_SITEMAPS - self._met)
        if len(wanted) > room:
            self._warn(parent, f"{len(wanted) - room} of its sitemaps were not read; a crawl reads {MAX_SITEMAPS}")
        new = self.sitemaps.add(wanted[:room], depth=parent.depth + 1)
        self._met += len(new)
        return new

    def _too_few(self, reader: SitemapReader, known: KnownSitemap) -> list[str]:
        if reader.entries == 0 and not reader.problems:
            return ["it lists nothing"]
        before = 0 if reader.kind is SitemapKind.FEED else known.entries or 0  # a feed lists what is new
        if before >= ENOUGH_TO_COMPARE and reader.entries < FEW * before:
            return [f"it lists {reader.entries} addresses; last time it listed {before}"]
        return []

    def _warn(self, known: KnownSitemap, problem: str) -> None:
        self.warnings.append(f"{'feed' if known.url in self._feeds else 'sitemap'} {known.url}: {problem}")
