"""What every store does alike: it fuses rankings, and takes documents without articles through its writer."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Any, Generic, Protocol, TypeVar

from haystack import Document
from haystack.document_stores.errors import DuplicateDocumentError
from haystack.document_stores.types import DuplicatePolicy

from core.errors import StoreVersionError
from indexing.fusion import candidates_per_ranking, fuse_hybrid

_VECTOR_HINT = "Make vectors with 'looksy index --rebuild' and an embedder, or search with bm25."
Row = TypeVar("Row")
"""A store's own form of a passage."""


class RowWriter(Protocol[Row]):
    """The part of a store's writer that deals with single passages."""

    def row(self, passage_id: str, /) -> Row | None:
        """Return one passage as this transaction sees it."""
        ...

    def write_document(self, document: Document, *, old: Row | None) -> None:
        """Put one document, in place of the passage that has its id."""
        ...

    def remove(self, row: Row, /) -> None:
        """Take a passage out."""
        ...


class StoreBase(ABC, Generic[Row]):
    """The shared part of an `EvidenceStore`."""

    @abstractmethod
    def keyword_search(
        self, query: str, *, top_k: int, filters: dict[str, Any] | None = None, as_of: datetime | None = None
    ) -> list[Document]:
        """See `EvidenceStore.keyword_search`."""

    @abstractmethod
    def vector_search(
        self,
        vector: Sequence[float],
        *,
        top_k: int,
        filters: dict[str, Any] | None = None,
        as_of: datetime | None = None,
    ) -> list[Document]:
        """See `EvidenceStore.vector_search`."""

    @abstractmethod
    def writer(self) -> AbstractContextManager[RowWriter[Row]]:
        """See `EvidenceStore.writer`."""

    def hybrid_search(
        self,
        query: str,
        vector: Sequence[float],
        *,
        top_k: int,
        filters: dict[str, Any] | None = None,
        as_of: datetime | None = None,
    ) -> list[Document]:
        """See `EvidenceStore.hybrid_search`."""
        depth = candidates_per_ranking(top_k)
        return fuse_hybrid(
            self.keyword_search(query, top_k=depth, filters=filters, as_of=as_of),
            self.vector_search(vector, top_k=depth, filters=filters, as_of=as_of),
            top_k=top_k,
        )

    def write_documents(self, documents: list[Document], policy: DuplicatePolicy = DuplicatePolicy.NONE) -> int:
        """
        Write documents without their articles, in one commit.

        :param policy: NONE is FAIL.
        :returns: How many were written.
        :raises ValueError: If it is not a list of documents.
        :raises DuplicateDocumentError: With FAIL, if one is there already; then none is written.
        """
        if not isinstance(documents, list) or not all(isinstance(document, Document) for document in documents):
            raise ValueError("documents must be a list of haystack.Document")
        written = 0
        with self.writer() as writer:
            for document in documents:
                old = writer.row(document.id)
                if old is not None and policy is DuplicatePolicy.SKIP:
                    continue
                if old is not None and policy is not DuplicatePolicy.OVERWRITE:
                    raise DuplicateDocumentError(f"there is a document {document.id} already")
                writer.write_document(document, old=old)
                written += 1
        return written

    def delete_documents(self, document_ids: list[str]) -> None:
        """Remove passages by id; unknown ids are passed over."""
        with self.writer() as writer:
            for name in document_ids:
                row = writer.row(name)
                if row is not None:
                    writer.remove(row)


def check_dimension(vector: Sequence[float], dimension: int | None) -> None:
    """
    See whether a query's vector can be compared with an index's.

    :param dimension: Of the index's vectors; None: it has none.
    :raises StoreVersionError: If not.
    """
    if dimension is None:
        raise StoreVersionError("the index has no vectors", field="retriever", hint=_VECTOR_HINT)
    if dimension != len(vector):
        raise StoreVersionError(
            f"the index has vectors of {dimension} numbers; the query's has {len(vector)}",
            field="embedder_model",
            hint=_VECTOR_HINT,
        )
