"""Every error of REST has one body and the right status."""

import json
from typing import Any

import pytest
from fastapi.testclient import TestClient

from core.errors import BusyError, CancelledError, ConfigError, LooksyError, StoreMissingError, UnavailableError
from core.types import MAX_QUERY_CHARS, Request, Status
from service.answers.archive import Archive
from service.answers.runs import Runs
from service.api.middleware import MAX_BODY_BYTES, SECURITY_HEADERS
from tests.service.fakes import FakeAsker

FIELDS = {"code", "message", "field", "hint", "request_id"}


def check(response: Any, status: int, code: str, field: str | None = None) -> dict[str, Any]:
    assert response.status_code == status, response.text
    body: dict[str, Any] = response.json()
    assert set(body) == FIELDS
    assert body["code"] == code
    assert body["message"]
    assert body["field"] == field
    assert body["request_id"] == response.headers["x-request-id"]
    return body


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "text"),
        ({"text": ""}, "text"),
        ({"text": "  \n"}, "text"),
        ({"text": "x" * (MAX_QUERY_CHARS + 1)}, "text"),
        ({"text": "a\u0000b"}, "text"),
        ({"text": 7}, "text"),
        ({"text": ["Who?"]}, "text"),
        ({"text": None}, "text"),
        ({"text": "Who?", "kind": "poem"}, "kind"),
        ({"text": "Who?", "top_k": 0}, "top_k"),
        ({"text": "Who?", "top_k": 101}, "top_k"),
        ({"text": "Who?", "top_k": "5"}, "top_k"),
        ({"text": "Who?", "as_of": "someday"}, "as_of"),
        ({"text": "Who?", "as_of": 20200131}, "as_of"),
        ({"text": "Who?", "filters": {"published_from": "2020-02-31"}}, "published_from"),
        ({"text": "Who?", "filters": {"published_from": "2021-01-01", "published_to": "2020-01-01"}}, "published_from"),
        ({"text": "Who?", "filters": {"colour": "red"}}, "filters.colour"),
        ({"text": "Who?", "colour": "red"}, "colour"),
    ],
)
def test_bad_fields_are_422_and_named(client: TestClient, asker: FakeAsker, body: dict[str, Any], field: str) -> None:
    check(client.post("/v1/verify", json=body), 422, "invalid_input", field)
    assert not asker.asked


@pytest.mark.parametrize("raw", [b"{", b"", b"\xff\xfe", b"[" * 5000, b'{"text": "\xed\xa0\x80"}'])
def test_a_body_that_is_no_json_object_is_refused(client: TestClient, raw: bytes) -> None:
    response = client.post("/v1/verify", content=raw, headers={"content-type": "application/json"})
    assert response.status_code in {400, 422}
    assert set(response.json()) == FIELDS


@pytest.mark.parametrize(
    "raw", [b'{"text": "\xff\xfe"}', b"[" * 100_000, b'{"text": "Who?", "top_k": ' + b"9" * 5000 + b"}"]
)
def test_what_no_parser_reads_is_no_json(client: TestClient, raw: bytes) -> None:
    response = client.post("/v1/verify", content=raw, headers={"content-type": "application/json"})
    assert check(response, 400, "invalid_json")["hint"]


@pytest.mark.parametrize(
    "path", ["/", "/healthz", "/v1/systems", "/coverage", "/static/app.css", "/nothing", "/v1/verify"]
)
def test_head_is_get_without_the_body(client: TestClient, path: str) -> None:
    read, head = client.get(path), client.head(path)
    assert head.content == b""
    assert head.status_code == read.status_code
    assert head.headers["content-type"] == read.headers["content-type"]
    assert head.headers["content-length"] == str(len(read.content))


@pytest.mark.parametrize(
    ("path", "field"),
    [
        ("/v1/search?q=Samoa&sources=BBC", "sources"),  # `source` here, `sources` in a body
        ("/v1/search?q=Samoa&as-of=2019-01-01", "as-of"),
        ("/v1/runs?after=run-1", "after"),
        ("/v1/jobs?status=failed", "status"),
    ],
)
def test_a_parameter_that_a_route_does_not_know_is_refused(client: TestClient, path: str, field: str) -> None:
    body = check(client.get(path), 422, "invalid_input", field)
    assert body["hint"].startswith("Use one of: ")


def test_routes_without_parameters_take_any(client: TestClient) -> None:
    assert client.get("/v1/systems?api-version=1").status_code == 200


