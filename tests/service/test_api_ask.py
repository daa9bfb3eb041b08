"""Asking over REST: JSON, Markdown, readiness, and a bounded amount of work."""

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from fastapi.testclient import TestClient

from core.errors import (
    LooksyError,
    ModelError,
    StoreError,
    StoreLockedError,
    StoreMissingError,
    StoreVersionError,
    UnavailableError,
)
from core.settings import Settings, load_settings
from core.types import QueryKind, Request
from service.api.negotiation import JSON, MARKDOWN, preferred
from service.app import create_app
from tests.service.fakes import FakeAsker
from tests.service.waiting import until


def test_verify_gives_the_result(client: TestClient, asker: FakeAsker) -> None:
    fields = {"text": "How  many died?", "kind": "question", "as_of": "2020-01-31", "top_k": 5}
    response = client.post("/v1/verify", json=fields)
    body = response.json()
    assert response.status_code == 200
    assert body["verdict"] == "verified"
    assert body["references"][0]["quotes"][0]["text"] == "81 people had lost their lives"
    assert "run" not in body
    (system, request) = asker.asked[0]
    assert (system, request.text, request.kind, request.top_k) == ("verify", "How many died?", QueryKind.QUESTION, 5)
    assert request.as_of is not None
    assert request.as_of.isoformat().startswith("2020-01-31T23:59:59")


def test_verify_gives_markdown_when_asked(client: TestClient) -> None:
    response = client.post("/v1/verify", json={"text": "How many died?"}, headers={"accept": "text/markdown"})
    assert response.headers["content-type"].startswith("text/markdown")
    assert "Samoa lifts state of emergency" in response.text


@pytest.mark.parametrize("body", [b'{"text": "Who won?", "\\ud800": 1}', b'{"text": "\\ud800 won"}'])
def test_half_a_character_anywhere_is_an_error_that_can_be_read(client: TestClient, body: bytes) -> None:
    response = client.post("/v1/verify", content=body, headers={"content-type": "application/json"})
    assert response.status_code == 422
    assert "\\ud800" in response.json()["message"]
    assert response.json()["hint"]


@pytest.mark.parametrize(
    ("accept", "chosen"),
    [
        ("", JSON),
        ("*/*", JSON),
        ("text/markdown", MARKDOWN),
        ("text/markdown;q=0.5, application/json", JSON),
        ("application/json;q=0.1, text/markdown;q=0.9", MARKDOWN),
        ("text/*, */*;q=0.1", MARKDOWN),
        ("image/png", JSON),
        ("text/markdown;q=x", JSON),
    ],
)
def test_negotiation(accept: str, chosen: str) -> None:
    assert preferred(accept, (JSON, MARKDOWN)) == chosen


def test_systems_are_listed_with_their_options(client: TestClient) -> None:
    systems = {system["name"]: system for system in client.get("/v1/systems").json()}
    assert systems["verify"]["path"] == "/v1/verify"
    assert systems["verify"]["options"]["type"] == "object"


def test_openapi_describes_every_system_and_error(client: TestClient) -> None:
    document = client.get("/openapi.json").json()
    for system in client.get("/v1/systems").json():
        responses = document["paths"][system["path"]]["post"]["responses"]
        assert {"200", "422", "503"} <= set(responses)


def test_healthz_says_the_version(client: TestClient) -> None:
    assert client.get("/healthz").json() == {"status": "ok", "version": "0.1.0"}


def test_readyz_says_which_part_is_not_ready(client: TestClient) -> None:
    response = client.get("/readyz")
    parts = {part["name"]: part for part in response.json()["parts"]}
    assert response.status_code == 503
    assert response.json()["ready"] is False
    assert parts["index"]["ready"] is False
    assert "looksy" in parts["index"]["hint"]
    assert parts["models"]["ready"] is True


