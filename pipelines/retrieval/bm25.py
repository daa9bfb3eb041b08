"""Rank passages by BM25 over headline and text."""

from datetime import datetime
from typing import Any

from haystack import Document, component

from indexing.stores.contract import EvidenceStore
from pipelines.retrieval.base import StoreRetriever


@component
class Bm25Retriever(StoreRetriever):
    """
    Ask the store for the passages that share the query's words. Parameters: see `StoreRetriever`.

    >>> Bm25Retriever(store, top_k=3).run("repairs of the Osterholm bridge")["documents"][0].meta["headline"]
    'Osterholm bridge reopens'
    """

    def _search(
        self, store: EvidenceStore, query: str, *, top_k: int, filters: dict[str, Any] | None, as_of: datetime | None
    ) -> list[Document]:
        return store.keyword_search(query, top_k=top_k, filters=filters, as_of=as_of)
