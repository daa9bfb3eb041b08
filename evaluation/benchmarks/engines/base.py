"""What an engine must be able to do to be measured."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Protocol

from haystack import Document

from core.types import Article

Batch = Sequence[tuple[Article, list[Document]]]
"""Articles with the documents of their passages."""


class Engine(Protocol):
    """A search engine over passages, with headline and text."""

    def __init__(self, folder: Path) -> None:
        """Use an empty folder."""

    def add(self, batch: Batch) -> None:
        """Index passages."""

    def finish(self) -> None:
        """Make everything searchable and durable."""

    def open(self) -> None:
        """Open for searching, as a process would that has not indexed."""

    def search(self, text: str, *, top_k: int, published_from: datetime | None = None) -> list[str]:
        """Return passage ids, best first, after reading the passages' texts."""
        ...

    def close(self) -> None:
        """Give back what is open; remove what is not in the folder."""
