"""An application with a fake engine, and its in-process client."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from core.settings import Settings, load_settings
from service.api.app import create_app
from tests.service.fakes import FakeAsker


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return load_settings({"data_dir": tmp_path / "var"}, environment={})


@pytest.fixture
def asker() -> FakeAsker:
    return FakeAsker()


@pytest.fixture
def client(settings: Settings, asker: FakeAsker) -> Iterator[TestClient]:
    app = create_app(settings, asker=asker)
    with TestClient(app, base_url="http://127.0.0.1", raise_server_exceptions=False) as opened:
        yield opened
