"""Find segments of other articles for a question about a text."""

from datetime import datetime
from typing import Any

from haystack import Document, component

from core.settings import Settings
from core.types import Article
from indexing.stores.contract import EvidenceStore
from pipelines.injection.sanitise import shown_headline
from pipelines.retrieval.choose_retriever import make_retriever, retriever_identity
from pipelines.retrieval.search_arguments import require_store
from pipelines.systems.lateral.namesakes import namesakes
from pipelines.systems.lateral.segments import best_segments, is_copy
from pipelines.systems.lateral.types import Question, SourceText


@component
class SegmentRetriever:
    """
    Search with the retriever of the settings; keep the best segments of the best articles of other origins.

    :param document_store: None: filled in by Looksy's loader.
    :param settings: Name the retriever; None: the defaults.
    :param articles: Articles to keep, one per origin.
    :param segments: Segments of each.
    """

    def __init__(
        self,
        document_store: EvidenceStore | None = None,
        *,
        settings: Settings | None = None,
        articles: int = 3,
        segments: int = 2,
    ) -> None:
        self.document_store = document_store
        self.articles = articles
        self.segments = segments
        self.settings = settings or Settings()

    @property
    def identity(self) -> str:
        """Name the embedder that searches, for the run record; empty: there is none."""
        return retriever_identity(self.settings)

    @component.output_types(documents=list[Document], namesakes=list[str])
    def run(
        self,
        query: str,
        question: Question,
        source: SourceText,
        *,
        top_k: int | None = None,
        filters: dict[str, Any] | None = None,
        as_of: datetime | None = None,
    ) -> dict[str, Any]:
        """
        Search.

        :param query: The question's text.
        :param source: The text that it is about; articles of its origin are left out.
        :param top_k: Passages to look at.
        :returns: `documents`, segments; `namesakes`, headlines of articles about other people of the same name.
        """
        store = require_store(self.document_store, "SegmentRetriever")
        retriever = make_retriever(self.settings.retriever, store, self.settings)
        passages = retriever.run(query, top_k=top_k, filters=filters, as_of=as_of)["documents"]
        kept: list[Article] = []
        others: list[str] = []
        origins: set[str] = set()
        for article in _articles(store, passages):
            origin = article.origin_id or article.article_id
            if origin in origins or _is_source(article, source) or len(kept) >= self.articles:
                continue
            origins.add(origin)
            if namesakes(question.people, text=source.text, other=f"{article.headline}. {article.body}"):
                others.append(shown_headline(article))
            else:
                kept.append(article)
        return {"documents": best_segments(query, kept, keep=self.segments), "namesakes": others}


def _articles(store: EvidenceStore, passages: list[Document]) -> list[Article]:
    """Return the articles of passages in the revisions that were found, each once, best first."""
    current = store.get_articles({str(one.meta["article_id"]) for one in passages})
    found: dict[str, Article] = {}
    for passage in passages:
        name = str(passage.meta["article_id"])
        article = current.get(name)
        if article is not None and article.revision != passage.meta["revision"]:
            revisions = store.get_revisions(name)
            article = next((one for one in revisions if one.revision == passage.meta["revision"]), None)
        if article is not None:
            found.setdefault(name, article)
    return list(found.values())


def _is_source(article: Article, source: SourceText) -> bool:
    own = source.article
    if own is not None and (article.origin_id or article.article_id) == (own.origin_id or own.article_id):
        return True
    return is_copy(source.text, article.body)
