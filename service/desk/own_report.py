"""Knows the newsroom's own report of a check: it, and copies of it, are never evidence for that check."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from core.types import Article
from core.urls import article_id, exact_article_id
from service.desk.comparison import plain
from service.desk.types import Check

LEAST_COMMENT_CHARS = 60
"""People's words about a check that a page must repeat to count as its report; fewer are nobody's mark."""


@dataclass(frozen=True)
class OwnReport:
    """What the report of a check is known by."""

    article_ids: frozenset[str]
    """Of the page where the newsroom published it; empty: it has not said where."""
    names: tuple[str, ...]
    """Ids of the check and its runs, which nobody writes by chance."""
    words: tuple[str, ...]
    """What people wrote on the check, without blanks and case."""

    def is_at(self, article: Article) -> bool:
        """Say whether an article is the report, or repeats it."""
        if article.article_id in self.article_ids:
            return True
        text = f"{article.url}\n{article.body}"
        if any(name in text for name in self.names):
            return True
        if not self.words:
            return False
        body = plain(article.body)
        return any(one in body for one in self.words)


def own_report(
    check: Check, run_ids: Collection[str], *, comments: Iterable[str], evidence: Iterable[str]
) -> OwnReport:
    """
    Say what the report of a check is known by.

    :param run_ids: Its answers.
    :param comments: What people wrote on their decisions.
    :param evidence: Bodies of articles that the check quotes: a comment that is copied from one marks no report.
    """
    bodies = [plain(body) for body in evidence]
    words = [plain(comment) for comment in comments if len(comment) >= LEAST_COMMENT_CHARS]
    url = check.published_url
    return OwnReport(
        article_ids=frozenset({article_id(url), exact_article_id(url)} if url else ()),
        names=(check.check_id, *run_ids),
        words=tuple(one for one in words if not any(one in body for body in bodies)),
    )


def origin_of(article: Article) -> str:
    """Return what an article shares with its copies."""
    return article.origin_id or article.article_id
