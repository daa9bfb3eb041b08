import gzip
import json

import pytest

from core.paths import SAMPLE
from core.settings import Settings
from indexing.job import run_index
from indexing.stores.open import open_store
from pipelines.engine import Engine


@pytest.fixture(scope="session")
def sample_settings(tmp_path_factory):
    settings = Settings(data_dir=tmp_path_factory.mktemp("sample"), threads=2)
    store = open_store(settings, must_exist=False)
    run_index(store, data_dir=settings.data_dir, articles=SAMPLE / "articles.jsonl.gz")
    store.close()
    return settings


@pytest.fixture(scope="session")
def sample_bodies():
    with gzip.open(SAMPLE / "articles.jsonl.gz", "rt", encoding="utf-8") as lines:
        return {article["url"]: article["body"] for article in map(json.loads, lines)}


@pytest.fixture(scope="session")
def engine(sample_settings):
    engine = Engine(sample_settings)
    yield engine
    engine.close()
