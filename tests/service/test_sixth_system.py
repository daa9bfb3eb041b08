"""A module in pipelines/systems is all that a new system takes: REST, chat, command line and page list it."""

import json
import sys
import types
from typing import Any

import pytest
from fastapi.testclient import TestClient
from typer.testing import CliRunner

import pipelines.systems
from core.settings import Settings, load_settings
from core.types import Result
from pipelines.contracts.system import SystemInfo
from pipelines.engine import Engine
from pipelines.systems import registry
from pipelines.systems.verify.system import VerifySystem
from service.app import create_app
from service.cli.main import app as command_line


class EchoSystem(VerifySystem):
    info = SystemInfo(
        name="echo",
        title="Echo it",
        summary="Answers as verify does.",
        options={"type": "object", "properties": {"loud": {"type": "boolean"}}},
        max_chars=5000,
    )

    def result(self, outputs: dict[str, Any], facts: Any) -> Result:
        return super().result(outputs, facts).model_copy(update={"system": "echo"})


@pytest.fixture
def sixth(monkeypatch: pytest.MonkeyPatch):
    module = types.ModuleType("pipelines.systems.echo")
    module.SYSTEM = EchoSystem()  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "pipelines.systems.echo", module)
    real = registry.pkgutil.iter_modules

    def with_echo(path: Any) -> Any:
        extra = [types.SimpleNamespace(name="echo")] if path == pipelines.systems.__path__ else []
        return [*real(path), *extra]

    monkeypatch.setattr(registry.pkgutil, "iter_modules", with_echo)
    registry.systems.cache_clear()
    yield
    registry.systems.cache_clear()


def test_it_is_in_rest_with_its_own_limit(sixth: None, settings: Settings, article: Any) -> None:
    with TestClient(create_app(settings, asker=Engine(settings)), base_url="http://127.0.0.1") as client:
        assert "echo" in [one["name"] for one in client.get("/v1/systems").json()]
        assert "/v1/echo" in client.get("/openapi.json").json()["paths"]
        long_text = "Samoa lifted its state of emergency. " * 100
        assert client.post("/v1/echo", json={"text": long_text}).json()["system"] == "echo"
        assert client.post("/v1/verify", json={"text": long_text}).status_code == 422
        assert "looksy-echo" in [model["id"] for model in client.get("/v1/models").json()["data"]]


def test_it_is_on_the_page(sixth: None, settings: Settings, article: Any) -> None:
    with TestClient(create_app(settings, asker=Engine(settings)), base_url="http://127.0.0.1") as client:
        assert "Echo it" in client.get("/").text
        page = client.post(
            "/", data={"system": "echo", "text": "Samoa lifted its state of emergency."}, follow_redirects=True
        )
        assert page.status_code == 200
        assert "state of emergency" in page.text


def test_it_is_on_the_command_line(sixth: None, settings: Settings, article: Any) -> None:
    folder = ["--data-dir", str(settings.data_dir)]
    listed = CliRunner().invoke(command_line, ["systems", "--json", *folder])
    assert "echo" in listed.output
    asked = CliRunner().invoke(
        command_line, ["ask", "--system", "echo", "--json", "Samoa lifted its state of emergency.", *folder]
    )
    assert json.loads(asked.output)["system"] == "echo"


def test_it_is_warmed_up_with_the_others(sixth: None, settings: Settings, article: Any) -> None:
    engine = Engine(load_settings({"data_dir": settings.data_dir}, environment={}))
    engine.warm_up()
    engine.close()
