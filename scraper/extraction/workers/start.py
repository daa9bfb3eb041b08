"""Where an extraction process begins; the crawling process imports this, but not the extractor."""

import socket

from scraper.extraction.workers.tasks import PageLimits
from scraper.publishers import Publisher


def serve_pages(connection: socket.socket, publisher: Publisher, limits: PageLimits) -> None:
    """Load the extractor and answer tasks until the other end closes."""
    from scraper.extraction.workers import process

    process.serve_pages(connection, publisher, limits)
