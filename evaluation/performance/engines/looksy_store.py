"""A store of Looksy's, through its contract."""

from datetime import datetime
from typing import ClassVar

from evaluation.performance.engines.base import Batch
from indexing.stores.contract import EvidenceStore


class LooksyStore:
    """Articles with their passages, filters, revisions and times."""

    on_disk = True
    commit_passages: ClassVar[int]
    """Passages after which to commit."""

    def __init__(self, store: EvidenceStore) -> None:
        self._store = store

    def create(self) -> None:
        self._context = self._store.writer()
        self._writer = self._context.__enter__()
        self._since_commit = 0

    def add(self, batch: Batch) -> None:
        for article, documents in batch:
            self._writer.put(article, documents)
            self._since_commit += len(documents)
            if self._since_commit >= self.commit_passages:
                self._writer.commit()
                self._since_commit = 0

    def finish(self) -> None:
        self._context.__exit__(None, None, None)

    def open(self) -> None:
        self._store.snapshot_id()

    def search(self, text: str, *, top_k: int, published_from: datetime | None = None) -> list[str]:
        filters = None
        if published_from is not None:
            filters = {"field": "meta.published_at", "operator": ">=", "value": published_from.isoformat()}
        return [document.id for document in self._store.keyword_search(text, top_k=top_k, filters=filters)]

    def close(self) -> None:
        self._store.close()

    def destroy(self) -> None:
        pass
