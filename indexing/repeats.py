"""Several texts of one article in a file that does not say when each was seen."""

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime

from core.types import Article
from indexing.articles import Place


class Repeats:
    """
    Lines that are read for the second time.

    A line without a date counts as seen when it is read, so that each text would become a revision once more.

    Memory grows with the articles that have no date, while the file is watched.

    :param since: When the job began: what was seen later bears no time of its own.
    """

    def __init__(self, since: datetime) -> None:
        self._since = since
        self._seen: set[str] = set()
        self._last: dict[str, str] = {}
        self._settled: dict[str, str] = {}

    def watch(self, reading: Iterable[tuple[Article, Place]]) -> Iterator[tuple[Article, Place]]:
        """Pass articles through, and keep the last text of those that come twice."""
        for article, place in reading:
            if article.first_seen_at >= self._since:
                if article.article_id in self._seen:
                    self._last[article.article_id] = article.content_hash
                self._seen.add(article.article_id)
            yield article, place

    def settle(self, current: Callable[[Iterable[str]], dict[str, Article]]) -> None:
        """
        Note the articles that have the last of their texts already.

        :param current: Returns the current revisions of articles, before anything of the file is put.
        """
        found = current(self._last)
        self._settled = {
            name: article.content_hash for name, article in found.items() if article.content_hash == self._last[name]
        }
        self._seen.clear()
        self._last.clear()

    def is_known(self, article: Article) -> bool:
        """Say whether a line is an earlier text of an article that has the file's last one."""
        last = self._settled.get(article.article_id, article.content_hash)
        return article.first_seen_at >= self._since and article.content_hash != last
