"""Rank passages by words and by meaning, fused by reciprocal rank."""

from datetime import datetime
from typing import Any

from haystack import Document, component

from indexing.stores.contract import EvidenceStore
from pipelines.retrieval.base import VectorRetriever


@component
class HybridRetriever(VectorRetriever):
    """
    Ask the store for the passages that share the query's words, and those nearest in meaning, and fuse both rankings.

    >>> HybridRetriever(store, top_k=3).run("repairs of the Osterholm bridge")["documents"][0].meta["headline"]
    'Osterholm bridge reopens'

    Parameters: see `VectorRetriever`. A run raises `StoreVersionError` if the index has no vectors, or those of another
    embedder.
    """

    def _search(
        self, store: EvidenceStore, query: str, *, top_k: int, filters: dict[str, Any] | None, as_of: datetime | None
    ) -> list[Document]:
        vector = self._vector.of(query, store)
        return store.hybrid_search(query, vector, top_k=top_k, filters=filters, as_of=as_of)
