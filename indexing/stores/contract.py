"""What every store promises. Haystack's `DocumentStore` protocol, and what evidence needs beyond it."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from enum import StrEnum
from typing import Any, Protocol

from haystack import Document
from haystack.document_stores.types import DocumentStore

from core.types import Article, Model, UtcTime


class PutOutcome(StrEnum):
    """What became of one article."""

    NEW = "new"
    CHANGED = "changed"
    CORRECTED = "corrected"
    """Same text, other metadata."""
    UNCHANGED = "unchanged"


class SourceCounts(Model):
    """Coverage of one source."""

    source: str
    articles: int
    by_month: dict[str, int]
    """`YYYY-MM` of publication to articles; `undated` for those without a date. Empty if not asked for."""


class StoreCounts(Model):
    """What the store holds now. Earlier revisions are not counted."""

    articles: int
    passages: int
    revisions: int
    """Earlier revisions kept beside the current ones."""
    sources: tuple[SourceCounts, ...] = ()
    first_published_at: UtcTime | None = None
    last_published_at: UtcTime | None = None
    first_seen_at: UtcTime | None = None
    """When the first of all revisions was first seen: nothing was known before."""
    sections: tuple[str, ...] | None = None
    """In order; None: not asked for, or more than a store lists."""
    bytes_on_disk: int | None = None
    embedder: str | None = None
    """Identity of the embedder that made the vectors; None: the index has none."""


class ArticleWriter(Protocol):
    """Takes articles in; whether and when they become visible is another's business."""

    def current(self, article_ids: Iterable[str]) -> dict[str, Article]:
        """
        Return the current revisions of those that are there, as this transaction sees them.

        Asking for the articles of the next `put` calls together lets a store on a server look them up together.
        """
        ...

    def put(self, article: Article, passages: Sequence[Document]) -> PutOutcome:
        """
        Add an article, or replace its passages if its content hash is new; the earlier revision is kept.

        Same text with other metadata (`core.metadata_merge`): the current revision takes it over, and stays the same
        revision.

        :param passages: As `indexing.documents.to_document` makes them, in order; with embeddings or all without. They
            are not read if the current revision has the same content hash.
        """
        ...

    def use_embedder(self, identity: str) -> None:
        """
        Record which embedder makes the vectors, before the first `put` with embeddings.

        :raises StoreVersionError: If the index has vectors of another one.
        """
        ...

    def delete(self, article_id: str) -> bool:
        """Remove an article with all its revisions; say whether it was there."""
        ...

    def mark_gone(self, article_id: str, *, gone_at: datetime) -> bool:
        """Note that the page is gone; the article stays evidence for what was said. Say whether it was there."""
        ...


class StoreWriter(ArticleWriter, Protocol):
    """
    The one writer of a store. What was put is visible and durable after `commit`, all of it or none.

    Leaving the context commits; leaving it by an exception drops what was not committed.
    """

    def commit(self) -> None:
        """Make everything put so far visible to readers and durable."""
        ...


class EvidenceStore(DocumentStore, Protocol):
    """
    Passages with their articles, searchable by words and by vector.

    Scores are local to a store; the order is what is promised: best first, ties by passage id. `filters` are in
    Haystack's filter language over `meta.published_at`, `meta.first_seen_at`, `meta.source`, `meta.section`,
    `meta.language`, `meta.origin_id` and `meta.revision`. `as_of` keeps what was published and first seen by then, in
    the revision that was current then. Errors: the `StoreError` family of `core.errors`.
    """

    def keyword_search(
        self, query: str, *, top_k: int, filters: dict[str, Any] | None = None, as_of: datetime | None = None
    ) -> list[Document]:
        """Rank by BM25 (k1 = 1.2, b = 0.75) over headline and text. Any string is a valid query; no operators."""
        ...

    def vector_search(
        self,
        vector: Sequence[float],
        *,
        top_k: int,
        filters: dict[str, Any] | None = None,
        as_of: datetime | None = None,
    ) -> list[Document]:
        """
        Rank by cosine similarity.

        :raises StoreVersionError: If the index has no vectors, or vectors of another length.
        """
        ...

    def hybrid_search(
        self,
        query: str,
        vector: Sequence[float],
        *,
        top_k: int,
        filters: dict[str, Any] | None = None,
        as_of: datetime | None = None,
    ) -> list[Document]:
        """Fuse both rankings by reciprocal rank (`indexing.fusion.fuse_ranks`)."""
        ...

    def get_articles(self, article_ids: Iterable[str]) -> dict[str, Article]:
        """Return the current revisions of those that are there."""
        ...

    def get_revisions(self, article_id: str) -> list[Article]:
        """Return all revisions, oldest first; empty if the article is not there."""
        ...

    def iter_articles(self) -> Iterator[Article]:
        """
        Yield all revisions of all articles, in the order in which they were first seen, as of now.

        Revisions of an article that were first seen at one time come in the order of their numbers, so that putting
        them into another store gives the same revisions.
        """
        ...

    def counts(self, *, by_month: bool = True) -> StoreCounts:
        """
        Say what the store holds.

        :param by_month: Count by month and list sections, too, which takes longer.
        """
        ...

    def snapshot_id(self) -> str:
        """Name the indexed content: changes when, and only when, that changes."""
        ...

    def writer(self) -> AbstractContextManager[StoreWriter]:
        """
        Open for writing.

        :raises StoreLockedError: If another process is writing; the message names its process id.
        """
        ...

    def rebuild(self) -> AbstractContextManager[StoreWriter]:
        """
        Open an empty index for writing, beside the one in use.

        Leaving the context puts it in the place of the one in use, in one step; leaving it by an exception drops it.
        An index of another version, which can no longer be read, can be replaced in this way; its data are kept aside
        until the index is written anew once more.

        :raises StoreLockedError: If another process is writing.
        """
        ...

    def close(self) -> None:
        """Give back files and connections; closing twice is harmless."""
        ...
