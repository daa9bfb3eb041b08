"""Keeps every request, and every redirect, on the publisher's own site."""

from typing import Self

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import IgnoreRequest

from scraper.publishers.site import Site

ALLOW_OFFSITE = "allow_offsite"
"""Request meta: robots.txt may redirect to another host (RFC 9309, section 2.3.1.2)."""


class RefusedRequestError(IgnoreRequest):
    """
    A request that must not be made.

    :param reason: Code for the report.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class SafetyMiddleware:
    """
    Refuses addresses that are not the publisher's, before anything is resolved.

    :param site: Says which are.
    """

    def __init__(self, site: Site) -> None:
        self.site = site

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make one for a crawl; the site comes as a setting."""
        return cls(crawler.settings["LOOKSY_SITE"])

    def process_request(self, request: Request) -> None:
        """Let a request pass, or refuse it."""
        reason = self.site.refusal(request.url)
        if reason is None or (reason == "offsite" and request.meta.get(ALLOW_OFFSITE)):
            return
        raise RefusedRequestError(f"redirected_{reason}" if request.meta.get("redirect_times") else reason)
