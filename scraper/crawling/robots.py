"""robots.txt as RFC 9309 has it."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any, Self
from urllib.parse import urlsplit

from protego import Protego
from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Response
from scrapy.http.request import NO_CALLBACK

from scraper.crawling.failures import describe
from scraper.crawling.politeness import LONGEST_DELAY_S, asked_to_slow_down, throttle_of
from scraper.crawling.robots_text import MAX_BYTES, PRODUCT, parse_robots
from scraper.crawling.safety import ALLOW_OFFSITE
from scraper.extraction.workers.pool import AbandonedError

logger = logging.getLogger(__name__)
SKIP = "dont_obey_robotstxt"
_ENDLESS_S = 10**9
_REDIRECTED, _SERVER_ERROR = 300, 500


class RobotsState(StrEnum):
    """How robots.txt was answered."""

    READ = "read"
    MISSING = "missing"
    """4xx, also 429 after the pauses that it asked for: everything is allowed."""
    UNREACHABLE = "unreachable"
    """5xx, or no answer: nothing is allowed."""


@dataclass(frozen=True)
class RobotsRules:
    """What a host allows."""

    state: RobotsState
    parser: Protego
    problem: str | None = None
    """Why it was unreachable; a sentence for a person."""

    def allows(self, url: str) -> bool:
        """Say whether a page may be fetched. The longest matching rule decides; Allow wins a tie."""
        return self.state is not RobotsState.UNREACHABLE and bool(self.parser.can_fetch(url, PRODUCT))

    @cached_property
    def delay(self) -> float:
        """Least seconds between two requests, from Crawl-delay or Request-rate; 0: it does not say."""
        rate = self.parser.request_rate(PRODUCT)
        per_request = min(rate.seconds, _ENDLESS_S) / rate.requests if rate and rate.requests else 0.0
        return max(float(self.parser.crawl_delay(PRODUCT) or 0.0), per_request)

    @property
    def sitemaps(self) -> list[str]:
        """Sitemaps that it names."""
        return list(self.parser.sitemaps)


class RobotsRefusedError(IgnoreRequest):
    """robots.txt forbids the page."""

    reason = "refused_by_robots"


class RobotsUnreachableError(IgnoreRequest):
    """robots.txt could not be read, so nothing of the host may be fetched now."""

    reason = "robots_unreachable"


class RobotsMiddleware:
    """
    Reads each host's robots.txt once per crawl and holds requests to it.

    :param crawler: Fetches.
    """

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self._rules: dict[str, asyncio.Future[RobotsRules]] = {}

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make one for a crawl."""
        return cls(crawler)

    async def process_request(self, request: Request) -> None:
        """
        Let a request pass, or refuse it.

        :raises AbandonedError: If the crawl was stopped because the host wants to be asked too rarely.
        """
        if request.meta.get(SKIP):
            return
        rules = await self.rules_for(request.url)
        if rules.delay > LONGEST_DELAY_S and getattr(self.crawler.spider, "stopping", False):
            raise AbandonedError
        if rules.delay:
            throttle_of(self.crawler).set_floor(urlsplit(request.url).hostname or "", rules.delay)
        if rules.state is RobotsState.UNREACHABLE:
            raise RobotsUnreachableError(rules.problem)
        if not rules.allows(request.url):
            raise RobotsRefusedError("robots")

    async def rules_for(self, url: str) -> RobotsRules:
        """Return the rules of a page's host, fetching them if that was not done yet."""
        parts = urlsplit(url)
        origin = f"{parts.scheme}://{parts.netloc}"
        known = self._rules.get(origin)
        if known is None:
            known = self._rules[origin] = asyncio.ensure_future(self._fetch(origin))
        return known.result() if known.done() else await asyncio.shield(known)

    async def _fetch(self, origin: str) -> RobotsRules:
        request = robots_request(origin, callback=NO_CALLBACK)
        try:
            response = await self.crawler.engine.download_async(request)
        except Exception as error:
            logger.warning("%s could not be read: %s", request.url, error)
            return RobotsRules(RobotsState.UNREACHABLE, Protego.parse(""), describe(error))
        rules = read_rules(response)
        host = urlsplit(origin).netloc
        self.crawler.signals.send_catch_log(asked_to_slow_down, host=host, seconds=rules.delay)
        return rules


def robots_request(origin: str, *, callback: Callable[..., Any], errback: Callable[..., Any] | None = None) -> Request:
    """Ask for a host's robots.txt."""
    meta = {SKIP: True, ALLOW_OFFSITE: True, "download_maxsize": 8 * MAX_BYTES}
    return Request(f"{origin}/robots.txt", callback=callback, errback=errback, priority=1000, meta=meta)


def read_rules(response: Response) -> RobotsRules:
    """Read what a host answered."""
    status = response.status
    if status >= _SERVER_ERROR:
        problem = f"robots.txt was answered with HTTP status {status}"
        return RobotsRules(RobotsState.UNREACHABLE, Protego.parse(""), problem)
    if status >= _REDIRECTED:  # a redirect that cannot be followed counts as 4xx: there is no robots.txt
        return RobotsRules(RobotsState.MISSING, Protego.parse(""))
    return RobotsRules(RobotsState.READ, parse_robots(response.body))
