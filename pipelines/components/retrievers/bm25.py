"""Rank passages by BM25 over headline and text."""

from datetime import datetime
from typing import Any

from haystack import Document, component

from indexing.stores.contract import EvidenceStore
from pipelines.components.retrievers.store import checked_top_k, merged_filters, require_store


@component
class Bm25Retriever:
    """
    Ask the store for the passages that share the query's words.

    :param document_store: The store to search; None: set before the first run.
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
        documents = require_store(self).keyword_search(
            query,
            top_k=checked_top_k(top_k, self.top_k),
            filters=merged_filters(self.filters, filters),
            as_of=as_of,
        )
        return {"documents": documents}
