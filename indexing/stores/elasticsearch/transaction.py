"""What a writer has sent to an Elasticsearch index and nobody sees yet."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from elasticsearch import Elasticsearch
from haystack import Document

from core.errors import StoreVersionError
from core.metadata_merge import corrected
from core.types import Article
from indexing.documents import article_meta, fit_revision
from indexing.stores.contract import PutOutcome
from indexing.stores.elasticsearch import filter_query
from indexing.stores.elasticsearch.bulk import BulkLoader, Operation
from indexing.stores.elasticsearch.manifest import Manifest
from indexing.stores.elasticsearch.reader import Reader
from indexing.stores.elasticsearch.rows import SUPERSEDED_FIELDS, RowState, row_name, to_document, to_source, to_state

_STATE_FIELDS = ["id", "revision", "content", "meta", "superseded_*", "record", "embedding"]
_MOST_IDS = 500
_REBUILD_HINT = "Use the same embedder, or build the index anew with 'looksy index --rebuild'."


class Transaction:
    """
    Changes to an Elasticsearch index that become visible together, when a manifest names their generation.

    No committed row is written over: a changed one is added under the new generation and the old one is marked as
    removed by it, so that readers see either, and what is never committed can be taken back. Doing the same changes a
    second time sends the same rows under the same names.

    Memory: what the bulk loader holds back, and the texts of the articles touched.

    :param index: Index, not alias.
    :param committed: Its manifest.
    """

    def __init__(self, client: Elasticsearch, index: str, committed: Manifest, *, bulk: BulkLoader) -> None:
        self._client = client
        self._index = index
        self._bulk = bulk
        self._begin(committed)

    def _begin(self, committed: Manifest) -> None:
        """Start on what is committed."""
        self._committed = self._manifest = committed
        self._articles: dict[str, dict[str, RowState]] = {}
        self._known: dict[str, list[Article]] = {}
        self._loose: dict[str, RowState | None] = {}
        self._doomed: set[str] = set()
        self._changed = False

    @property
    def _generation(self) -> int:
        """Of the rows that this transaction adds."""
        return self._committed.generation + 1

    # -- articles ----------------------------------------------------------------------------------------------------

    def current(self, article_ids: Iterable[str]) -> dict[str, Article]:
        """See `StoreWriter.current`."""
        names = list(dict.fromkeys(article_ids))
        self._look_up([name for name in names if name not in self._articles and name not in self._known])
        records = {name: self._records(name) for name in names}
        return {name: found[-1] for name, found in records.items() if found}

    def _look_up(self, article_ids: list[str]) -> None:
        """Read the committed revisions of articles in few requests."""
        if self._is_empty():
            article_ids = []
        for start in range(0, len(article_ids), _MOST_IDS):
            names = article_ids[start : start + _MOST_IDS]
            found: dict[str, list[Article]] = {name: [] for name in names}
            for article in self._reader().articles(names, only_current=False):
                found[article.article_id].append(article)
            self._known |= found

    def put(self, article: Article, passages: Sequence[Document]) -> PutOutcome:
        """See `StoreWriter.put`."""
        records = self._records(article.article_id)
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
        self._set_ends(article.article_id)
        return PutOutcome.CHANGED

    def _correct(self, current: Article, article: Article) -> PutOutcome:
        """Take over other metadata of the same text."""
        merged = corrected(current, article)
        if merged is None:
            return PutOutcome.UNCHANGED
        rows = [row for row in self._rows(current.article_id).values() if row.revision == current.revision]
        for row, source in self._sources(rows):
            plain = to_document(source, with_vector=True)
            document = replace(plain, meta=plain.meta | article_meta(merged))
            record = merged if row.record is not None else None
            ends = {name: source[name] for name in SUPERSEDED_FIELDS if name in source}
            self._rewrite(row, ends | to_source(document, record=record, generation=self._generation))
        return PutOutcome.CORRECTED

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
        fresh = [row for row in current if row.record is not None and row.record.gone_at is None]
        for row, source in self._sources(fresh):
            if row.record is not None:
                record = row.record.model_copy(update={"gone_at": gone_at})
                self._rewrite(row, {**source, "record": record.model_dump(mode="json")})
        return bool(current)

    def _records(self, article_id: str) -> list[Article]:
        """Return the revisions of an article as this transaction sees them, oldest first."""
        if article_id not in self._articles and article_id in self._known:
            return self._known[article_id]
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
                fields = _end_fields(row.superseded_was, end, generation=self._generation)
                self._bulk.add(Operation("update", row.name, {"doc": fields}))
                self._count(ended.total() - row.total())
                rows[row.id] = ended

    def _rows(self, article_id: str) -> dict[str, RowState]:
        """Return the rows of an article as this transaction sees them, by passage id."""
        if article_id not in self._articles:
            is_new = self._is_empty() or self._known.get(article_id) == []
            found = [] if is_new else self._read([{"term": {"article_id": article_id}}])
            self._articles[article_id] = {row.id: row for row in found}
        return self._articles[article_id]

    def _is_empty(self) -> bool:
        """Say whether nothing is committed: a first load asks for nothing."""
        return int(self._committed.content, 16) == 0

    def _reader(self) -> Reader:
        return Reader(self._client, self._index, self._committed)

    def _read(self, queries: list[filter_query.Query]) -> list[RowState]:
        """Return the committed rows that match."""
        generation = self._committed.generation
        wanted = [*filter_query.committed(generation), *queries]
        return [to_state(source, generation) for source in self._reader().scan(wanted, fields=_STATE_FIELDS)]

    # -- documents without articles ----------------------------------------------------------------------------------

    def row(self, document_id: str) -> RowState | None:
        """Return one row as this transaction sees it."""
        if document_id not in self._loose:
            found = self._read([{"term": {"id": document_id}}])
            self._loose[document_id] = found[0] if found else None
        return self._loose[document_id]

    def write_document(self, document: Document, *, old: RowState | None) -> None:
        """Put one document, in place of the row that has its id."""
        if old is not None:
            self._doom(old)
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
        return self._send(to_state(source | {"_id": row_name(document.id, self._generation)}, self._generation), source)

    def _send(self, row: RowState, source: Mapping[str, Any]) -> RowState:
        """Add a row of this generation; one of the same name and generation is written over."""
        self._bulk.add(Operation("index", row.name, source))
        self._doomed.discard(row.name)
        self._count(row.total())
        return row

    def _rewrite(self, old: RowState, source: Mapping[str, Any]) -> None:
        """Put a changed row in the place of one of an article."""
        fields = {name: value for name, value in source.items() if name not in {"_id", "deleted_in"}}
        fields["generation"] = self._generation
        name = row_name(old.id, self._generation)
        new = replace(to_state(fields | {"_id": name}, self._generation), superseded=old.superseded)
        self._doom(old)
        article_id = str(fields["article_id"])
        self._rows(article_id)[old.id] = self._send(new, fields)

    def _sources(self, rows: list[RowState]) -> list[tuple[RowState, Mapping[str, Any]]]:
        """Read rows back whole, also those that this transaction has added."""
        if not rows:
            return []
        self._bulk.flush()
        found = self._client.mget(index=self._index, ids=[row.name for row in rows])["docs"]
        return [(row, document["_source"]) for row, document in zip(rows, found, strict=True)]

    def _doom(self, row: RowState) -> None:
        self._bulk.add(Operation("update", row.name, {"doc": {"deleted_in": self._generation}}))
        self._doomed.add(row.name)
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


def _age(article: Article) -> tuple[datetime, int]:
    return article.first_seen_at, article.revision


def _end_fields(was: datetime | None, end: datetime | None, *, generation: int) -> dict[str, object]:
    return {
        "superseded_at": end.isoformat() if end else None,
        "superseded_was": was.isoformat() if was else None,
        "superseded_in": generation,
    }
