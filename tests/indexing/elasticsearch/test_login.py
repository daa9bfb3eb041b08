"""A server that asks for a login: password, API key, and neither anywhere but in the environment."""

import json
import logging

import pytest
from elasticsearch import Elasticsearch
from haystack import Pipeline

from core.errors import UnavailableError
from core.settings import load_settings
from indexing.documents import article_documents
from indexing.stores.open import open_store
from pipelines.retrieval.bm25 import Bm25Retriever
from tests.indexing.elasticsearch.own_server import needs_own_server, own_server
from tests.sample_articles import make_article

pytestmark = needs_own_server
USER, PASSWORD = "looksy", "looksy-test"


@pytest.fixture(scope="module")
def url():
    with own_server("--secure", "--port", "9240") as server:
        yield server.url


@pytest.fixture(scope="module")
def api_key(url):
    with Elasticsearch(url, basic_auth=(USER, PASSWORD)) as client:
        rights = {
            "looksy": {
                "cluster": ["monitor", "manage_index_templates"],
                "index": [{"names": ["looksy-login*"], "privileges": ["all"]}],
            }
        }
        return client.security.create_api_key(name="looksy", role_descriptors=rights)["encoded"]


def put_one(environment: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    store = open_store(load_settings({"store_index": "looksy-login"}), must_exist=False)
    article = make_article("a", body="Ships left the harbour.")
    with store.writer() as writer:
        writer.put(article, article_documents(article))
    assert len(store.keyword_search("harbour", top_k=3)) == 1
    pipeline = Pipeline()
    pipeline.add_component("retriever", Bm25Retriever(store))
    written = pipeline.dumps() + json.dumps(store.to_dict()) + repr(store.__dict__)
    assert PASSWORD not in written
    assert environment.get("LOOKSY_STORE_API_KEY", PASSWORD) not in written
    loaded = Pipeline.loads(pipeline.dumps(), unsafe=True).get_component("retriever")
    assert len(loaded.run("harbour")["documents"]) == 1
    store.close()


def test_password_works_and_stays_secret(url, monkeypatch, caplog):
    caplog.set_level(logging.DEBUG)
    put_one({"LOOKSY_STORE_URL": url, "LOOKSY_STORE_USER": USER, "LOOKSY_STORE_PASSWORD": PASSWORD}, monkeypatch)
    assert PASSWORD not in caplog.text


def test_api_key_works_and_stays_secret(url, api_key, monkeypatch, caplog):
    caplog.set_level(logging.DEBUG)
    put_one({"LOOKSY_STORE_URL": url, "LOOKSY_STORE_API_KEY": api_key}, monkeypatch)
    assert api_key not in caplog.text


@pytest.mark.parametrize(
    "environment",
    [{}, {"LOOKSY_STORE_USER": USER, "LOOKSY_STORE_PASSWORD": "wrong"}, {"LOOKSY_STORE_API_KEY": "d3Jvbmc6d3Jvbmc="}],
    ids=["none", "wrong password", "wrong key"],
)
def test_a_refused_login_says_which_variables_to_set(url, environment, monkeypatch):
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(UnavailableError, match="refuses the login") as raised:
        open_store(load_settings({"store_url": url, "store_index": "looksy-login"}))
    assert "LOOKSY_STORE_API_KEY" in str(raised.value.hint)
    assert "wrong" not in str(raised.value)
