"""What an engine must be able to do to be measured."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import ClassVar, Protocol

from haystack import Document

from core.types import Article

Batch = Sequence[tuple[Article, list[Document]]]
"""Articles with the documents of their passages."""


class Engine(Protocol):
    """
    A search engine over passages, with headline and text.

    `on_disk`: another process can open what this one has indexed.
    """

    on_disk: ClassVar[bool]

    def __init__(self, folder: Path) -> None:
        """Keep everything in this folder; nothing is opened yet."""

    def create(self) -> None:
        """Begin an empty index."""

    def add(self, batch: Batch) -> None:
        """Index passages."""

    def finish(self) -> None:
        """Make everything searchable and durable."""

    def open(self) -> None:
        """Open what was finished for searching."""

    def search(self, text: str, *, top_k: int, published_from: datetime | None = None) -> list[str]:
        """Return passage ids, best first, after reading the passages' texts."""
        ...

    def close(self) -> None:
        """Give back what is open."""

    def destroy(self) -> None:
        """Remove what is not in the folder."""
