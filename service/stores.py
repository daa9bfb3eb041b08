"""One opened store for all requests, opened when it is first needed."""

import threading

from core.settings import Settings
from indexing.stores.contract import EvidenceStore
from indexing.stores.open import open_store


class LazyStore:
    """
    Opens the store when it is first needed, and tries again if that failed.

    :param settings: Which store.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._store: EvidenceStore | None = None
        self._lock = threading.Lock()

    def get(self) -> EvidenceStore:
        """
        Return the store.

        :raises StoreError: If there is none, or it cannot be used.
        """
        with self._lock:
            if self._store is None:
                self._store = open_store(self.settings)
            return self._store

    def close(self) -> None:
        """Give back files and connections; closing twice is harmless."""
        with self._lock:
            if self._store is not None:
                self._store.close()
                self._store = None
