"""Traces: off by default, spans for request and stages, and nothing of what a user typed in any of them."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient

from core.errors import ConfigError
from core.settings import Settings
from core.types import Article
from service.app import create_app
from service.operations.telemetry import Telemetry, make_telemetry
from tests.service.conftest import LOOPBACK
from tests.service.fakes import FakeAsker

SECRET = "xylophonist"
QUERY = {"text": f"Did the {SECRET} lift the state of emergency in Samoa?"}


@pytest.fixture
def exporter() -> Any:
    pytest.importorskip("opentelemetry.sdk", reason="needs: pip install 'looksy[telemetry]'")
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    return InMemorySpanExporter()


@pytest.fixture
def telemetry(exporter: Any) -> Telemetry:
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor

    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    return Telemetry(provider.get_tracer("test"))


@pytest.fixture
def traced(settings: Settings, telemetry: Telemetry, article: Article) -> Iterator[TestClient]:
    """The whole service over a small index, with the real engine."""
    app = create_app(settings, telemetry=telemetry)
    with TestClient(app, base_url=LOOPBACK, raise_server_exceptions=False) as client:
        yield client


def test_an_answer_is_one_trace_of_request_answer_and_stages(traced: TestClient, exporter: Any) -> None:
    answered = traced.post("/v1/verify", json=QUERY, headers={"x-request-id": "r1"})
    assert answered.status_code == 200
    spans = {span.name: span for span in exporter.get_finished_spans()}
    root, answer = spans["POST /v1/verify"], spans["answer verify"]
    assert {"retrieve", "read", "answer"} <= set(spans)
    assert root.parent is None
    assert dict(root.attributes) == {
        "http.request.method": "POST",
        "http.route": "/v1/verify",
        "http.response.status_code": 200,
        "looksy.request_id": "r1",
    }
    assert answer.parent.span_id == root.context.span_id
    assert answer.attributes["looksy.run_id"] == answered.json()["run_id"]
    assert spans["read"].parent.span_id == answer.context.span_id
    assert len({span.context.trace_id for span in spans.values()}) == 1


def test_no_span_holds_what_was_typed(traced: TestClient, exporter: Any) -> None:
    run = traced.post("/v1/verify", json=QUERY).json()["run_id"]
    traced.post("/v1/verify/stream", json=QUERY)
    traced.post("/", data=QUERY, headers={"accept": "text/html"})
    traced.get("/v1/search", params={"q": SECRET, "source": SECRET})
    traced.get(f"/{SECRET}", params={SECRET: SECRET})
    traced.post("/v1/verify", json={"text": SECRET, SECRET: SECRET})
    traced.post("/v1/verify", json={"text": SECRET, "as_of": SECRET})
    traced.post(f"/v1/runs/{run}/replay")
    traced.request(SECRET.upper(), "/v1/verify")
    traced.get(f"/v1/articles/{SECRET}", headers={"user-agent": SECRET, "referer": SECRET})
    spans = exporter.get_finished_spans()
    assert len(spans) > 20
    written = [json.dumps(json.loads(span.to_json())).lower() for span in spans]
    assert [text for text in written if SECRET in text] == []


def test_errors_are_told_by_their_code_alone(settings: Settings, telemetry: Telemetry, exporter: Any) -> None:
    def fail(_: object) -> None:
        raise RuntimeError(SECRET)

    app = create_app(settings, asker=FakeAsker(fail), telemetry=telemetry)
    with TestClient(app, base_url=LOOPBACK, raise_server_exceptions=False) as client:
        assert client.post("/v1/verify", json=QUERY).status_code == 500
    spans = {span.name: span for span in exporter.get_finished_spans()}
    assert spans["answer verify"].attributes["error.type"] == "RuntimeError"
    assert spans["POST /v1/verify"].attributes["http.response.status_code"] == 500
    assert all(not span.events and SECRET not in (span.status.description or "") for span in spans.values())


def test_there_are_no_traces_unless_an_address_is_set(settings: Settings) -> None:
    assert make_telemetry(settings).tracer is None


def test_a_missing_extra_is_named(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "opentelemetry.sdk.trace", None)
    wanted = settings.model_copy(update={"telemetry_url": "http://127.0.0.1:4318"})
    with pytest.raises(ConfigError) as raised:
        make_telemetry(wanted)
    assert "looksy[telemetry]" in (raised.value.hint or "")