def test_an_array_is_refused(client: TestClient) -> None:
    check(client.post("/v1/verify", json=[1]), 422, "invalid_input", "body")


def test_unknown_address(client: TestClient) -> None:
    check(client.get("/v1/nothing"), 404, "not_found")


def test_wrong_method_names_the_right_one(client: TestClient) -> None:
    response = client.get("/v1/verify")
    check(response, 405, "method_not_allowed")
    assert response.headers["allow"] == "POST"


@pytest.mark.parametrize("media_type", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])
def test_other_media_types_are_415(client: TestClient, media_type: str) -> None:
    response = client.post("/v1/verify", content=b"text=Who", headers={"content-type": media_type})
    check(response, 415, "unsupported_media_type")


def test_a_large_body_is_413_whether_its_length_is_declared_or_not(client: TestClient) -> None:
    large = json.dumps({"text": "x" * MAX_BODY_BYTES}).encode()
    headers = {"content-type": "application/json"}
    check(client.post("/v1/verify", content=large, headers=headers), 413, "too_large")
    pieces = (large[start : start + 9999] for start in range(0, len(large), 9999))
    check(client.post("/v1/verify", content=pieces, headers=headers), 413, "too_large")


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (StoreMissingError("no index", hint="Run 'looksy index'."), 503),
        (UnavailableError("down"), 503),
        (BusyError("full"), 503),
        (CancelledError("gone"), 499),
    ],
)
def test_errors_of_the_engine_keep_their_words(
    client: TestClient, asker: FakeAsker, error: LooksyError, status: int
) -> None:
    def fail(_: Request) -> None:
        raise error

    asker.work = fail
    response = client.post("/v1/verify", json={"text": "Who?"})
    assert check(response, status, error.code)["hint"] == error.hint
    assert ("retry-after" in response.headers) == (status == 503)


@pytest.mark.parametrize("error", [RuntimeError("/secret/path"), ConfigError("/secret/path is not valid YAML")])
def test_bugs_and_set_up_errors_tell_clients_nothing(client: TestClient, asker: FakeAsker, error: Exception) -> None:
    def fail(_: Request) -> None:
        raise error

    asker.work = fail
    response = client.post("/v1/verify", json={"text": "Who?"})
    assert response.status_code == 500
    assert set(response.json()) == FIELDS
    assert "secret" not in response.text


@pytest.mark.parametrize("code", ["model_unusable", "invalid_config", "internal_error"])
def test_failed_results_tell_clients_nothing_of_the_set_up(client: TestClient, asker: FakeAsker, code: str) -> None:
    failure = {"code": code, "message": "/secret/model.onnx is no model", "field": "model", "hint": "See /secret."}
    asker.changes = {"status": Status.FAILED, "verdict": None, "answer": "", "references": (), "failure": failure}
    response = client.post("/v1/verify", json={"text": "Who?"})
    assert response.json()["failure"]["code"] == code
    kept = client.get(f"/v1/runs/{response.json()['run_id']}")
    assert "secret" not in response.text + kept.text


@pytest.mark.parametrize("path", ["/v1/runs", "/runs"])
def test_the_answer_to_a_bug_has_a_name_and_headers_as_any_other(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ValueError("/secret/path")

    monkeypatch.setattr(Archive, "search", fail)
    monkeypatch.setattr(Runs, "list", fail)
    response = client.get(path, headers={"accept": "text/html", "x-request-id": "bug-1"})
    assert response.status_code == 500
    assert "secret" not in response.text
    assert "bug-1" in response.text
    assert response.headers["x-request-id"] == "bug-1"
    assert {name: response.headers.get(name) for name in SECURITY_HEADERS} == SECURITY_HEADERS
    count = 'looksy_requests_total{method="GET",route="' + path + '",status="500"} 1'
    assert count in client.get("/metrics").text


def test_a_given_request_id_is_kept_if_it_is_harmless(client: TestClient) -> None:
    assert client.get("/healthz", headers={"x-request-id": "abc-1"}).headers["x-request-id"] == "abc-1"
    assert client.get("/healthz", headers={"x-request-id": "a b\t<script>"}).headers["x-request-id"] != "a b\t<script>"


@pytest.mark.parametrize(("host", "status"), [("evil.example", 403), ("localhost:8000", 200), ("[::1]:80", 200)])
def test_foreign_host_names_are_refused(client: TestClient, host: str, status: int) -> None:
    assert client.get("/healthz", headers={"host": host}).status_code == status
