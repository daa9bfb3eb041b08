"""Looksy's Elasticsearch store, on the server that ELASTICSEARCH_URL names."""

import os
from datetime import datetime
from pathlib import Path

from evaluation.benchmarks.engines.base import Batch
from indexing.stores.elasticsearch.store import ElasticsearchStore

COMMIT_PASSAGES = 25_000


class ElasticsearchEngine:
    """The same contract as the embedded store, in an index of its own that is deleted afterwards."""

    on_disk = True

    def __init__(self, folder: Path) -> None:
        self._name = f"benchmark-{folder.name.lower().strip('_-')}"
        self._store = ElasticsearchStore(os.environ["ELASTICSEARCH_URL"], index=self._name, timeout=60.0)

    def create(self) -> None:
        self._context = self._store.writer()
        self._writer = self._context.__enter__()
        self._since_commit = 0

    def add(self, batch: Batch) -> None:
        for article, documents in batch:
            self._writer.put(article, documents)
            self._since_commit += len(documents)
            if self._since_commit >= COMMIT_PASSAGES:
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
        client = self._store.client
        for index in client.indices.get(index=f"{self._name}*"):
            client.indices.delete(index=index)
        self._store.close()
