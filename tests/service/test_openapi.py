"""Our OpenAPI against our service, by schemathesis; and any text at all in the query."""

import json
from typing import Any

import pytest
import schemathesis
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, given
from hypothesis import settings as bounds
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from core.settings import Settings
from core.types import Article
from service.app import create_app

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
STARTS_PROCESSES = {"/v1/jobs/index", "/v1/jobs/crawl"}
LEAST_OPERATIONS = 20
BOUNDED = {"deadline": None, "suppress_health_check": list(HealthCheck)}


@pytest.mark.slow
def test_no_reply_is_a_server_error_or_undocumented(client: TestClient, article: Article) -> None:
    schema = schemathesis.openapi.from_asgi("/openapi.json", client.app)
    operations = [found.ok() for found in schema.get_all_operations()]
    assert len(operations) >= LEAST_OPERATIONS
    for operation in operations:
        if operation.path not in STARTS_PROCESSES:
            check_operation(operation)


def check_operation(operation: Any) -> None:
    @given(case=operation.as_strategy())
    @bounds(max_examples=8, database=None, **BOUNDED)
    def check(case: Any) -> None:
        case.call_and_validate(base_url="http://127.0.0.1", checks=CHECKS)

    check()


def test_clients_are_told_how_to_send_a_key(client: TestClient, settings: Settings) -> None:
    def ways(document: dict[str, Any], path: str) -> object:
        return document["paths"][path]["get"].get("security")

    local = client.get("/openapi.json").json()
    public = create_app(settings.model_copy(update={"host": "0.0.0.0"})).openapi()
    assert (ways(local, "/v1/runs"), ways(public, "/v1/runs")) == ([{"key": []}, {}], [{"key": []}])
    assert ways(public, "/metrics")
    assert ways(public, "/healthz") is ways(public, "/readyz") is None
    assert public["components"]["securitySchemes"]["key"]["scheme"] == "bearer"


def test_the_types_of_replies_are_told(client: TestClient) -> None:
    paths = client.get("/openapi.json").json()["paths"]
    assert set(paths["/v1/runs/{run_id}/claim-review"]["get"]["responses"]["200"]["content"]) == {"application/ld+json"}
    chat = paths["/v1/chat/completions"]["post"]["responses"]["200"]["content"]
    assert set(chat) == {"application/json", "text/event-stream"}


TEXTS = st.one_of(
    st.text(), st.text(alphabet="\x00\ud800\u202e\u0301<>&\"'\\{}[]%#Doc1 \n", max_size=40), st.binary().map(repr)
)


def test_any_text_is_answered_or_refused(client: TestClient) -> None:
    @given(text=TEXTS)
    @bounds(max_examples=150, database=None, **BOUNDED)
    def check(text: str) -> None:
        body = json.dumps({"text": text}).encode()
        response = client.post("/v1/verify", content=body, headers={"content-type": "application/json"})
        assert response.status_code in {200, 422, 400}, response.text
        assert response.status_code == 200 or set(response.json()) == {"code", "message", "field", "hint", "request_id"}

    check()


@pytest.mark.parametrize("accept", ["application/json", "text/markdown"])
def test_any_statement_is_shown_in_both_forms(client: TestClient, accept: str) -> None:
    @given(text=st.text(min_size=1, max_size=200).filter(lambda text: any(letter.isalnum() for letter in text)))
    @bounds(max_examples=40, database=None, **BOUNDED)
    def check(text: str) -> None:
        response = client.post("/v1/verify", json={"text": text}, headers={"accept": accept})
        assert response.status_code in {200, 422}

    check()


def test_every_route_and_error_has_an_example_that_holds(client: TestClient) -> None:
    document = client.get("/openapi.json").json()
    checked = 0
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            contents = [("request", operation.get("requestBody", {}).get("content", {}))]
            contents += [(status, response.get("content", {})) for status, response in operation["responses"].items()]
            for where, content in contents:
                described = [part for part in content.values() if "example" in part]
                assert described or not content, f"{method} {path} has no example for {where}"
                for part in described:
                    Draft202012Validator({**part["schema"], "components": document["components"]}).validate(
                        part["example"]
                    )
                    checked += 1
    assert checked > 200
