"""The embedded store keeps the contract."""

import pytest

from indexing.stores.embedded.store import EmbeddedStore
from tests.store_contract import EvidenceStoreContract


class TestEmbeddedStore(EvidenceStoreContract):
    @pytest.fixture
    def document_store(self, tmp_path):
        store = EmbeddedStore(tmp_path / "index")
        with store.writer():
            pass
        yield store
        store.close()
