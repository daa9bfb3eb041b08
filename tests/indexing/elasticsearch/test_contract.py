"""The Elasticsearch store keeps the contract, on a real server."""

import subprocess
import sys
import time

import pytest

from core.errors import StoreVersionError
from core.settings import Settings
from indexing.documents import article_documents
from indexing.stores.elasticsearch.store import ElasticsearchStore
from indexing.stores.open import open_store
from tests.indexing.elasticsearch.server import URL, drop, needs_server, unique_name
from tests.sample_articles import make_article
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


def test_an_index_of_another_format_is_refused_and_can_be_rebuilt():
    store = ElasticsearchStore(URL, index=unique_name())
    with store.writer() as writer:
        writer.put(make_article("a"), article_documents(make_article("a")))
    older = {"manifest": {"format": 0}}
    store.client.index(index=store.index, id="looksy-manifest", document=older)
    settings = Settings(store_url=URL, store_index=store.index)
    with pytest.raises(StoreVersionError, match="format 0"):
        open_store(settings)
    opened = open_store(settings, readable=False)
    with opened.rebuild() as writer:
        writer.put(make_article("b"), article_documents(make_article("b")))
    assert opened.count_documents() == 1
    drop(opened)


def test_a_reader_sees_a_commit_within_a_second():
    store = ElasticsearchStore(URL, index=unique_name())
    reader = ElasticsearchStore(URL, index=store.index)
    with store.writer() as writer:
        writer.put(make_article("a"), article_documents(make_article("a")))
        writer.commit()
        before = reader.count_documents()
        writer.put(make_article("b"), article_documents(make_article("b")))
        writer.commit()
        time.sleep(1)
        assert (before, reader.count_documents()) == (1, 2)
    drop(store)


def test_a_lock_of_a_dead_process_of_this_machine_does_not_hold():
    store = ElasticsearchStore(URL, index=unique_name())
    with store.writer():
        lock = store.client.get(index=store.index, id="looksy-lock")["_source"]["lock"]
    gone = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, check=True)
    store.client.index(index=store.index, id="looksy-lock", document={"lock": lock | {"pid": int(gone.stdout)}})
    with store.writer() as writer:
        writer.put(make_article("a"), article_documents(make_article("a")))
    assert store.count_documents() == 1
    drop(store)
