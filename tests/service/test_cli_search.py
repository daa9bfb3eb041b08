import json

import pytest
from typer.testing import CliRunner

from core.paths import SAMPLE
from indexing.job import run_index
from indexing.stores.embedded.store import EmbeddedStore
from service.cli.main import app


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    store = EmbeddedStore(folder / "index")
    run_index(store, data_dir=folder, articles=SAMPLE / "articles.jsonl.gz")
    store.close()
    return folder


def search(*arguments: str):
    return CliRunner().invoke(app, ["search", *arguments])


@pytest.mark.parametrize("retriever", ["bm25", "tfidf"])
def test_json_holds_ranked_hits(data_dir, retriever):
    done = search("Samoa measles", "--json", "--top-k", "3", "--retriever", retriever, "--data-dir", str(data_dir))
    assert done.exit_code == 0, done.output
    hits = json.loads(done.stdout)["hits"]
    assert len(hits) == 3
    assert {"url", "passage_id", "score", "text"} <= hits[0].keys()
    assert "measles" in hits[0]["text"].lower()
    assert [hit["score"] for hit in hits] == sorted((hit["score"] for hit in hits), reverse=True)


def test_people_see_headline_day_and_passage(data_dir):
    done = search("Samoa measles", "--top-k", "1", "--data-dir", str(data_dir))
    assert done.exit_code == 0, done.output
    assert "1. Samoa" in done.stdout
    assert "https://en.wikinews.org/" in done.stdout


def test_as_of_hides_what_came_later(data_dir):
    done = search("Samoa measles", "--json", "--as-of", "2010-01-01", "--data-dir", str(data_dir))
    hits = json.loads(done.stdout)["hits"]
    assert hits
    assert all(hit["published_at"] < "2010-01-02" for hit in hits)
    early = search("Samoa measles", "--json", "--as-of", "1999-01-01", "--data-dir", str(data_dir))
    assert json.loads(early.stdout)["hits"] == []
    assert "knew no article by 1999-01-01" in early.stderr
