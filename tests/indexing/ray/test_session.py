"""What holds without a cluster."""

import json
import sys
import types

import pytest

from core.errors import ConfigError, StoreError, StoreVersionError, UnavailableError
from core.settings import load_settings
from indexing.ray.loading import Part, on_cluster, parts_of
from indexing.ray.session import Cluster, connect, portable, revived, worker_settings
from service.answers.batch import error_body
from tests.sample_articles import DAY, START, make_article

SECRETS = {"LOOKSY_STORE_API_KEY": "hidden-key", "LOOKSY_STORE_PASSWORD": "hidden-word"}


def test_settings_travel_without_secrets_and_workers_take_their_own(monkeypatch):
    given = {"store_url": "http://es:9200", "generator_fallback": "none", "retriever": "hybrid", "threads": 4}
    settings = load_settings(given, environment=SECRETS)
    values = json.loads(json.dumps(portable(settings)))
    assert "hidden" not in str(values)
    for name in SECRETS:
        monkeypatch.setenv(name, "the worker's")
    arrived = worker_settings(values)
    assert arrived.store_api_key.get_secret_value() == "the worker's"
    assert (arrived.retriever, arrived.generator_fallback, arrived.threads) == ("hybrid", None, 1)
    assert arrived.data_dir.is_absolute()


def test_editions_of_an_article_are_in_one_part_and_in_order():
    articles = [make_article(f"n{n}") for n in range(100)]
    later = [make_article(f"n{n}", body="Changed.", first_seen_at=START + DAY) for n in range(100)]
    parts = [Part.model_validate_json(part).articles for part in parts_of([*articles, *later])]
    assert sorted(a.url for part in parts for a in part) == sorted(a.url for a in [*articles, *later])
    assert len(parts) == 7
    for part in parts:
        bodies = {}
        for article in part:
            bodies.setdefault(article.article_id, []).append(article.body)
        assert all(len(found) == 2 and found[1] == "Changed." for found in bodies.values())


def test_the_embedded_store_is_refused_with_the_way_out():
    with pytest.raises(ConfigError, match="several machines") as raised, on_cluster(load_settings(), "local"):
        pytest.fail("connected")
    assert "--store" in raised.value.hint


def test_without_ray_the_error_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ConfigError, match="not installed") as raised, connect("local"):
        pytest.fail("connected")
    assert "looksy[ray]" in raised.value.hint


@pytest.mark.parametrize(
    "error",
    [
        StoreVersionError("another embedder", field="embedder_model", hint="Rebuild."),
        ConfigError("no such model", field="embedder_model", hint=None),
    ],
)
def test_errors_of_workers_come_back_as_what_they_were(error):
    back = revived(json.loads(json.dumps(error_body(error))))
    assert type(back) is type(error)
    assert (back.message, back.field, back.hint) == (error.message, error.field, error.hint)


def test_an_error_that_needs_more_than_a_message_comes_back_as_its_kind():
    pytest.importorskip("elasticsearch", reason="the extra [elasticsearch] is not installed")
    from indexing.stores.elasticsearch.errors import BulkError

    back = revived(json.loads(json.dumps(error_body(BulkError({"d1": "because"})))))
    assert isinstance(back, StoreError)
    assert "d1: because" in back.message


def test_nothing_to_do_needs_no_cluster():
    assert list(Cluster(None).spread([], bytes)) == []


@pytest.mark.parametrize("address", ["127.0.0.1:1", "ray://127.0.0.1:1"])
def test_an_address_where_nothing_listens_is_refused_at_once(address, monkeypatch):
    ray = types.SimpleNamespace(init=lambda **_: pytest.fail("asked Ray"))
    monkeypatch.setitem(sys.modules, "ray", ray)
    monkeypatch.setitem(sys.modules, "ray.data", types.SimpleNamespace())
    with pytest.raises(UnavailableError, match="no Ray cluster") as raised, connect(address):
        pytest.fail("connected")
    assert "--ray local" in raised.value.hint
