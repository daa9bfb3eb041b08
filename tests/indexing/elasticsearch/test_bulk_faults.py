"""Bulk loads through a proxy that spoils them: every document arrives, or the error names those that did not."""

from datetime import UTC, datetime

import pytest
from haystack import Document
from haystack.document_stores.types import DuplicatePolicy

from core.errors import StoreError, UnavailableError
from indexing.documents import article_documents
from indexing.loading import load_articles
from indexing.stores.contract import PutOutcome
from indexing.stores.elasticsearch import bulk
from indexing.stores.elasticsearch.errors import BulkError
from indexing.stores.elasticsearch.store import ElasticsearchStore
from tests.indexing.elasticsearch.fault_proxy import (
    answer_with,
    close_after,
    close_before,
    fault_proxy,
    refuse_items,
)
from tests.indexing.elasticsearch.server import URL, drop, needs_server, unique_name
from tests.sample_articles import make_article

pytestmark = needs_server
ARTICLES = [make_article(f"n{number}") for number in range(60)]


@pytest.fixture
def proxy():
    with fault_proxy(URL) as running:
        yield running


@pytest.fixture
def store(proxy, monkeypatch):
    monkeypatch.setattr(bulk, "MAX_OPERATIONS", 20)
    opened = ElasticsearchStore(proxy.url, index=unique_name(), timeout=20, bulk_patience=5)
    with opened.writer():
        pass
    yield opened
    proxy.faults.clear()
    drop(opened)


def load(store: ElasticsearchStore) -> None:
    with store.writer() as writer:
        for article in ARTICLES:
            writer.put(article, article_documents(article))


@pytest.mark.parametrize(
    "faults",
    [
        [answer_with(429), answer_with(429)],
        [answer_with(503)],
        [close_before],
        [close_after],
        [refuse_items(429, every=3)],
        [refuse_items(503, every=2), answer_with(429), refuse_items(429, every=2), close_after],
    ],
    ids=["429", "503", "closed before", "closed after", "some busy", "all in turn"],
)
def test_every_document_arrives_once(store, proxy, faults):
    proxy.faults = list(faults)
    load(store)
    assert proxy.faults == []
    assert store.count_documents() == len(ARTICLES)
    assert store.counts().articles == len(ARTICLES)
    assert proxy.seen == 3 + len(faults)


def test_documents_refused_for_good_are_named_and_nothing_is_visible(store, proxy):
    proxy.faults = [refuse_items(400, every=4)]
    with pytest.raises(BulkError) as raised:
        load(store)
    expected = [article_documents(article)[0].id for article in ARTICLES[:20:4]]
    assert sorted(raised.value.failures) == sorted(expected)
    assert expected[0] in raised.value.message
    assert store.count_documents() == 0
    load(store)
    assert store.count_documents() == len(ARTICLES)


def test_a_server_that_stays_busy_ends_the_load_with_an_error(store, proxy):
    store.bulk_patience = 0.5
    proxy.faults = [answer_with(429)] * 20
    with pytest.raises(UnavailableError, match="429"):
        load(store)
    proxy.faults.clear()
    assert store.count_documents() == 0


def test_a_request_that_makes_no_sense_is_not_repeated(store, proxy):
    proxy.faults = [answer_with(400)]
    with pytest.raises(StoreError, match="refuses the request"):
        load(store)
    assert proxy.seen == 1


GONE_AT = datetime(2022, 1, 1, tzinfo=UTC)


def die_while_writing(store: ElasticsearchStore) -> None:
    """Change, correct, mark as gone, delete and add, and end without commit or rollback."""
    changed = make_article("n0", body="Something else.", first_seen_at=ARTICLES[0].first_seen_at.replace(year=2021))
    with store.writer() as writer:
        writer.rollback = lambda: None  # as if the process were gone
        writer.put(changed, article_documents(changed))
        writer.delete(ARTICLES[1].article_id)
        writer.mark_gone(ARTICLES[2].article_id, gone_at=GONE_AT)
        writer.put(ARTICLES[3].model_copy(update={"section": "sport"}), [])
        writer.put(make_article("new"), article_documents(make_article("new")))
        writer._bulk.flush()
        raise KeyboardInterrupt


def test_a_writer_that_died_leaves_nothing_behind(store):
    load(store)
    before = store.snapshot_id()
    with pytest.raises(KeyboardInterrupt):
        die_while_writing(store)
    assert store.count_documents() == len(ARTICLES)
    assert store.keyword_search("else", top_k=3) == []
    assert store.get_articles(a.article_id for a in ARTICLES) == {a.article_id: a for a in ARTICLES}
    with store.writer():
        pass
    assert store.count_documents() == len(ARTICLES)
    assert store.get_articles(a.article_id for a in ARTICLES) == {a.article_id: a for a in ARTICLES}
    assert store.snapshot_id() == before
    load(store)
    assert store.snapshot_id() == before


def test_a_document_that_cannot_be_replaced_stays(store, proxy):
    store.write_documents([Document(id="d", content="old")])
    proxy.faults = [refuse_items(400, every=2)]
    with pytest.raises(BulkError):
        store.write_documents([Document(id="d", content="new")], policy=DuplicatePolicy.OVERWRITE)
    assert [document.content for document in store.filter_documents()] == ["old"]
    store.write_documents([Document(id="d", content="new")], policy=DuplicatePolicy.OVERWRITE)
    assert [document.content for document in store.filter_documents()] == ["new"]


def test_known_articles_are_looked_up_together(store, monkeypatch):
    load(store)
    asked = []
    search = type(store.client).search
    monkeypatch.setattr(type(store.client), "search", lambda *a, **options: asked.append(1) or search(*a, **options))
    with store.writer() as writer:
        loaded = load_articles(writer, [*ARTICLES, make_article("new")], embedder=None)
    assert loaded.outcomes == {PutOutcome.UNCHANGED: len(ARTICLES), PutOutcome.NEW: 1}
    assert len(asked) == 1
