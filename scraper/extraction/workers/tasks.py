"""What goes to an extraction process and what comes back."""

import hashlib
from dataclasses import dataclass
from datetime import datetime

from core.types import Article
from scraper.rejection import Rejection


@dataclass(frozen=True)
class PageTask:
    """One fetched page."""

    url: str
    """The address it is known by, after redirects."""
    content: bytes
    headers: tuple[tuple[str, str], ...]
    fetched_at: datetime
    status: int = 200
    listed_at: datetime | None = None
    """Time of publication that a news sitemap or feed gave."""
    archive: bool = True
    """Make an archive record of it."""
    further: tuple[tuple[str, bytes], ...] = ()
    """Addresses and contents of the pages on which its story goes on."""

    @property
    def whole(self) -> bytes:
        """The contents of all pages of the story."""
        return b"".join((self.content, *(content for _, content in self.further)))


@dataclass(frozen=True)
class PageResult:
    """What was found in a page."""

    found: Article | Rejection
    record: bytes | None = None
    """The page as one compressed WARC record; None if none was asked for, or extraction broke."""
    page_hash: str | None = None
    """As `hash_page` makes it; None if extraction broke."""


@dataclass(frozen=True)
class PageLimits:
    """What one page may cost."""

    seconds: float = 20.0
    memory_mb: int = 1024
    """Address space of an extraction process beyond what it needs when idle."""
    pages_per_process: int = 2000
    """A process is replaced after so many pages."""


def hash_page(content: bytes) -> str:
    """Name a page by what was served: SHA-256, in hexadecimal."""
    return hashlib.sha256(content).hexdigest()
