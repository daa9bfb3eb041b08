"""Fetch the stored articles behind retrieved passages."""

from haystack import Document, component

from core.types import Article, Notice
from indexing.stores.contract import EvidenceStore
from pipelines.retrieval.search_arguments import require_store


@component
class ArticleLoader:
    """
    Put each passage beside the article revision that it was cut from.

    A passage that no longer stands in its article (deleted or replaced since it was retrieved) is dropped and counted.

    >>> passages = store.keyword_search("Osterholm bridge", top_k=3)
    >>> found = ArticleLoader(store).run(passages)
    >>> found["articles"][passages[0].id].headline
    'Osterholm bridge reopens'

    :param document_store: The store that was searched; None: filled in by Looksy's loader.
    """

    def __init__(self, document_store: EvidenceStore | None = None) -> None:
        self.document_store = document_store

    @component.output_types(documents=list[Document], articles=dict[str, Article], warnings=list[Notice])
    def run(self, documents: list[Document]) -> dict[str, object]:
        """
        Load the articles.

        :param documents: Retrieved passages.
        :returns: `documents` that still stand, in order; `articles` by passage id; `warnings`.
        """
        store = require_store(self.document_store, "ArticleLoader")
        current = store.get_articles({str(document.meta["article_id"]) for document in documents})
        articles: dict[str, Article] = {}
        for document in documents:
            article = current.get(str(document.meta["article_id"]))
            if article is not None and article.revision != document.meta["revision"]:
                article = _revision(store, document)
            if article is not None and _stands(document, article):
                articles[document.id] = article
        kept = [document for document in documents if document.id in articles]
        return {"documents": kept, "articles": articles, "warnings": _warnings(len(documents) - len(kept))}


def _revision(store: EvidenceStore, document: Document) -> Article | None:
    revisions = store.get_revisions(str(document.meta["article_id"]))
    return next((article for article in revisions if article.revision == document.meta["revision"]), None)


def _stands(document: Document, article: Article) -> bool:
    start, end = int(document.meta["start"]), int(document.meta["end"])
    return bool(document.content) and article.body[start:end] == document.content


def _warnings(dropped: int) -> list[Notice]:
    if not dropped:
        return []
    message = f"{dropped} passages were deleted or changed while the answer was being made; they were left out."
    return [Notice(code="passage_gone", message=message)]
