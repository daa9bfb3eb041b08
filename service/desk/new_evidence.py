"""Finds checks for which the index now holds articles that were not read when they were asked."""

from dataclasses import dataclass

from core.types import Result
from indexing.stores.contract import EvidenceStore
from pipelines.query.search_filters import haystack_filters
from service.desk.changes import ArticleChange, ChangeKind
from service.desk.due import Due
from service.desk.own_report import origin_of
from service.desk.rerun import report_of


@dataclass(frozen=True)
class Candidate:
    """A check with new articles among those that would be read for it."""

    due: Due
    rank: int
    """Of the best new passage; 0 is the first."""
    articles: tuple[ArticleChange, ...]
    """The new articles, best first."""

    @property
    def article_ids(self) -> tuple[str, ...]:
        """Ids of the new articles."""
        return tuple(one.article_id for one in self.articles)

    def changes(self, result: Result) -> list[ArticleChange]:
        """Return the new articles that an answer rests on; if it names none of them, the best that was found."""
        named = {one.article_id for one in result.references}
        return [one for one in self.articles if one.article_id in named] or list(self.articles[:1])


def find_candidate(due: Due, *, store: EvidenceStore, top_k: int) -> Candidate | None:
    """
    Search as the check would be read, and see whether anything is new.

    Copies of what the check quotes, and its own report, are not new. A check that was asked as of a day sees nothing
    of what came later; one that asked another search engine rests on nothing of the index.

    :param top_k: Passages that are read for a check that does not say how many.
    """
    request = due.request
    if request.as_of is not None or due.asks_elsewhere:
        return None
    filters = haystack_filters(request.filters)
    hits = store.keyword_search(due.check.text, top_k=request.top_k or top_k, filters=filters)
    ranks: dict[str, int] = {}
    for rank, document in enumerate(hits):
        ranks.setdefault(str(document.meta["article_id"]), rank)
    unread = [name for name in ranks if name not in due.read]
    if not unread:
        return None
    articles, report = store.get_articles(unread), report_of(due, store)
    fresh = [
        articles[name]
        for name in unread
        if name in articles and origin_of(articles[name]) not in due.origins and not report.is_at(articles[name])
    ]
    if not fresh:
        return None
    return Candidate(
        due,
        min(ranks[one.article_id] for one in fresh),
        tuple(
            ArticleChange(
                article_id=one.article_id,
                kind=ChangeKind.NEW_EVIDENCE,
                url=one.url,
                headline=one.headline,
                source=one.source,
                new_hash=one.content_hash,
            )
            for one in fresh
        ),
    )
