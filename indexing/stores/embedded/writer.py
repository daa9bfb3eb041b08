"""Writing to an embedded index: what was put becomes visible and durable with `commit`, all of it or none."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import numpy as np
import tantivy
from haystack import Document

from core.errors import StoreError, StoreVersionError
from core.metadata_merge import corrected
from core.types import Article
from indexing.documents import article_meta, fit_revision
from indexing.stores.contract import PutOutcome
from indexing.stores.embedded.layout import text_folder
from indexing.stores.embedded.manifest import Manifest, add_digest, remove_digest
from indexing.stores.embedded.rows import Row, microseconds, open_index
from indexing.stores.embedded.vectors import Matrix, append_vectors, remove_unnamed
from indexing.stores.embedded.view import View
from indexing.stores.hints import REBUILD_HINT
from models.embedder import available_cores

HEAP_BYTES = 256_000_000
"""What tantivy may hold in memory before it writes segments."""

MOST_THREADS = 4
"""Of tantivy. One thread makes rows meanwhile, and no more than these keep up with it."""


class EmbeddedWriter:
    """
    The `StoreWriter` of an embedded index. Memory grows with what is put between two commits.

    :param folder: Of the index; the caller holds its lock.
    :param on_commit: Called with the folder after each commit.
    :param threads: Of tantivy; each writes segments of its own. 0: one per core but the first, up to `MOST_THREADS`.
    """

    def __init__(self, folder: Path, *, on_commit: Callable[[Path], None], threads: int = 0) -> None:
        self._folder = folder
        self._on_commit = on_commit
        self._index = open_index(text_folder(folder))
        self._index.reload()
        self._view = View(self._index.searcher(), folder)
        remove_unnamed(folder, self._view.manifest)
        self._writer = self._index.writer(HEAP_BYTES, threads or max(1, min(MOST_THREADS, available_cores() - 1)))
        self._forget()

    def _forget(self) -> None:
        """Start a transaction on what is committed."""
        self._manifest = self._view.manifest
        self._content = self._manifest.content
        self._is_empty = self._view.searcher.num_docs == 0
        self._rows: dict[str, Row | None] = {}
        self._ids: dict[str, set[str]] = {}
        self._vectors: list[Matrix] = []
        self._changed = False

    # -- articles ----------------------------------------------------------------------------------------------------

    def current(self, article_ids: Iterable[str]) -> dict[str, Article]:
        """See `StoreWriter.current`."""
        records = {name: self._records(self.rows_of_article(name)) for name in dict.fromkeys(article_ids)}
        return {name: found[-1] for name, found in records.items() if found}

    @staticmethod
    def _records(rows: Sequence[Row]) -> list[Article]:
        """Return the revisions that rows carry, oldest first."""
        return sorted(filter(None, (row.article() for row in rows)), key=_age)

    def put(self, article: Article, passages: Sequence[Document]) -> PutOutcome:
        """See `StoreWriter.put`."""
        records = self._records(self.rows_of_article(article.article_id))
        if not records:
            self._add(article, passages)
            return PutOutcome.NEW
        current = records[-1]
        if current.content_hash == article.content_hash:
            return self._correct(current, article)
        fitted = fit_revision(article, passages, known=records)
        if fitted is None:
            return PutOutcome.UNCHANGED
        article, passages = fitted
        self._add(article, passages)
        self._set_ends([*records, article])
        return PutOutcome.CHANGED

    def _add(self, article: Article, passages: Sequence[Document]) -> None:
        for position, document in enumerate(passages):
            key = self._add_vector(document)
            record = article.model_dump_json() if position == 0 else None
            self._write(Row(_bare(document), record=record, key=key), old=None)

    def _correct(self, current: Article, article: Article) -> PutOutcome:
        """Take over other metadata of the same text."""
        merged = corrected(current, article)
        if merged is None:
            return PutOutcome.UNCHANGED
        for row in self.rows_of_article(current.article_id):
            if row.document.meta["revision"] != current.revision:
                continue
            document = replace(row.document, meta=row.document.meta | article_meta(merged))
            changed = replace(row, document=document)
            self._write(changed if row.record is None else changed.with_record(merged), old=row)
        return PutOutcome.CORRECTED

    def _set_ends(self, records: list[Article]) -> None:
        """Let each revision end when the next one was first seen."""
        ordered = sorted(records, key=_age)
        starts = [record.first_seen_at for record in ordered[1:]]
        ends = {record.revision: microseconds(start) for record, start in zip(ordered, [*starts, None], strict=True)}
        for row in self.rows_of_article(ordered[0].article_id):
            end = ends[row.document.meta["revision"]]
            if row.superseded != end:
                self._write(replace(row, superseded=end), old=row)

    def delete(self, article_id: str) -> bool:
        """See `StoreWriter.delete`."""
        rows = self.rows_of_article(article_id)
        for row in rows:
            self.remove(row)
        return bool(rows)

    def mark_gone(self, article_id: str, *, gone_at: datetime) -> bool:
        """See `StoreWriter.mark_gone`."""
        found = False
        for row in self.rows_of_article(article_id):
            article = row.article()
            if article is None or row.superseded is not None:
                continue
            found = True
            if article.gone_at is None:
                self._write(row.with_record(article.model_copy(update={"gone_at": gone_at})), old=row)
        return found

    # -- rows --------------------------------------------------------------------------------------------------------

    def rows_of_article(self, article_id: str) -> list[Row]:
        """Return the rows of an article as this transaction sees them."""
        committed = [] if self._is_empty else self._view.rows_of_article(article_id)
        rows = [row for row in committed if row.document.id not in self._rows]
        pending = (self._rows[name] for name in sorted(self._ids.get(article_id, ())))
        return rows + [row for row in pending if row is not None]

    def row(self, passage_id: str) -> Row | None:
        """Return one row as this transaction sees it."""
        if passage_id in self._rows:
            return self._rows[passage_id]
        return self._view.row_by_id(passage_id)

    def write_document(self, document: Document, *, old: Row | None) -> None:
        """Put one document, in place of the row that has its id."""
        key = self._add_vector(document)
        record = old.record if old is not None else None
        self._write(Row(_bare(document), record=record, key=key), old=old)

    def adopt(self, manifest: Manifest) -> None:
        """Take over what holds for all vectors of another index: their length and their embedder."""
        self._manifest = self._manifest.model_copy(
            update={"dimension": manifest.dimension, "embedder": manifest.embedder}
        )

    def copy_row(self, row: Row, vector: Matrix | None) -> None:
        """Put a row of another index, with its vector."""
        self._write(replace(row, key=None if vector is None else self._queue_vector(vector)), old=None)

    def remove(self, row: Row) -> None:
        """Take a row out."""
        self._drop(row)
        self._remember(row.document, None)

    def _write(self, row: Row, *, old: Row | None) -> None:
        if old is not None:
            self._drop(old)
        entry, digest = row.encode()
        try:
            self._writer.add_document(entry)
        except ValueError as error:
            raise _unwritable(self._folder, error) from error
        self._content = add_digest(self._content, digest)
        self._remember(row.document, row)

    def _drop(self, row: Row) -> None:
        self._writer.delete_documents_by_term("id", row.document.id)
        self._content = remove_digest(self._content, row.digest())

    def _remember(self, document: Document, row: Row | None) -> None:
        self._changed = True
        self._rows[document.id] = row
        article_id = document.meta.get("article_id")
        if isinstance(article_id, str):
            self._ids.setdefault(article_id, set()).add(document.id)

    # -- vectors -----------------------------------------------------------------------------------------------------

    def use_embedder(self, identity: str) -> None:
        """See `StoreWriter.use_embedder`."""
        recorded = self._manifest.embedder
        if recorded not in {None, identity}:
            raise StoreVersionError(
                f"the index has vectors of embedder {recorded}, not of {identity}",
                field="embedder_model",
                hint=REBUILD_HINT,
            )
        if recorded is None:
            self._manifest = self._manifest.model_copy(update={"embedder": identity})

    def _add_vector(self, document: Document) -> int | None:
        if document.embedding is None:
            return None
        vector = np.asarray(document.embedding, dtype=np.float32)
        dimension = self._manifest.dimension
        if dimension is None:
            self._manifest = self._manifest.model_copy(update={"dimension": len(vector)})
        elif dimension != len(vector):
            raise StoreVersionError(
                f"the index has vectors of {dimension} numbers; {document.id} has {len(vector)}",
                field="embedding",
                hint=REBUILD_HINT,
            )
        return self._queue_vector(vector)

    def _queue_vector(self, vector: Matrix) -> int:
        self._vectors.append(vector)
        return self._manifest.next_key + len(self._vectors) - 1

    # -- commit ------------------------------------------------------------------------------------------------------

    def commit(self) -> None:
        """
        See `StoreWriter.commit`.

        :raises StoreError: If the system does not let it be written.
        """
        if not self._changed:
            return
        with _written(self._folder):
            self._write_commit()
        self._index.reload()
        self._view = View(self._index.searcher(), self._folder)
        self._forget()
        remove_unnamed(self._folder, self._view.manifest)

    def _write_commit(self) -> None:
        manifest = self._manifest.model_copy(update={"content": self._content})
        if self._vectors:
            manifest = append_vectors(self._folder, manifest, self._vectors)
        self._writer.delete_documents_by_term("kind", "manifest")
        entry = tantivy.Document()
        entry.add_text("kind", "manifest")
        entry.add_bytes("manifest", manifest.model_dump_json().encode())
        self._writer.add_document(entry)
        self._writer.commit()
        self._on_commit(self._folder)

    def rollback(self) -> None:
        """Drop what was not committed."""
        with _written(self._folder):
            self._writer.rollback()
        self._forget()

    def close(self) -> None:
        """Wait for merges, then give back the files."""
        with _written(self._folder):
            self._writer.wait_merging_threads()


@contextmanager
def _written(folder: Path) -> Iterator[None]:
    """Say so where the system refuses to write; tantivy raises a ValueError for that."""
    try:
        yield
    except (OSError, ValueError) as error:
        raise _unwritable(folder, error) from error


def _unwritable(folder: Path, error: Exception) -> StoreError:
    return StoreError(
        f"the index in {folder.parent} cannot be written: {error}",
        field="data_dir",
        hint="Make room, or mend owner or permissions, and run the command again; what was committed stays.",
    )


def _bare(document: Document) -> Document:
    """Return the document without vector and score, which are kept elsewhere or not at all."""
    if document.embedding is None and document.score is None:
        return document
    return replace(document, embedding=None, score=None)


def _age(article: Article) -> tuple[datetime, int]:
    return article.first_seen_at, article.revision
