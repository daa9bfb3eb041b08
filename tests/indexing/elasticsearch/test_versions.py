"""A rebuild puts a complete version in place and clears away behind it, whatever comes between; templates of users."""

from contextlib import suppress

import pytest
from elastic_transport import ConnectionTimeout

from core.errors import StoreLockedError, StoreVersionError
from indexing.documents import article_documents
from indexing.stores.elasticsearch.store import ElasticsearchStore
from indexing.stores.elasticsearch.versions import create_version
from tests.indexing.elasticsearch.server import URL, drop, let_the_lock_lapse, needs_server, unique_name
from tests.sample_articles import make_article
from tests.store_contract import names, put_all

pytestmark = needs_server


@pytest.fixture
def store():
    opened = ElasticsearchStore(URL, index=unique_name())
    put_all(opened, make_article("a"))
    yield opened
    drop(opened)


def rebuild_with(store: ElasticsearchStore, name: str) -> None:
    with store.rebuild() as writer:
        writer.put(make_article(name), article_documents(make_article(name)))


def versions(store: ElasticsearchStore) -> set[str]:
    return {name.removeprefix(store.index) for name in store.client.indices.get(index=f"{store.index}-v*")}


@pytest.mark.parametrize("fault", [ConnectionTimeout("late"), KeyboardInterrupt()], ids=["late", "stopped"])
def test_a_rebuild_stands_although_the_old_version_could_not_be_removed(store, monkeypatch, fault):
    indices = type(store.client.indices)
    delete, faults = indices.delete, [fault]

    def delete_later(*arguments, **options):
        if faults:
            raise faults.pop()
        return delete(*arguments, **options)

    with monkeypatch.context() as patch, suppress(KeyboardInterrupt):
        patch.setattr(indices, "delete", delete_later)
        rebuild_with(store, "b")
    assert faults == []
    assert names(store.filter_documents()) == ["b"]
    rebuild_with(store, "c")
    assert names(store.filter_documents()) == ["c"]
    assert versions(store) == {"-v000003"}


def test_what_a_killed_rebuild_left_goes_with_the_next(store):
    create_version(store.client, store.index)
    store.client.indices.create(index=f"{store.index}-vote-v000001")
    rebuild_with(store, "b")
    assert versions(store) == {"-v000003", "-vote-v000001"}


def sleep_while_another_rebuilds(store: ElasticsearchStore, other: ElasticsearchStore) -> None:
    with store.rebuild() as late:
        late.put(make_article("b"), article_documents(make_article("b")))
        let_the_lock_lapse(store)
        rebuild_with(other, "c")


def test_a_rebuild_that_was_overtaken_by_another_replaces_nothing(store):
    other = ElasticsearchStore(URL, index=store.index)
    with pytest.raises(StoreLockedError):
        sleep_while_another_rebuilds(store, other)
    assert names(other.filter_documents()) == ["c"]
    assert versions(store) == {"-v000003"}


def test_a_version_that_cannot_be_read_stays_until_the_next_rebuild(store):
    store.client.index(index=store.index, id="looksy-manifest", document={"manifest": {"format": 0}})
    rebuild_with(store, "b")
    assert versions(store) == {"-v000001", "-v000002"}
    rebuild_with(store, "c")
    assert versions(store) == {"-v000003"}


def test_a_template_of_a_user_sets_the_shards_and_leaves_the_analysis():
    store = ElasticsearchStore(URL, index=unique_name())
    store.client.indices.put_index_template(
        name=f"{store.index}-shards",
        index_patterns=[f"{store.index}-v*"],
        priority=900,
        template={"settings": {"number_of_shards": 2}},
    )
    try:
        put_all(store, make_article("a", body="Ships left the harbour."), make_article("b", body="It rained."))
        assert names(store.keyword_search("ship in harbours", top_k=5)) == ["a"]
        assert store.counts().sources[0].articles == 2
        (found,) = store.client.indices.get_settings(index=store.index).values()
        assert found["settings"]["index"]["number_of_shards"] == "2"
    finally:
        store.client.indices.delete_index_template(name=f"{store.index}-shards")
        drop(store)


@pytest.mark.parametrize("name", ["{}", "{}-alias"], ids=["index", "alias"])
def test_an_index_of_others_is_neither_read_nor_written(name):
    index = unique_name()
    store = ElasticsearchStore(URL, index=name.format(index))
    store.client.indices.create(index=index, aliases={f"{index}-alias": {}})
    store.client.index(index=index, document={"title": "tulip", "generation": 3}, refresh=True)
    try:
        for use in (
            store.snapshot_id,
            store.counts,
            lambda: put_all(store, make_article("a")),
            lambda: rebuild_with(store, "a"),
        ):
            with pytest.raises(StoreVersionError, match=index):
                use()
        assert store.client.count(index=index)["count"] == 1
        (found,) = store.client.indices.get_mapping(index=index).values()
        assert found["mappings"]["properties"].keys() == {"title", "generation"}
    finally:
        store.client.indices.delete(index=index)
        drop(store)
