"""What holds without a server."""

import sys
from collections import Counter
from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any

import pytest
from elastic_transport import ApiResponseMeta, ConnectionTimeout, HttpHeaders, NodeConfig
from elasticsearch import ApiError
from elasticsearch.exceptions import AuthorizationException
from haystack.utils import Secret

from core.errors import ConfigError, StoreLockedError, UnavailableError
from core.settings import Settings, load_settings
from indexing.analysis import ANALYSER_NAME
from indexing.stores.elasticsearch import coverage
from indexing.stores.elasticsearch.bulk import MAX_OPERATIONS, BulkLoader, Operation
from indexing.stores.elasticsearch.errors import BulkError, as_looksy_error
from indexing.stores.elasticsearch.lock import HeldLock
from indexing.stores.elasticsearch.manifest import Manifest
from indexing.stores.elasticsearch.mapping import mappings, settings, template
from indexing.stores.elasticsearch.open import connect_elasticsearch
from indexing.stores.elasticsearch.reader import Reader
from indexing.stores.elasticsearch.store import ElasticsearchStore
from indexing.stores.elasticsearch.versions import create_version, remove_versions_before
from indexing.stores.open import open_store


def api_error(status: int, error: Any = "busy", *, kind: type[ApiError] = ApiError, message: str = "no") -> ApiError:
    node = NodeConfig("http", "localhost", 9200)
    return kind(message, ApiResponseMeta(status, "1.1", HttpHeaders(), 0.0, node), {"error": error})


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


def test_a_load_that_found_the_server_busy_to_the_end_says_with_what() -> None:
    bulk = loader(ScriptedClient(*[{"a": 429}] * 99), [], patience=0.1)
    bulk.add(Operation("index", "a", {"x": 1}))
    with pytest.raises(BulkError, match="stayed busy: t: because 429"):
        bulk.flush()


@pytest.mark.parametrize(("status", "kind"), [(403, AuthorizationException), (429, ApiError)])
def test_a_blocked_index_is_no_refused_login(status: int, kind: type[ApiError]) -> None:
    fault = {"type": "cluster_block_exception", "reason": "index [i] blocked by: [index read-only (api)]"}
    refused = api_error(status, {"root_cause": [fault], **fault}, kind=kind, message=fault["type"])
    error = as_looksy_error(refused, "http://es")
    assert error.field == "store_url"
    assert "read-only" in error.message
    assert "disk" in str(error.hint)


class LockClient:
    """Knows the owner of the lock, or fails to say."""

    def __init__(self, owner: str | Exception) -> None:
        self.owner = owner

    def options(self, **_: Any) -> "LockClient":
        return self

    def get(self, **_: Any) -> dict[str, Any]:
        if isinstance(self.owner, Exception):
            raise self.owner
        return {"_source": {"lock": {"owner": self.owner}}}


@pytest.mark.parametrize(
    ("owner", "sent"), [("me", 1), ("other", 0), (ConnectionTimeout("late"), 1)], ids=["own", "taken over", "unknown"]
)
def test_nothing_is_sent_once_another_has_taken_over(owner: str | Exception, sent: int) -> None:
    client = ScriptedClient()
    bulk = BulkLoader(client, "i", url="http://es", check=HeldLock(LockClient(owner), "i", "me").require)
    bulk.add(Operation("index", "a", {"x": 1}))
    with nullcontext() if sent else pytest.raises(StoreLockedError, match="taken over"):
        bulk.flush()
    assert len(client.requests) == sent


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