def test_readyz_tells_strangers_nothing_of_the_set_up(
    client: TestClient, asker: FakeAsker, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail() -> None:
        raise ModelError("/opt/looksy/model.onnx is not there", hint="Look into /opt/looksy.")

    monkeypatch.setattr(asker, "warm_up", fail)
    response = client.get("/readyz")
    parts = {part["name"]: part for part in response.json()["parts"]}
    assert parts["models"]["ready"] is False
    assert parts["models"]["message"]
    assert "/opt" not in response.text
    assert "/opt/looksy/model.onnx is not there" in [getattr(record, "reason", "") for record in caplog.records]


@pytest.mark.parametrize(
    "error",
    [
        StoreMissingError("there is no index in /opt/looksy", hint="Look into /opt/looksy."),
        StoreVersionError("/opt/looksy/CURRENT is broken"),
        StoreLockedError("process 7 is writing to the index in /opt/looksy"),
        StoreError("/opt/looksy cannot be read"),
        UnavailableError("Elasticsearch at http://elastic.opt/ does not answer"),
    ],
)
def test_readyz_tells_strangers_no_place_of_the_index(
    client: TestClient,
    asker: FakeAsker,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    error: LooksyError,
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("service.api.readiness.open_store", fail)
    response = client.get("/readyz")
    part = {part["name"]: part for part in response.json()["parts"]}["index"]
    assert part["ready"] is False
    assert part["message"]
    assert part["hint"]
    assert "opt" not in response.text
    assert error.message in [getattr(record, "reason", "") for record in caplog.records]


def test_an_unreachable_generator_is_named(tmp_path: Path) -> None:
    settings = load_settings(
        {"data_dir": tmp_path, "generator": "openai", "generator_url": "http://127.0.0.1:9/v1", "generator_model": "m"},
        environment={},
    )
    with TestClient(create_app(settings, asker=FakeAsker()), base_url="http://127.0.0.1") as client:
        parts = {part["name"]: part for part in client.get("/readyz").json()["parts"]}
    assert parts["generator"]["ready"] is False


@pytest.mark.parametrize(("key", "sent"), [("s3cret\n", ["Bearer s3cret"]), ("s3cret\nx", [])])
def test_the_generator_is_asked_with_the_key_of_its_answers(
    key: str, sent: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    asked: list[str] = []

    def get(url: str, *, headers: dict[str, str], **_: object) -> httpx.Response:
        asked.append(headers["Authorization"])
        return httpx.Response(200, request=httpx.Request("GET", url))

    settings = load_settings(
        {"data_dir": tmp_path, "generator": "openai", "generator_url": "http://h/v1", "generator_model": "m"},
        environment={"LOOKSY_GENERATOR_API_KEY": key},
    )
    with TestClient(create_app(settings, asker=FakeAsker()), base_url="http://127.0.0.1") as client:
        monkeypatch.setattr(httpx, "get", get)
        answer = client.get("/readyz")
    parts = {part["name"]: part for part in answer.json()["parts"]}
    assert (parts["generator"]["ready"], asked) == (bool(sent), sent)
    assert "s3cret" not in answer.text + caplog.text


def test_a_missing_index_is_503_for_queries(client: TestClient, asker: FakeAsker) -> None:
    def fail(_: Request) -> None:
        raise StoreMissingError("nothing has been indexed yet", hint="Run 'looksy index'.")

    asker.work = fail
    assert client.post("/v1/verify", json={"text": "Who?"}).json()["code"] == "store_missing"


def test_a_full_queue_refuses_at_once(settings: Settings) -> None:
    hold, asker = threading.Event(), FakeAsker()
    asker.work = lambda _: hold.wait(60) and None
    small = settings.model_copy(update={"queue_size": 1})
    app = create_app(small, asker=asker)
    room = app.state.looksy.answers.workers + 1
    with TestClient(app, base_url="http://127.0.0.1") as client, ThreadPoolExecutor(room + 3) as threads:
        waiting = [threads.submit(client.post, "/v1/verify", json={"text": "Who?"}) for _ in range(room + 3)]
        until(lambda: sum(future.done() for future in waiting) == 3)
        refused = [future for future in waiting if future.done()]
        hold.set()
        statuses = sorted(future.result().status_code for future in waiting)
    assert statuses == [200] * room + [503] * 3
    assert {future.result().json()["code"] for future in refused} == {"busy"}


def test_lookups_do_not_wait_behind_answers(settings: Settings) -> None:
    hold, asker = threading.Event(), FakeAsker()
    asker.work = lambda _: hold.wait(60) and None
    app = create_app(settings, asker=asker)
    with TestClient(app, base_url="http://127.0.0.1") as client, ThreadPoolExecutor(9) as threads:
        waiting = [threads.submit(client.post, "/v1/verify", json={"text": "Who?"}) for _ in range(8)]
        quick = [threads.submit(client.get, path).result(timeout=60) for path in ("/v1/runs", "/metrics")]
        still = [future for future in waiting if not future.done()]
        hold.set()
    assert [answer.status_code for answer in quick] == [200, 200]
    assert len(still) == 8


def test_an_answer_that_takes_too_long_is_504_and_the_work_is_stopped(settings: Settings) -> None:
    hold, asker = threading.Event(), FakeAsker()
    asker.work = lambda _: hold.wait(60) and None
    app = create_app(settings.model_copy(update={"request_timeout": 1.0}), asker=asker)
    with TestClient(app, base_url="http://127.0.0.1") as client:
        response = client.post("/v1/verify", json={"text": "Who?"})
        assert response.status_code == 504
        assert response.json()["code"] == "time_limit"
        hold.set()
    assert asker.count == 0


def test_security_headers_are_on_every_answer(client: TestClient) -> None:
    for path in ("/healthz", "/nothing", "/v1/systems"):
        headers = client.get(path).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "server" not in headers


@pytest.mark.parametrize(
    ("path", "kept"),
    [
        ("/v1/systems", "no-store"),
        ("/runs", "no-store"),
        ("/coverage", "no-store"),
        ("/metrics", "no-store"),
        ("/nothing", "no-store"),
        ("/", "private, no-cache"),
        ("/static/app.js", "no-cache"),
    ],
)
def test_browsers_keep_no_page_and_ask_whether_scripts_are_still_these(
    client: TestClient, path: str, kept: str
) -> None:
    answer = client.get(path)
    assert answer.headers["cache-control"] == kept
    if "etag" in answer.headers:
        assert client.get(path, headers={"if-none-match": answer.headers["etag"]}).status_code == 304


def test_an_answer_that_stands_where_the_form_was_is_not_kept(settings: Settings, asker: FakeAsker) -> None:
    app = create_app(settings.model_copy(update={"keep_runs": 0}), asker=asker)
    with TestClient(app, base_url="http://127.0.0.1") as client:
        answer = client.post("/", data={"text": "Who?"})
    assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-store")
