"""The stories that the sample site publishes."""

import gzip
import json
from datetime import UTC, date, datetime, time
from functools import cached_property
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

from pydantic import Field

from core.errors import InputError
from core.files import UNREADABLE
from core.types import Model


class Story(Model):
    """One article of the sample corpus, as its file writes it."""

    id: str
    url: str
    """Address of the story at its publisher: the canonical link of its page."""
    headline: str = Field(min_length=1)
    published_at: date
    body: str = Field(min_length=1)
    """Paragraphs separated by one blank line."""
    section: str
    authors: tuple[str, ...]
    language: str

    @cached_property
    def path(self) -> str:
        """Path of the page on any host, percent-decoded."""
        return unquote(urlsplit(self.url).path)

    @cached_property
    def encoded_path(self) -> str:
        """Path of the page as it stands in a link."""
        return quote(self.path, safe="/,'()!$:;@&=+*~")

    @property
    def paragraphs(self) -> list[str]:
        """The paragraphs of the body."""
        return self.body.split("\n\n")

    @property
    def published_time(self) -> datetime:
        """Midnight UTC of the day of publication."""
        return datetime.combine(self.published_at, time.min, tzinfo=UTC)


def read_stories(articles_file: Path) -> list[Story]:
    """
    Read the stories, in the order of the file.

    :param articles_file: JSON lines, gzip-compressed if the name ends in `.gz`.
    :raises InputError: If the file is missing, or a line is not a story.
    """
    try:
        raw = articles_file.read_bytes()
        text = (gzip.decompress(raw) if articles_file.suffix == ".gz" else raw).decode()
        return [Story.model_validate(json.loads(line)) for line in text.split("\n") if line.strip()]
    except (ValueError, *UNREADABLE) as error:
        raise InputError(
            f"The sample site cannot be made from {articles_file}: {error}",
            field="articles_file",
            hint="Each line needs id, url, headline, published_at, body, section, authors and language.",
        ) from error
