"""The index job on a cluster: lost workers and lost drivers cost no article and double none."""

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

pytest.importorskip("elasticsearch", reason="the extra [elasticsearch] is not installed")

from core.settings import Settings
from indexing.ray import loading
from indexing.stores.elasticsearch.store import ElasticsearchStore
from indexing.vectors import index_articles
from tests.indexing.elasticsearch.server import URL, drop, needs_server, unique_name
from tests.indexing.ray.local_cluster import local_cluster, needs_ray
from tests.sample_articles import DAY, START, long_body, make_article

pytestmark = [*needs_ray, *needs_server]
ARTICLES = 40


@pytest.fixture(scope="module")
def cluster():
    with local_cluster() as running:
        yield running


@pytest.fixture
def articles(tmp_path):
    """New articles, two editions of one of them, and copies that share an origin."""
    made = [make_article(f"n{n}", body=long_body(sentences=12, word=f"word{n // 2}")) for n in range(ARTICLES)]
    made.append(make_article("n3", body=long_body(sentences=12, word="changed"), first_seen_at=START + DAY))
    path = tmp_path / "articles.jsonl"
    path.write_text("".join(article.model_dump_json() + "\n" for article in made))
    return path


@pytest.fixture
def store():
    opened = ElasticsearchStore(URL, index=unique_name(), timeout=60)
    yield opened
    drop(opened)


def settings_of(store, folder):
    return Settings(store_url=URL, store_index=store.index, store_timeout=60, data_dir=folder)


@pytest.fixture
def expected(articles, tmp_path):
    """What one process makes of the articles."""
    alone = ElasticsearchStore(URL, index=unique_name(), timeout=60)
    index_articles(settings_of(alone, tmp_path / "alone"), alone, articles=articles, vectors=False)
    yield alone
    drop(alone)


def content(store):
    return {document.id: document.meta for document in store.filter_documents()}


def test_a_killed_worker_costs_no_article_and_doubles_none(cluster, store, articles, expected, monkeypatch):
    monkeypatch.setattr(loading, "ARTICLES_PER_CORE", 12)
    monkeypatch.setattr(loading, "PART_ARTICLES", 6)
    settings = settings_of(store, articles.parent)
    with ThreadPoolExecutor(1) as pool:
        killed = pool.submit(cluster.kill_a_busy_worker)
        report = index_articles(settings, store, articles=articles, vectors=True, ray=cluster.address)
    assert killed.result()
    assert (report.new, report.changed, report.unchanged) == (ARTICLES, 1, 0)
    assert content(store) == content(expected)
    assert store.counts().revisions == 1
    assert all(document.embedding for document in store.filter_documents())
    again = index_articles(settings, store, articles=articles, ray=cluster.address)
    assert (again.new, again.changed, again.snapshot_id) == (0, 0, store.snapshot_id())


def test_a_killed_driver_goes_on_after_its_last_commit(cluster, store, articles, expected, tmp_path):
    crawled = tmp_path / "data" / "articles" / "paper"
    crawled.mkdir(parents=True)
    articles.rename(crawled / "run-1.jsonl")
    driver = subprocess.Popen(
        [sys.executable, "-c", _DRIVER, str(tmp_path / "data"), store.index, cluster.address],
        env=os.environ | {"LOOKSY_STORE_URL": URL},
        start_new_session=True,
    )
    reader = ElasticsearchStore(URL, index=store.index, timeout=60)
    committed = _wait_for_articles(reader, driver)
    os.killpg(driver.pid, signal.SIGKILL)
    driver.wait()
    assert 0 < committed < ARTICLES
    report = index_articles(settings_of(store, tmp_path / "data"), store, vectors=False, ray=cluster.address)
    assert report.new < ARTICLES
    assert content(store) == content(expected)
    assert store.snapshot_id() == expected.snapshot_id()


_DRIVER = """
import sys, time
from pathlib import Path
from core.settings import load_settings
from indexing.ray import loading
from indexing.stores.open import open_store
from indexing.vectors import index_articles
folder, index, address = sys.argv[1:]
loading.ARTICLES_PER_CORE = 10
settings = load_settings({"data_dir": folder, "store_index": index, "store_timeout": 60})
index_articles(settings, open_store(settings, must_exist=False), vectors=False, ray=address,
               progress=lambda event: time.sleep(0.5))
"""


def _wait_for_articles(store, driver) -> int:
    """Return how many articles are committed as soon as there are any."""
    while driver.poll() is None:
        if store.client.indices.exists(index=store.index) and (found := store.counts().articles):
            return found
        time.sleep(0.1)
    raise AssertionError("the driver ended before it had committed")
