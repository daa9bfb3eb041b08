"""Rank passages by the cosine between their vectors and the query's."""

from datetime import datetime
from typing import Any

from haystack import Document, component

from indexing.stores.contract import EvidenceStore
from pipelines.components.retrievers.query_vector import QueryVector
from pipelines.components.retrievers.store import checked_top_k, merged_filters, require_store
from pipelines.resources import Resources


@component
class EmbeddingRetriever:
    """
    Ask the store for the passages nearest to the query in meaning.

    :param document_store: The store to search; None: set before the first run.
    :param embedder_model: Folder or hub name of the embedder; None: the one of the settings, else the shipped one.
    :param top_k: Passages to return, unless the query says otherwise.
    :param filters: Always applied, beside those of the query; Haystack's filter language.
    """

    def __init__(
        self,
        document_store: EvidenceStore | None = None,
        *,
        embedder_model: str | None = None,
        top_k: int = 20,
        filters: dict[str, Any] | None = None,
    ) -> None:
        self.document_store = document_store
        self.embedder_model = embedder_model
        self.top_k = top_k
        self.filters = filters
        self.resources: Resources | None = None
        self._vector = QueryVector(self)

    def warm_up(self) -> None:
        """Load the embedder."""
        self._vector.warm_up()

    @property
    def identity(self) -> str:
        """Name the embedder, for the run record."""
        return self._vector.identity

    @component.output_types(documents=list[Document])
    def run(
        self,
        query: str,
        top_k: int | None = None,
        filters: dict[str, Any] | None = None,
        as_of: datetime | None = None,
    ) -> dict[str, list[Document]]:
        """
        Retrieve passages. Parameters: see `Bm25Retriever.run`.

        :returns: `documents`, best first.
        :raises StoreVersionError: If the index has no vectors, or those of another embedder.
        """
        store = require_store(self)
        documents = store.vector_search(
            self._vector.of(query, store),
            top_k=checked_top_k(top_k, self.top_k),
            filters=merged_filters(self.filters, filters),
            as_of=as_of,
        )
        return {"documents": documents}
