"""The vector of a query, made by the embedder that made the index."""

import threading
from functools import cache
from typing import Protocol

from indexing.embedders import Embedder, embedder_named, require_same_embedder
from indexing.stores.contract import EvidenceStore
from pipelines.resources import Resources

shared_embedder = cache(embedder_named)
"""Loads each embedder once in a process, however many pipelines use it."""


class HasEmbedder(Protocol):
    """A component that embeds queries; `resources` may be set before the first run."""

    embedder_model: str | None
    resources: Resources | None


class QueryVector:
    """
    Embeds queries for a component. Thread-safe.

    :param owner: Says which embedder.
    """

    def __init__(self, owner: HasEmbedder) -> None:
        self._owner = owner
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
        settings = self._owner.resources.settings if self._owner.resources is not None else None
        name = self._owner.embedder_model or (settings.embedder_model if settings else None)
        return shared_embedder(name, threads=settings.threads if settings else 0)
