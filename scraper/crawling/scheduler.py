"""Gives Scrapy its next request: robots, sitemaps, redirects and retries from memory, pages from the state file."""

import heapq
import itertools
from collections import deque
from typing import Any, Self

from scrapy import Request, Spider
from scrapy.core.scheduler import BaseScheduler
from scrapy.crawler import Crawler

from scraper.state.frontier import Frontier, Page

BATCH = 64
PAGE = "looksy_page"
"""Request meta: the page that a request is for."""


class StateScheduler(BaseScheduler):
    """
    Holds few requests in memory, however many pages are due.

    A page that was given out is not given out again in this session, settled or not. A crawl that is stopping is given
    nothing more.
    """

    def __init__(self) -> None:
        self._waiting: list[tuple[int, int, Request]] = []
        self._order = itertools.count()
        self._batch: deque[Page] = deque()
        self._position = 0
        self._given: set[int] = set()
        self._spider: Any = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make one for a crawl."""
        return cls()

    def open(self, spider: Spider) -> None:
        """Take the spider whose pages are due."""
        self._spider = spider

    def enqueue_request(self, request: Request) -> bool:
        """Keep a request; those of higher priority go first."""
        heapq.heappush(self._waiting, (-request.priority, next(self._order), request))
        return True

    def has_pending_requests(self) -> bool:
        """Say whether anything is left that may be asked for now."""
        if self._spider.stopping:
            return False
        return bool(self._waiting) or (self._spider.wants_pages and (bool(self._batch) or self._refill()))

    def next_request(self) -> Request | None:
        """Return the next request; None: nothing to do now."""
        if self._spider.stopping:
            return None  # what waits is due or pending in the state, too
        if self._waiting:
            return heapq.heappop(self._waiting)[2]
        if not self._spider.wants_pages or not (self._batch or self._refill()):
            return None
        page = self._batch.popleft()
        self._given.add(page.id)
        with self._spider.keeping():
            request: Request = self._spider.page_request(page)
            return request
        return None

    def settled(self, page: Page) -> None:
        """Forget a page that has been settled."""
        self._given.discard(page.id)

    def _refill(self) -> bool:
        """Read pages that are due, from where the last reading ended, then once more from the beginning."""
        frontier: Frontier | None = self._spider.frontier
        if frontier is None:
            return False
        with self._spider.keeping():
            for position in (self._position, 0):
                pages = frontier.due(after=position, limit=BATCH + len(self._given))
                fresh = [page for page in pages if page.id not in self._given]
                if fresh:
                    self._position = pages[-1].id
                    self._batch.extend(fresh)
                    return True
        return False
