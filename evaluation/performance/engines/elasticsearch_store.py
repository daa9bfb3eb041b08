"""Looksy's Elasticsearch store, on the server that ELASTICSEARCH_URL names."""

import os
from pathlib import Path

from evaluation.performance.engines.looksy_store import LooksyStore
from indexing.stores.elasticsearch.store import ElasticsearchStore


class ElasticsearchEngine(LooksyStore):
    """The same contract as the embedded store, in an index of its own that is deleted afterwards."""

    commit_passages = 25_000

    def __init__(self, folder: Path) -> None:
        self._name = f"benchmark-{folder.name.lower().strip('_-')}"
        self._server = ElasticsearchStore(os.environ["ELASTICSEARCH_URL"], index=self._name, timeout=60.0)
        super().__init__(self._server)

    def destroy(self) -> None:
        client = self._server.client
        for index in client.indices.get(index=f"{self._name}*"):
            client.indices.delete(index=index)
        self._server.close()
