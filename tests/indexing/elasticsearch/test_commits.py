"""What was committed stays, whoever is stopped and whoever takes over."""

import pytest

from core.errors import StoreLockedError
from indexing.documents import article_documents
from indexing.stores.elasticsearch.bulk import BulkLoader
from indexing.stores.elasticsearch.store import ElasticsearchStore
from tests.indexing.elasticsearch.server import URL, drop, let_the_lock_lapse, needs_server, unique_name
from tests.sample_articles import DAY, START, make_article
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


def put_and_stop_before_the_commit(store, *articles, look):
    """Put articles as a job does that is stopped before it commits, and look while readers can find what was sent."""
    with store.writer() as writer:
        for article in articles:
            writer.put(article, article_documents(article))
        writer._bulk.flush()
        store.client.indices.refresh(index=store.index)
        look()
        raise KeyboardInterrupt


@pytest.mark.parametrize("committed", [[1], [1, 3]])
def test_editions_of_a_job_that_has_not_committed_end_no_others(store, committed):
    editions = {
        day: make_article("b", body=f"On day {day} the harbour froze.", first_seen_at=START + (day - 1) * DAY)
        for day in (1, 2, 3, 4)
    }
    put_all(store, *(editions[day] for day in committed))
    newest, noons = editions[committed[-1]], [START + (day - 0.5) * DAY for day in (1, 2, 3, 4)]
    known = [max(day for day in committed if day <= at) for at in (1, 2, 3, 4)]

    def see_what_is_committed():
        reader = ElasticsearchStore(URL, index=store.index)
        assert reader.get_articles([newest.article_id])[newest.article_id].body == newest.body
        assert [one.content for one in reader.keyword_search("harbour", top_k=9)] == [newest.body]
        found = [reader.keyword_search("harbour", top_k=9, as_of=noon) for noon in noons]
        assert [[one.content for one in one_day] for one_day in found] == [[editions[day].body] for day in known]
        counts = reader.counts()
        assert (reader.count_documents(), counts.articles, counts.revisions) == (2, 2, len(committed) - 1)
        reader.close()

    late = [editions[day] for day in (4, 3, 2) if day not in committed]
    with pytest.raises(KeyboardInterrupt):
        put_and_stop_before_the_commit(store, *late, look=see_what_is_committed)
    see_what_is_committed()
    put_all(store, *late)
    assert sorted(names(store.filter_documents())) == ["a", "b"]
    assert store.get_articles([newest.article_id])[newest.article_id].body == editions[4].body
