"""Imported articles whose addresses differ in a mark only (`?ref=101`): one article if their texts are alike."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from core.editions import are_alike
from core.types import Article
from core.urls import article_id, exact_article_id, exact_url, variant_marks
from indexing.articles import Place, read_articles


class ImportIdentities:
    """
    Names the articles of an imported file by the rule of the crawl: variants of an address are one article, unless
    their texts are unlike.

    Memory grows with the number of articles, while the file is watched.

    :param file: That is imported.
    :param current: Returns articles of the index, as they are before anything of the file is put.
    """

    def __init__(self, file: Path, *, current: Callable[[Iterable[str]], dict[str, Article]]) -> None:
        self._file = file
        self._current = current
        self._first: dict[str, Place] = {}
        self._marked: set[str] = set()
        self._own_names: dict[str, str] = {}

    def watch(self, reading: Iterable[tuple[Article, Place]]) -> Iterator[tuple[Article, Place]]:
        """Pass articles through, each under its name, and remember the names."""
        before = Place()
        for article, place in reading:
            if article.article_id == article_id(article.url):
                self._look_at(article, before)
            yield self.named(article), place
            before = place
        self._first.clear()

    def named(self, article: Article) -> Article:
        """Give an article the name that was found for its address."""
        name = self._own_names.get(exact_url(article.url)) if self._own_names else None
        return article if name is None else article.model_copy(update={"article_id": name})

    def _look_at(self, article: Article, before: Place) -> None:
        name, is_marked = article.article_id, bool(variant_marks(article.url))
        if name in self._first:
            other = self._read_first(name) if is_marked or name in self._marked else None
        else:
            self._first[name] = before
            other = self._current([name]).get(name) if is_marked else None
        if is_marked:
            self._marked.add(name)
        if other is not None and exact_url(other.url) != exact_url(article.url) and not are_alike(other, article):
            self._own_names[exact_url(article.url)] = exact_article_id(article.url)

    def _read_first(self, name: str) -> Article:
        return next(read_articles(self._file, start=self._first[name], is_whole=True)).article
