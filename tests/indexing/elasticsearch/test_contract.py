"""The Elasticsearch store keeps the contract, on a real server."""

import pytest

from indexing.stores.elasticsearch.store import ElasticsearchStore
from tests.indexing.elasticsearch.server import URL, drop, needs_server, unique_name
from tests.store_contract import EvidenceStoreContract

pytestmark = needs_server


class TestElasticsearchStore(EvidenceStoreContract):
    @pytest.fixture
    def document_store(self):
        store = ElasticsearchStore(URL, index=unique_name())
        with store.writer():
            pass
        yield store
        drop(store)
