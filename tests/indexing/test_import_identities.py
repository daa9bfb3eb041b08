"""Imported articles are named by the rule of the crawl: marks of an address part only texts that are unlike."""

import gzip
import json
from pathlib import Path

import pytest

from indexing.job import run_index
from indexing.stores.embedded.store import EmbeddedStore
from tests.scraper.crawling.playsite import sentences

STORY = "https://www.example.org/news/story"
ONE, OTHER = sentences("one", 12), sentences("other", 12)


@pytest.fixture
def store(tmp_path: Path):
    store = EmbeddedStore(tmp_path / "index")
    yield store
    store.close()


def index(store: EmbeddedStore, tmp_path: Path, *rows: tuple[str, str], name: str = "given.jsonl"):
    lines = [
        json.dumps({"url": url, "headline": "The story", "body": body, "published_at": "2024-03-05"})
        for url, body in rows
    ]
    content = ("\n".join(lines) + "\n").encode()
    file = tmp_path / name
    file.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    return run_index(store, data_dir=tmp_path, articles=file)


def bodies(store: EmbeddedStore) -> set[str]:
    return {article.body for article in store.iter_articles()}


@pytest.mark.parametrize("name", ["given.jsonl", "given.jsonl.gz"])
@pytest.mark.parametrize(
    ("first", "second"),
    [("?ref=101", "?ref=102"), ("", "?spm=7"), ("?ref=1", ""), ("/amp", "")],
)
def test_unlike_texts_are_articles_of_their_own(store, tmp_path: Path, first: str, second: str, name: str) -> None:
    rows = ((STORY + first, ONE), (STORY + second, OTHER))
    assert index(store, tmp_path, *rows, name=name).new == 2
    assert bodies(store) == {ONE, OTHER}
    again = index(store, tmp_path, *rows, name=name)
    assert (again.new, again.changed, again.unchanged) == (0, 0, 2)


def test_alike_texts_are_one_article(store, tmp_path: Path) -> None:
    report = index(store, tmp_path, (f"{STORY}?ref=home", ONE), (f"{STORY}?ref=search", ONE), (STORY, ONE))
    assert report.new == 1
    assert bodies(store) == {ONE}


def test_marked_address_is_compared_with_the_index(store, tmp_path: Path) -> None:
    index(store, tmp_path, (f"{STORY}?ref=101", ONE))
    assert index(store, tmp_path, (f"{STORY}?ref=102", OTHER), name="later.jsonl").new == 1
    assert bodies(store) == {ONE, OTHER}


def test_new_text_at_one_address_is_a_revision(store, tmp_path: Path) -> None:
    index(store, tmp_path, (f"{STORY}?ref=101", ONE))
    report = index(store, tmp_path, (f"{STORY}?ref=101", OTHER), name="later.jsonl")
    assert report.new == 0
