"""Counts requests and bytes; Scrapy's own statistics write every request out as text to learn its length."""

from typing import Self

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import Response

_STATUS_LINE_BYTES = len("HTTP/1.1 200 OK\r\n\r\n")
_PER_FIELD_BYTES = len(": \r\n")


class TrafficMeter:
    """Stands next to the network, so that redirects, retries and compressed sizes count."""

    def __init__(self) -> None:
        self.requests = 0
        self.received = 0
        """Bytes of heads and bodies, as they came over the wire."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make one for a crawl."""
        return cls()

    def process_request(self, request: Request) -> None:
        """Count a request."""
        self.requests += 1

    def process_response(self, request: Request, response: Response) -> Response:
        """Count an answer."""
        fields = dict.items(response.headers)
        head = sum(len(name) + len(value) + _PER_FIELD_BYTES for name, values in fields for value in values)
        self.received += _STATUS_LINE_BYTES + head + len(response.body)
        return response
