"""What every retriever does alike: it keeps its arguments, checks them, and asks its store."""

from datetime import datetime
from typing import Any

from haystack import Document, component

from indexing.stores.contract import EvidenceStore
from pipelines.retrieval.query_vector import QueryVector
from pipelines.retrieval.search_arguments import checked_top_k, merged_filters, require_store


class StoreRetriever:
    """
    Ask a store for passages.

    :param document_store: The store to search; None: filled in from the settings by Looksy's loader.
    :param top_k: Passages to return, unless the query says otherwise.
    :param filters: Always applied, beside those of the query; Haystack's filter language.
    """

    def __init__(
        self,
        document_store: EvidenceStore | None = None,
        *,
        top_k: int = 20,
        filters: dict[str, Any] | None = None,
    ) -> None:
        self.document_store = document_store
        self.top_k = top_k
        self.filters = filters

    @component.output_types(documents=list[Document])
    def run(
        self,
        query: str,
        top_k: int | None = None,
        filters: dict[str, Any] | None = None,
        as_of: datetime | None = None,
    ) -> dict[str, list[Document]]:
        """
        Retrieve passages.

        :param query: Any text; it has no operators.
        :param top_k: Passages to return; None: as constructed.
        :param filters: Beside those of the constructor; both must hold.
        :param as_of: Only what was published and first seen by then; None: everything.
        :returns: `documents`, best first.
        """
        wanted, conditions = checked_top_k(top_k, self.top_k), merged_filters(self.filters, filters)
        return {
            "documents": self._search(
                require_store(self.document_store, type(self).__name__),
                query,
                top_k=wanted,
                filters=conditions,
                as_of=as_of,
            )
        }

    def _search(
        self, store: EvidenceStore, query: str, *, top_k: int, filters: dict[str, Any] | None, as_of: datetime | None
    ) -> list[Document]:
        """Return the passages, best first."""
        raise NotImplementedError  # Haystack's metaclass leaves no room for an abstract base class


class VectorRetriever(StoreRetriever):
    """
    Ask a store that holds vectors.

    :param embedder_model: Folder or hub name of the embedder; None: the shipped one.
    :param threads: Threads of the embedder; 0: one per core.
    """

    def __init__(
        self,
        document_store: EvidenceStore | None = None,
        *,
        embedder_model: str | None = None,
        threads: int = 0,
        top_k: int = 20,
        filters: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(document_store, top_k=top_k, filters=filters)
        self.embedder_model = embedder_model
        self.threads = threads
        self._vector = QueryVector(embedder_model, threads=threads)

    def warm_up(self) -> None:
        """Load the embedder."""
        self._vector.warm_up()

    @property
    def identity(self) -> str:
        """Name the embedder, for the run record."""
        return self._vector.identity
