"""Writing to an Elasticsearch index: sent as it comes, visible with `commit`, all of it or none."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from elasticsearch import Elasticsearch
from haystack import Document

from core.errors import StoreVersionError
from core.types import Article
from indexing.corrections import corrected
from indexing.documents import article_meta, renumber
from indexing.stores.contract import PutOutcome
from indexing.stores.elasticsearch import filter_query
from indexing.stores.elasticsearch.bulk import BulkLoader, Operation
from indexing.stores.elasticsearch.manifest import Stored, write_manifest
from indexing.stores.elasticsearch.reader import Reader
from indexing.stores.elasticsearch.rows import RowState, row_digest, to_document, to_source, to_state
from indexing.stores.elasticsearch.sweep import sweep

_STATE_FIELDS = ["id", "revision", "content", "meta", "superseded_at", "record", "embedding"]
_FIXED_FIELDS = frozenset({"id", "content", "headline", "embedding", "generation", "first", "revision"})
"""Fields of a row that stay when an article's metadata are corrected."""
_REBUILD_HINT = "Use the same embedder, or build the index anew with 'looksy index --rebuild'."


class ElasticsearchWriter:
    """
    The `StoreWriter` of an Elasticsearch index.

    Memory: what the bulk loader holds back, and the texts of the articles touched since the last commit.

    :param index: Index, not alias; the caller holds its lock.
    :param stored: Its manifest.
    :param on_commit: Called after each commit.
    """

    def __init__(
        self, client: Elasticsearch, index: str, stored: Stored, *, bulk: BulkLoader, on_commit: Callable[[], None]
    ) -> None:
        self._client = client
        self._index = index
        self._stored = stored
        self._bulk = bulk
        self._on_commit = on_commit
        sweep(client, index, generation=stored.manifest.generation)
        self._forget()

    def _forget(self) -> None:
        """Start a transaction on what is committed."""
        self._manifest = self._stored.manifest
        self._articles: dict[str, dict[str, RowState]] = {}
        self._loose: dict[str, RowState | None] = {}
        self._doomed: set[str] = set()
        self._late: dict[str, dict[str, object]] = {}
        self._changed = False

    @property
    def _generation(self) -> int:
        """Of the rows that this transaction adds."""
        return self._stored.manifest.generation + 1

    # -- articles ----------------------------------------------------------------------------------------------------

    def put(self, article: Article, passages: Sequence[Document]) -> PutOutcome:
        """See `StoreWriter.put`."""
        records = self._records(article.article_id)
        if not records:
            self._add(article, passages)
            return PutOutcome.NEW
        current = records[-1]
        if current.content_hash == article.content_hash:
            return self._correct(current, article)
        seen_before = any(record.content_hash == article.content_hash for record in records)
        if seen_before and article.first_seen_at <= current.first_seen_at:
            return PutOutcome.UNCHANGED
        highest = max(record.revision for record in records)
        if article.revision <= highest:
            article, passages = renumber(article, passages, highest + 1)
        self._add(article, passages)
        self._set_ends(article.article_id)
        return PutOutcome.CHANGED

    def _correct(self, current: Article, article: Article) -> PutOutcome:
        """Take over other metadata of the same text."""
        merged = corrected(current, article)
        if merged is None:
            return PutOutcome.UNCHANGED
        rows = self._rows(current.article_id)
        names = [row.id for row in rows.values() if row.revision == current.revision]
        for source in self._sources(names):
            old = rows[source["id"]]
            record = merged if old.record is not None else None
            plain = to_document(source)
            document = replace(plain, meta=plain.meta | article_meta(merged))
            fields = to_source(document, record=record, generation=self._generation)
            new = replace(old, digest=row_digest({**source, "meta": fields["meta"]}), record=record)
            self._update_late(old, new, {name: fields[name] for name in fields if name not in _FIXED_FIELDS})
            rows[old.id] = new
        return PutOutcome.CORRECTED

    def _sources(self, names: list[str]) -> list[Mapping[str, Any]]:
        """Read rows back, also those that this transaction has sent and not committed."""
        self._bulk.flush()
        self._client.indices.refresh(index=self._index)
        reader = Reader(self._client, self._index, self._stored.manifest)
        return list(reader.scan([{"terms": {"id": names}}], fields=_STATE_FIELDS))

    def delete(self, article_id: str) -> bool:
        """See `StoreWriter.delete`."""
        rows = list(self._rows(article_id).values())
        for row in rows:
            self._doom(row)
        self._articles[article_id] = {}
        return bool(rows)

    def mark_gone(self, article_id: str, *, gone_at: datetime) -> bool:
        """See `StoreWriter.mark_gone`."""
        current = [row for row in self._rows(article_id).values() if row.record is not None and row.superseded is None]
        for row in current:
            if row.record is not None and row.record.gone_at is None:
                record = row.record.model_copy(update={"gone_at": gone_at})
                self._update_late(row, replace(row, record=record), {"record": record.model_dump(mode="json")})
                self._articles[article_id][row.id] = replace(row, record=record)
        return bool(current)

    def _records(self, article_id: str) -> list[Article]:
        records = [row.record for row in self._rows(article_id).values() if row.record is not None]
        return sorted(records, key=_age)

    def _add(self, article: Article, passages: Sequence[Document]) -> None:
        rows = self._rows(article.article_id)
        for position, document in enumerate(passages):
            rows[document.id] = self._index_row(document, record=article if position == 0 else None)

    def _set_ends(self, article_id: str) -> None:
        """Let each revision end when the next one was first seen."""
        rows = self._rows(article_id)
        ordered = self._records(article_id)
        starts = [record.first_seen_at for record in ordered[1:]]
        ends = {record.revision: start for record, start in zip(ordered, [*starts, None], strict=True)}
        for row in list(rows.values()):
            end = ends[row.revision]
            if row.superseded != end:
                ended = replace(row, superseded=end)
                self._update(row, ended, _end_fields(row.superseded, end, generation=self._generation))
                rows[row.id] = ended

    def _rows(self, article_id: str) -> dict[str, RowState]:
        """Return the rows of an article as this transaction sees them."""
        if article_id not in self._articles:
            found = [] if self._is_empty() else self._committed([{"term": {"article_id": article_id}}])
            self._articles[article_id] = {row.id: row for row in found}
        return self._articles[article_id]

    def _is_empty(self) -> bool:
        """Say whether nothing is committed: a first load asks for nothing."""
        return int(self._stored.manifest.content, 16) == 0

    def _committed(self, queries: list[filter_query.Query]) -> list[RowState]:
        reader = Reader(self._client, self._index, self._stored.manifest)
        wanted = [*filter_query.committed(self._stored.manifest.generation), *queries]
        return [to_state(source) for source in reader.scan(wanted, fields=_STATE_FIELDS)]

    # -- documents without articles ----------------------------------------------------------------------------------

    def row(self, document_id: str) -> RowState | None:
        """Return one row as this transaction sees it."""
        if document_id not in self._loose:
            found = self._committed([{"term": {"id": document_id}}])
            self._loose[document_id] = found[0] if found else None
        return self._loose[document_id]

    def write_document(self, document: Document, *, old: RowState | None) -> None:
        """Put one document, in place of the row that has its id."""
        if old is not None:
            self._count(-old.total())
        self._loose[document.id] = self._index_row(document, record=old.record if old else None)

    def remove(self, row: RowState) -> None:
        """Take a row out."""
        self._doom(row)
        self._loose[row.id] = None

    # -- rows --------------------------------------------------------------------------------------------------------

    def _index_row(self, document: Document, *, record: Article | None) -> RowState:
        if document.embedding is not None:
            self._check_dimension(document.id, len(document.embedding))
        source = to_source(document, record=record, generation=self._generation)
        row = RowState(
            id=document.id, revision=int(source.get("revision") or 0), digest=row_digest(source), record=record
        )
        self._bulk.add(Operation("index", document.id, source))
        self._doomed.discard(document.id)
        self._count(row.total())
        return row

    def _update(self, old: RowState, new: RowState, fields: dict[str, object]) -> None:
        self._bulk.add(Operation("update", old.id, {"doc": fields}))
        self._count(new.total() - old.total())

    def _update_late(self, old: RowState, new: RowState, fields: dict[str, object]) -> None:
        """Change a row when all else is sent: readers see it at once, and nothing can take it back."""
        self._late[old.id] = self._late.get(old.id, {}) | fields
        self._count(new.total() - old.total())

    def _doom(self, row: RowState) -> None:
        self._late.pop(row.id, None)
        self._bulk.add(Operation("update", row.id, {"doc": {"deleted_in": self._generation}}))
        self._doomed.add(row.id)
        self._count(-row.total())

    def _count(self, difference: int) -> None:
        self._changed = True
        self._manifest = self._manifest.with_change(difference)

    def _check_dimension(self, name: str, dimension: int) -> None:
        if self._manifest.dimension is None:
            self._manifest = self._manifest.model_copy(update={"dimension": dimension})
        elif self._manifest.dimension != dimension:
            raise StoreVersionError(
                f"the index has vectors of {self._manifest.dimension} numbers; {name} has {dimension}",
                field="embedding",
                hint=_REBUILD_HINT,
            )

    def use_embedder(self, identity: str) -> None:
        """See `StoreWriter.use_embedder`."""
        recorded = self._manifest.embedder
        if recorded is not None and recorded != identity:
            raise StoreVersionError(
                f"the index was made with embedder {recorded}, not {identity}",
                field="embedder_model",
                hint=_REBUILD_HINT,
            )
        self._manifest = self._manifest.model_copy(update={"embedder": identity})

    # -- commit ------------------------------------------------------------------------------------------------------

    def commit(self) -> None:
        """See `StoreWriter.commit`."""
        if not self._changed:
            return
        for name, fields in self._late.items():
            self._bulk.add(Operation("update", name, {"doc": fields}))
        self._bulk.flush()
        self._client.indices.refresh(index=self._index)
        manifest = self._manifest.model_copy(update={"generation": self._generation})
        self._stored = write_manifest(self._client, self._index, manifest, replaces=self._stored)
        self._on_commit()
        for name in sorted(self._doomed):
            self._bulk.add(Operation("delete", name))
        self._bulk.flush()
        self._forget()

    def rollback(self) -> None:
        """Drop what was not committed."""
        self._bulk.discard()
        if self._changed:
            sweep(self._client, self._index, generation=self._stored.manifest.generation)
        self._forget()


def _age(article: Article) -> tuple[datetime, int]:
    return article.first_seen_at, article.revision


def _end_fields(was: datetime | None, end: datetime | None, *, generation: int) -> dict[str, object]:
    return {
        "superseded_at": end.isoformat() if end else None,
        "superseded_was": was.isoformat() if was else None,
        "superseded_in": generation,
    }
