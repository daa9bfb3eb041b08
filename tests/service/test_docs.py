"""The documents name what there is."""

import re

import pytest
from fastapi.testclient import TestClient

from core.paths import ROOT
from service.api.errors import _HTTP_CODES

REST, OPERATIONS = ROOT / "docs" / "rest.md", ROOT / "docs" / "operations.md"
pytestmark = pytest.mark.skipif(not REST.is_file(), reason="docs are part of the checkout only")


def test_every_route_is_documented(client: TestClient) -> None:
    text = REST.read_text(encoding="utf-8")
    systems = {system["path"] for system in client.get("/v1/systems").json()}
    for path in client.get("/openapi.json").json()["paths"]:
        known = path.removesuffix("/stream") in systems
        written = "/v1/<system>" if known else re.sub(r"\{\w+\}", "<id>", path)
        assert written in text, f"{path} is not in docs/rest.md"


def test_every_metric_is_documented(client: TestClient) -> None:
    client.post("/v1/verify", json={"text": "Who?"})
    names = set(re.findall(r"^# TYPE (\w+)", client.get("/metrics").text, re.MULTILINE))
    text = OPERATIONS.read_text(encoding="utf-8")
    assert names
    assert {name for name in names if name not in text} == set()


def test_every_status_is_documented() -> None:
    text = REST.read_text(encoding="utf-8")
    assert all(str(int(status)) in text for status in _HTTP_CODES)
