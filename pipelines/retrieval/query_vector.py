"""The vector of a query, made by the embedder that made the index."""

import threading
from functools import cache

from indexing.embedders import Embedder, embedder_named, require_same_embedder
from indexing.stores.contract import EvidenceStore

shared_embedder = cache(embedder_named)
"""Loads each embedder once in a process, however many pipelines use it."""


class QueryVector:
    """
    Embed queries. Thread-safe.

    :param embedder_model: Folder or hub name of the embedder; None: the shipped one.
    :param threads: Threads of the embedder; 0: one per core.
    """

    def __init__(self, embedder_model: str | None, *, threads: int = 0) -> None:
        self._embedder_model = embedder_model
        self._threads = threads
        self._lock = threading.Lock()
        self._checked: str | None = None

    def warm_up(self) -> None:
        """Load the embedder."""
        self._embedder().embed(["warm up"])

    @property
    def identity(self) -> str:
        """Name the embedder."""
        return self._embedder().identity

    def of(self, query: str, store: EvidenceStore) -> list[float]:
        """
        Return the query's vector.

        :raises StoreVersionError: If the store's vectors are not of the same embedder.
        """
        embedder = self._embedder()
        snapshot = store.snapshot_id()
        with self._lock:
            if snapshot != self._checked:
                require_same_embedder(embedder, store.counts(by_month=False).embedder)
                self._checked = snapshot
        vector: list[float] = embedder.embed([query])[0].tolist()
        return vector

    def _embedder(self) -> Embedder:
        return shared_embedder(self._embedder_model, threads=self._threads)
