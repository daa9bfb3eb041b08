"""What was committed stays, whoever is stopped and whoever takes over."""

import pytest

from core.errors import StoreLockedError
from indexing.documents import article_documents
from indexing.stores.elasticsearch.bulk import BulkLoader
from indexing.stores.elasticsearch.store import ElasticsearchStore
from tests.indexing.elasticsearch.server import URL, drop, let_the_lock_lapse, needs_server, unique_name
from tests.sample_articles import make_article
from tests.store_contract import names, put_all

pytestmark = needs_server
B, C = make_article("b"), make_article("c")


@pytest.fixture
def store():
    opened = ElasticsearchStore(URL, index=unique_name())
    put_all(opened, make_article("a", section="local"))
    yield opened
    drop(opened)


def sleep_while_another_commits(store: ElasticsearchStore, other: ElasticsearchStore) -> None:
    with store.writer() as late:
        late.put(B, article_documents(B))
        let_the_lock_lapse(store)
        put_all(other, C)


def test_a_writer_that_was_overtaken_leaves_what_the_other_committed(store):
    other = ElasticsearchStore(URL, index=store.index)
    with pytest.raises(StoreLockedError, match="taken over"):
        sleep_while_another_commits(store, other)
    assert sorted(names(other.filter_documents())) == ["a", "c"]
    put_all(other, B)
    assert sorted(names(other.filter_documents())) == ["a", "b", "c"]


def test_a_writer_that_was_overtaken_leaves_what_the_other_is_writing(store):
    other = ElasticsearchStore(URL, index=store.index)
    with store.writer() as late:
        late.put(B, article_documents(B))
        let_the_lock_lapse(store)
        with other.writer() as writer:
            writer.put(C, article_documents(C))
            writer._bulk.flush()
            with pytest.raises(StoreLockedError, match="taken over"):
                late._bulk.flush()
            late.rollback()
    assert sorted(names(other.filter_documents())) == ["a", "c"]


def test_a_commit_stands_although_what_it_replaced_was_not_cleared_away(store, monkeypatch):
    add = BulkLoader.add

    def stop_at_deletes(self, operation):
        if operation.action == "delete":
            raise KeyboardInterrupt
        add(self, operation)

    corrected = make_article("a", section="sport")
    with monkeypatch.context() as patch:
        patch.setattr(BulkLoader, "add", stop_at_deletes)
        with pytest.raises(KeyboardInterrupt):
            put_all(store, corrected)
    assert store.get_revisions(corrected.article_id) == [corrected]
    put_all(store, B)
    store.client.indices.refresh(index=store.index)
    rows = store.client.count(index=store.index, query={"term": {"article_id": corrected.article_id}})
    assert rows["count"] == 1
    assert sorted(names(store.filter_documents())) == ["a", "b"]
