"""How fast a host is asked: never faster than it or the publisher file says, slower when it answers slowly."""

import logging
import time
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from scrapy import Request, Spider
from scrapy.crawler import Crawler
from scrapy.downloadermiddlewares.retry import RetryMiddleware
from scrapy.extensions.throttle import AutoThrottle
from scrapy.http import Response

from scraper.crawling.blocks import BlockKind, find_block

logger = logging.getLogger(__name__)
SLOWED = frozenset({429, 503})
"""Statuses by which a host asks for patience."""
FIRST_WAIT_S = 1.0
"""Before the first retry when the host does not say how long; doubled for each further one."""
LONGEST_WAIT_S = 300.0
"""A host that asks for more is left alone until the next crawl."""
LONG_DELAY_S = 60.0
"""Between two pages; a host that asks for more is named in the report."""
LONGEST_DELAY_S = 3600.0
"""A host that asks for more is not crawled."""
STEADY = "LOOKSY_STEADY"
"""Scrapy setting: the site is on this machine, and its answers say nothing about anybody's load."""
_OK, _NOT_MODIFIED = 200, 304
LEAST_DELAY_S = 0.001
"""Without any delay Scrapy's slots know no pause, and start all that is waiting at once, whatever the concurrency."""


class PoliteThrottle(AutoThrottle):
    """
    Scrapy's AutoThrottle with a floor for each host, and pauses.

    :param crawler: Whose download slots, one a host, are slowed.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self.floors: dict[str, float] = {}

    def set_floor(self, host: str, seconds: float) -> None:
        """Never ask a host more often than this; holds for slots that are made later, too."""
        if self.floors.get(host, 0.0) >= seconds:
            return
        self.floors[host] = seconds
        engine = self.crawler.engine
        if engine is None:
            return
        floor = max(seconds, self.mindelay)
        engine.downloader.per_slot_settings.setdefault(host, {})["delay"] = floor
        slot = engine.downloader.slots.get(host)
        if slot is not None:
            slot.delay = max(slot.delay, floor)

    def pause(self, host: str, seconds: float) -> None:
        """Ask a host nothing for a while."""
        engine = self.crawler.engine
        slot = engine.downloader.slots.get(host) if engine is not None else None
        if slot is not None:
            slot.delay = max(slot.delay, LEAST_DELAY_S)
            slot.lastseen = max(slot.lastseen, time.monotonic() + seconds)

    def _adjust_delay(self, slot: Any, latency: float, response: Response) -> None:
        if self.crawler.settings.getbool(STEADY):
            return
        if response.status == _NOT_MODIFIED:  # as telling as 200, unlike an error page
            response = response.replace(status=_OK)
        super()._adjust_delay(slot, latency, response)

    def _response_downloaded(self, response: Response, request: Request, spider: Spider) -> None:
        super()._response_downloaded(response, request, spider)
        host, slot = self._get_slot(request, spider)
        wait = wait_of(request, response)
        if wait is not None and host is not None and wait <= LONGEST_WAIT_S:
            self.pause(host, wait)  # now, before the slot sends what is waiting in it
        if slot is not None and host is not None:
            slot.delay = max(slot.delay, self.floors.get(host, 0.0))


def throttle_of(crawler: Crawler) -> PoliteThrottle:
    """Return the throttle of a running crawl."""
    throttle = crawler.get_extension(PoliteThrottle)
    if throttle is None:
        raise RuntimeError("a crawl runs with PoliteThrottle")
    return throttle


class PatienceMiddleware(RetryMiddleware):
    """
    Scrapy's retries, which also wait when a host asks for it.

    :param crawler: Whose requests.
    """

    def process_response(
        self, request: Request, response: Response, spider: Spider | None = None
    ) -> Request | Response:
        """Try again after 429 and 503; the throttle has paused the host."""
        if find_block(response) is BlockKind.CHALLENGE:
            return response  # asking again at once is what the check is there for
        wait = wait_of(request, response)
        if wait is not None and wait > LONGEST_WAIT_S:
            self.crawler.signals.send_catch_log(asked_to_leave, request=request, seconds=wait)
            return response
        if wait is not None:
            logger.info("%s answered %d; waiting %.0f s", request.url, response.status, wait)
        return super().process_response(request, response)


asked_to_slow_down = object()
"""Signal: a robots.txt was read that asks for a pause between pages; arguments `host` and `seconds`."""
asked_to_leave = object()
"""Signal: a host asked for a longer pause than a crawl waits; arguments `request` and `seconds`."""


def wait_of(request: Request, response: Response) -> float | None:
    """Say how many seconds a host wants to be left alone after an answer; None: not at all."""
    if response.status not in SLOWED:
        return None
    asked_for = retry_after(response.headers.get("Retry-After"))
    return FIRST_WAIT_S * 2 ** request.meta.get("retry_times", 0) if asked_for is None else asked_for


def retry_after(value: bytes | None) -> float | None:
    """Read a Retry-After field, seconds or a date (RFC 9110, section 10.2.3); None if it cannot be read."""
    if value is None:
        return None
    text = value.decode("latin-1").strip()
    if text.isdecimal():
        return float(text)
    try:
        moment = parsedate_to_datetime(text)
    except (TypeError, ValueError, OverflowError):
        return None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())