@pytest.mark.parametrize("from_environment", [True, False])
def test_blanks_around_a_key_are_not_sent(from_environment: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOOKSY_STORE_API_KEY", "s3cret\n")
    url = "http://127.0.0.1:1"
    store = ElasticsearchStore(url) if from_environment else connect_elasticsearch(load_settings({"store_url": url}))
    assert store.client._headers["authorization"] == "ApiKey s3cret"
    store.close()


def test_a_key_that_no_header_holds_is_refused_and_not_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOOKSY_STORE_API_KEY", "s3cret\nx")
    with pytest.raises(ConfigError, match="store_api_key") as raised:
        open_store(load_settings({"store_url": "http://127.0.0.1:1"}))
    assert "LOOKSY_STORE_API_KEY" in str(raised.value.hint)
    assert "s3cret" not in f"{raised.value} {raised.value.hint} {raised.value.__context__}"


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


class FakeIndices:
    """Names of indices; those that are stuck cannot be deleted."""

    def __init__(self, *names: str, stuck: tuple[str, ...] = ()) -> None:
        self.names = list(names)
        self.stuck = stuck
        self.made: dict[str, Any] = {}

    def get(self, *, index: str) -> list[str]:
        return [name for name in self.names if name.startswith(index.removesuffix("*"))]

    def put_index_template(self, **_: Any) -> None:
        pass

    def create(self, *, index: str, **body: Any) -> None:
        self.names.append(index)
        self.made = body

    def delete(self, *, index: str, ignore_unavailable: bool) -> None:
        if index in self.stuck:
            raise api_error(400)
        self.names.remove(index)


def test_a_version_is_made_with_mapping_and_analysis_whatever_template_applies() -> None:
    indices = FakeIndices("news-v000001", "news-v000007")
    assert create_version(SimpleNamespace(indices=indices), "news") == "news-v000008"
    assert indices.made == {"mappings": mappings(), "settings": settings()}
    assert settings().keys() == {"analysis", "similarity"}


@pytest.mark.parametrize("stuck", [(), ("news-v000001",)])
def test_older_versions_go_and_nothing_else(stuck: tuple[str, ...]) -> None:
    others = ["news-v000004", "news-v000005", "news-vote-v000001"]
    indices = FakeIndices("news-v000001", "news-v000002", *others, stuck=stuck)
    client = SimpleNamespace(indices=indices)
    remove_versions_before(client, "news", "news-v000004")
    assert indices.names == (["news-v000001", "news-v000002", *others] if stuck else others)
    remove_versions_before(client, "news", "news-v000005", keep="news-v000004")
    assert set(indices.names) >= {"news-v000004", "news-v000005", "news-vote-v000001"}


class CountingClient:
    """Aggregates rows of source and month as the server's documentation says, and refuses too many buckets."""

    def __init__(self, rows: list[dict[str, str]], *, max_buckets: int) -> None:
        self.rows = rows
        self.max_buckets = max_buckets

    def count(self, **_: Any) -> dict[str, int]:
        return {"count": len(self.rows)}

    def search(self, *, aggregations: dict[str, Any], **_: Any) -> dict[str, Any]:
        self.left = self.max_buckets
        return {"aggregations": self._answer(aggregations, self.rows)}

    def _answer(self, aggregations: dict[str, Any], rows: list[dict[str, str]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name, asked in aggregations.items():
            if "terms" in asked:
                found[name] = {"buckets": self._terms(asked, rows)}
            elif "filter" in asked:  # which all rows match
                found[name] = {"doc_count": len(rows)} | self._answer(asked["aggs"], rows)
            elif "composite" in asked:
                found[name] = self._composite(asked["composite"], rows)
            else:
                found[name] = {"value": None}
        return found

    def _terms(self, asked: dict[str, Any], rows: list[dict[str, str]]) -> list[dict[str, Any]]:
        field, buckets = asked["terms"]["field"], []
        for value in list(dict.fromkeys(row[field] for row in rows))[: asked["terms"]["size"]]:
            of_value = [row for row in rows if row[field] == value]
            self._take(1)
            parts = self._answer(asked.get("aggs", {}), of_value)
            buckets.append({"key": value, "doc_count": len(of_value), **parts})
        return buckets

    def _composite(self, asked: dict[str, Any], rows: list[dict[str, str]]) -> dict[str, Any]:
        fields = [name for source in asked["sources"] for name in source]
        after = tuple(asked["after"][field] for field in fields) if "after" in asked else ()
        counted = Counter(tuple(row[field] for field in fields) for row in rows)
        page = sorted(key for key in counted if key > after)[: asked["size"]]
        self._take(len(page))
        buckets = [{"key": dict(zip(fields, key, strict=True)), "doc_count": counted[key]} for key in page]
        return {"buckets": buckets} | ({"after_key": buckets[-1]["key"]} if buckets else {})

    def _take(self, buckets: int) -> None:
        self.left -= buckets
        if self.left < 0:
            raise api_error(400)


@pytest.mark.parametrize("page", [1, 4, 10])
def test_months_are_counted_however_many_buckets_they_are(monkeypatch: pytest.MonkeyPatch, page: int) -> None:
    rows = [{"source": f"s{n % 3}", "month": f"2020-0{1 + n % 4}", "section": f"{n % 2}"} for n in range(30)]
    monkeypatch.setattr(coverage, "PAIRS_PER_PAGE", page, raising=False)
    manifest = Manifest()
    reader = Reader(CountingClient(rows, max_buckets=10), "news", manifest)
    counts = coverage.count_all(reader, manifest, by_month=True, bytes_on_disk=None)
    assert [(s.source, s.articles) for s in counts.sources] == [(f"s{n}", 10) for n in range(3)]
    assert counts.sections == ("0", "1")
    pairs = Counter((row["source"], row["month"]) for row in rows)
    assert {(s.source, month): n for s in counts.sources for month, n in s.by_month.items()} == pairs
    assert all(list(s.by_month) == sorted(s.by_month) for s in counts.sources)
    fewer = coverage.count_all(reader, manifest, by_month=False, bytes_on_disk=None)
    assert [(s.articles, s.by_month) for s in fewer.sources] == [(10, {})] * 3
