"""What holds without a server."""

import sys
from typing import Any

import pytest
from elastic_transport import ApiResponseMeta, ConnectionTimeout, HttpHeaders, NodeConfig
from elasticsearch import ApiError
from haystack.utils import Secret

from core.errors import ConfigError, UnavailableError
from core.settings import Settings
from indexing.analysis import ANALYSER_NAME
from indexing.stores.elasticsearch.bulk import MAX_OPERATIONS, BulkLoader, Operation
from indexing.stores.elasticsearch.errors import BulkError
from indexing.stores.elasticsearch.mapping import template
from indexing.stores.elasticsearch.store import ElasticsearchStore
from indexing.stores.open import open_store


def api_error(status: int) -> ApiError:
    node = NodeConfig("http", "localhost", 9200)
    return ApiError("no", ApiResponseMeta(status, "1.1", HttpHeaders(), 0.0, node), {"error": "busy"})


class ScriptedClient:
    """Answers bulk requests with what it was given, then with success."""

    def __init__(self, *script: Any) -> None:
        self.script = list(script)
        self.requests: list[list[str]] = []

    def options(self, **_: Any) -> "ScriptedClient":
        return self

    def bulk(self, *, index: str, operations: list[bytes]) -> dict[str, Any]:
        ids = [line.split(b'"_id": "')[1].split(b'"')[0].decode() for line in operations]
        self.requests.append(ids)
        step = self.script.pop(0) if self.script else {}
        if isinstance(step, Exception):
            raise step
        return {"items": [{"index": {"_id": i, "status": step.get(i, 200)} | _fault(step.get(i))} for i in ids]}


def _fault(status: int | None) -> dict[str, Any]:
    return {} if status is None else {"error": {"type": "t", "reason": f"because {status}"}}


def loader(client: ScriptedClient, waits: list[float], *, patience: float = 60) -> BulkLoader:
    return BulkLoader(client, "i", url="http://es", patience=patience, sleep=waits.append)


def test_only_what_failed_is_sent_again_and_waits_grow() -> None:
    client, waits = ScriptedClient({"b": 429}, api_error(503), ConnectionTimeout("late"), {"b": 503}), []
    bulk = loader(client, waits)
    for name in "abc":
        bulk.add(Operation("index", name, {"x": 1}))
    bulk.flush()
    assert client.requests == [["a", "b", "c"], ["b"], ["b"], ["b"], ["b"]]
    assert waits == sorted(waits)
    assert waits[-1] > 2 * waits[0]


def test_refused_documents_are_named_with_their_reasons() -> None:
    bulk = loader(ScriptedClient({"a": 400, "b": 429}, {"b": 400}), [])
    for name in "abc":
        bulk.add(Operation("index", name, {"x": 1}))
    with pytest.raises(BulkError, match="because 400") as raised:
        bulk.flush()
    assert set(raised.value.failures) == {"a", "b"}


def test_patience_ends() -> None:
    bulk = loader(ScriptedClient(*[api_error(429)] * 99), [], patience=0.1)
    bulk.add(Operation("delete", "a"))
    with pytest.raises(UnavailableError, match="does not answer"):
        bulk.flush()


def test_requests_are_bounded_and_operations_on_one_document_keep_their_order() -> None:
    client = ScriptedClient()
    bulk = loader(client, [])
    for number in range(MAX_OPERATIONS + 1):
        bulk.add(Operation("index", f"n{number}", {"x": 1}))
    bulk.add(Operation("update", f"n{MAX_OPERATIONS}", {"doc": {}}))
    bulk.flush()
    assert [len(ids) for ids in client.requests] == [MAX_OPERATIONS, 1, 1]


def test_nothing_connects_before_the_first_use_and_no_secret_is_written() -> None:
    store = ElasticsearchStore(
        "http://127.0.0.1:1", index="news", timeout=3, ca_file="ca.pem", user="u", password=Secret.from_token("hidden")
    )
    written = store.to_dict()
    assert written["init_parameters"] == {
        "url": "http://127.0.0.1:1", "index": "news", "timeout": 3, "ca_file": "ca.pem", "user": "u",
        "bulk_patience": 120.0,
    }  # fmt: skip
    assert "hidden" not in repr(vars(store))
    assert ElasticsearchStore.from_dict(written).to_dict() == written


@pytest.mark.parametrize("url", ["http://u:hidden@host:9200", "ftp://host", "host:9200"])
def test_addresses_that_cannot_be_used_are_refused(url: str) -> None:
    with pytest.raises(ConfigError, match="store_url") as raised:
        ElasticsearchStore(url)
    assert "hidden" not in str(raised.value)


def test_a_server_that_is_down_is_unavailable() -> None:
    with pytest.raises(UnavailableError, match="does not answer as it should"):
        open_store(Settings(store_url="http://127.0.0.1:1"))


def test_without_the_client_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("indexing.stores.elasticsearch")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "elasticsearch", None)
    with pytest.raises(ConfigError, match="not installed") as raised:
        open_store(Settings(store_url="http://127.0.0.1:1"))
    assert "looksy[elasticsearch]" in str(raised.value.hint)


def test_the_template_states_analysis_scoring_and_vectors() -> None:
    body = template("news")
    assert body["index_patterns"] == ["news-v*"]
    properties = body["template"]["mappings"]["properties"]
    assert body["template"]["mappings"]["dynamic"] == "strict"
    assert body["template"]["settings"]["similarity"]["looksy_bm25"] == {"type": "BM25", "k1": 1.2, "b": 0.75}
    assert properties["text"]["analyzer"] == ANALYSER_NAME
    assert properties["headline"]["copy_to"] == properties["content"]["copy_to"] == "text"
    assert properties["embedding"]["index_options"]["type"] == "int8_hnsw"
