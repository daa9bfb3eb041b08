"""Rank passages by the cosine between their vectors and the query's."""

from datetime import datetime
from typing import Any

from haystack import Document, component

from indexing.stores.contract import EvidenceStore
from pipelines.retrieval.base import VectorRetriever


@component
class EmbeddingRetriever(VectorRetriever):
    """
    Ask the store for the passages nearest to the query in meaning. Parameters: see `VectorRetriever`.

    >>> EmbeddingRetriever(store, top_k=3).run("repairs of the Osterholm bridge")["documents"][0].meta["headline"]
    'Osterholm bridge reopens'

    A run raises `StoreVersionError` if the index has no vectors, or those of another embedder.
    """

    def _search(
        self, store: EvidenceStore, query: str, *, top_k: int, filters: dict[str, Any] | None, as_of: datetime | None
    ) -> list[Document]:
        vector = self._vector.of(query, store)
        return store.vector_search(vector, top_k=top_k, filters=filters, as_of=as_of)
