"""Looksy's embedded store."""

from pathlib import Path

from evaluation.performance.engines.looksy_store import LooksyStore
from indexing.stores.embedded.store import EmbeddedStore


class LooksyEmbedded(LooksyStore):
    """The store of one machine."""

    commit_passages = 100_000
    """As the index job commits: every 20,000 articles."""

    def __init__(self, folder: Path) -> None:
        super().__init__(EmbeddedStore(folder))
