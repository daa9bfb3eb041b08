"""The one writer of an Elasticsearch index: sent as it comes, visible with `commit`, all of it or none."""

from collections.abc import Callable

from elasticsearch import Elasticsearch

from indexing.stores.elasticsearch.bulk import BulkLoader, Operation
from indexing.stores.elasticsearch.lock import HeldLock
from indexing.stores.elasticsearch.manifest import Stored, read_manifest, write_manifest
from indexing.stores.elasticsearch.part import Receipt, Ticket
from indexing.stores.elasticsearch.transaction import Transaction

_UNDO = """
if (ctx._source.deleted_in != null && ctx._source.deleted_in > params.generation) {
  ctx._source.remove('deleted_in');
}
if (ctx._source.superseded_in != null && ctx._source.superseded_in > params.generation) {
  if (ctx._source.superseded_was == null) { ctx._source.remove('superseded_at'); }
  else { ctx._source.superseded_at = ctx._source.superseded_was; }
  ctx._source.remove('superseded_in');
}
"""


class ElasticsearchWriter(Transaction):
    """
    The `StoreWriter` of an Elasticsearch index.

    :param index: Index, not alias.
    :param stored: Its manifest.
    :param lock: Held by the caller.
    :param on_commit: Called after each commit.
    """

    def __init__(
        self,
        client: Elasticsearch,
        index: str,
        stored: Stored,
        *,
        bulk: BulkLoader,
        lock: HeldLock,
        on_commit: Callable[[], None],
    ) -> None:
        super().__init__(client, index, stored.manifest, bulk=bulk)
        self._stored = stored
        self._lock = lock
        self._on_commit = on_commit
        _sweep(client, index, generation=stored.manifest.generation)

    def ticket(self) -> Ticket:
        """Return what another process needs to write a part of the next commit."""
        agreed = {"embedder": self._manifest.embedder, "dimension": self._manifest.dimension}
        return Ticket(index=self._index, manifest=self._committed.model_copy(update=agreed))

    def absorb(self, receipt: Receipt) -> None:
        """
        Take what another process has written into the next commit. Every part is absorbed once.

        :raises StoreVersionError: If its vectors are of another length than those of an earlier part.
        """
        if receipt.dimension is not None:
            self._check_dimension("a part", receipt.dimension)
        if receipt.changed:
            self._count(int(receipt.difference, 16))
            self._doomed.update(receipt.doomed)

    def commit(self) -> None:
        """
        See `StoreWriter.commit`.

        :raises StoreLockedError: If another process has taken over the lock.
        """
        if not self._changed:
            return
        self._lock.require()
        self._bulk.flush()
        self._client.indices.refresh(index=self._index)
        manifest = self._manifest.model_copy(update={"generation": self._generation})
        doomed = sorted(self._doomed)
        self._stored = write_manifest(self._client, self._index, manifest, replaces=self._stored)
        self._begin(self._stored.manifest)  # at once: whatever ends this process from here on leaves the commit alone
        self._on_commit()
        for name in doomed:
            self._bulk.add(Operation("delete", name))
        self._bulk.flush()

    def rollback(self) -> None:
        """Drop what was not committed; if another process has taken over, the next writer does."""
        self._bulk.discard()
        if self._changed and not self._lock.is_lost():
            self._stored = read_manifest(self._client, self._index)  # the commit may have been made unnoticed
            _sweep(self._client, self._index, generation=self._stored.manifest.generation)
        self._begin(self._stored.manifest)


def _sweep(client: Elasticsearch, index: str, *, generation: int) -> None:
    """
    Bring an index back to a committed generation: rows of later ones go, and marks of later ones are taken off.

    Rows whose removal was committed go too.
    """
    client.indices.refresh(index=index)
    later = {"gt": generation}
    rubbish = [{"range": {"generation": later}}, {"range": {"deleted_in": {"lte": generation}}}]
    marked = [{"range": {"deleted_in": later}}, {"range": {"superseded_in": later}}]
    if client.count(index=index, query={"bool": {"should": rubbish}})["count"]:
        client.delete_by_query(index=index, query={"bool": {"should": rubbish}}, conflicts="proceed", refresh=True)
    if client.count(index=index, query={"bool": {"should": marked}})["count"]:
        script = {"source": _UNDO, "params": {"generation": generation}}
        client.update_by_query(
            index=index, query={"bool": {"should": marked}}, script=script, conflicts="proceed", refresh=True
        )
