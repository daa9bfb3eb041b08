"""What the process that was asked for a crawl and the one that crawls tell each other."""

from pathlib import Path
from typing import Literal

from core.errors import InputError
from core.types import Model
from scraper.extraction.workers.tasks import PageLimits
from scraper.publishers import Publisher
from scraper.state.report import CrawlReport


class CrawlJob(Model):
    """Everything the crawling process has to know."""

    publisher: Publisher
    data_dir: Path
    home: str | None = None
    contact: str
    workers: int = 1
    limit: int | None = None
    page_limits: PageLimits = PageLimits()


class CrawlEvent(Model):
    """One line from the crawling process."""

    kind: Literal["progress", "finished", "failed"]
    done: int = 0
    total: int | None = None
    message: str = ""
    """Of progress: what is being done. Of a failure: the error's message."""
    error: str | None = None
    """Of a failure: the error's code."""
    field: str | None = None
    hint: str | None = None
    report: CrawlReport | None = None


def check_counts(*, workers: int, limit: int | None) -> None:
    """
    Refuse a crawl by nobody, or of nothing.

    :raises InputError: For the first count that is below 1.
    """
    for name, value in (("workers", workers), ("limit", limit)):
        if value is not None and value < 1:
            raise InputError(f"{name} is {value}; it must be at least 1", field=name)
