"""An application with a fake engine, its in-process client, and a small real index."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from core.settings import Settings, load_settings
from core.types import Article
from core.urls import article_id, content_hash
from indexing.documents import article_documents
from indexing.stores.open import open_store
from service.app import create_app
from tests.service.fakes import BODY, FakeAsker

LOOPBACK = "http://127.0.0.1"


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return load_settings({"data_dir": tmp_path / "var"}, environment={})


@pytest.fixture
def asker() -> FakeAsker:
    return FakeAsker()


@pytest.fixture
def client(settings: Settings, asker: FakeAsker) -> Iterator[TestClient]:
    app = create_app(settings, asker=asker)
    with TestClient(app, base_url=LOOPBACK, raise_server_exceptions=False) as opened:
        yield opened


@pytest.fixture
def article(settings: Settings) -> Article:
    """An article that is in the index."""
    url = "https://news.example/samoa"
    made = Article(
        article_id=article_id(url),
        url=url,
        headline="Samoa lifts state of emergency",
        body=BODY,
        published_at=datetime(2019, 12, 30, tzinfo=UTC),
        first_seen_at=datetime(2019, 12, 30, tzinfo=UTC),
        source="Example News",
        content_hash=content_hash("Samoa lifts state of emergency", BODY),
    )
    store = open_store(settings, must_exist=False)
    with store.writer() as writer:
        writer.put(made, article_documents(made))
    store.close()
    return made
