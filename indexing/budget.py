"""How many passages a job would have to make vectors of, counted while its articles are read for the first time."""

from collections.abc import Iterable, Iterator

from core.types import Article
from indexing.articles import Place
from indexing.passages import split_passages


class PassageBudget:
    """
    Counts passages, and stops counting when there are too many.

    :param limit: None: nothing is counted.
    """

    def __init__(self, limit: int | None) -> None:
        self._limit = limit
        self._count = 0

    @property
    def is_exceeded(self) -> bool:
        """Say whether there are more than the limit."""
        return self._limit is not None and self._count > self._limit

    def add(self, passages: int) -> None:
        """Count passages that are known already."""
        self._count += passages

    def watch(self, reading: Iterable[tuple[Article, Place]]) -> Iterator[tuple[Article, Place]]:
        """Pass articles through, and count their passages."""
        for article, place in reading:
            if self._limit is not None and self._count <= self._limit:
                self._count += len(split_passages(article))
            yield article, place

    def notice(self) -> str | None:
        """Say, in one line, that vectors were left out; None: they were not."""
        if not self.is_exceeded:
            return None
        return (
            f"The index has more than {self._limit:,} passages: it is searched by words only. "
            "'looksy index --rebuild --vectors' makes vectors too, for the retrievers embedding and hybrid."
        )
