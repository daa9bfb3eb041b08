"""The run record of every system names the models and pipelines that made its result, whatever runs inside what."""

import pytest

from core.settings import load_settings
from core.types import Request, Status
from indexing.documents import article_documents, embed_documents
from indexing.stores.open import open_store
from models.embedder import OnnxEmbedder
from pipelines.engine import Engine
from pipelines.systems.perspectives import side_judge
from tests.pipelines.systems.articles import BRIDGE

CLAIM = "The repairs of the Osterholm bridge cost 95 million crowns."
TEXT = "Mayor Otto Grimm opened the Osterholm bridge. The Osterholm bridge had been closed for eleven weeks, he said."
EMBEDDER = OnnxEmbedder().identity


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Make an index with vectors."""
    made = tmp_path_factory.mktemp("records")
    store, embedder = open_store(load_settings({"data_dir": made}, environment={}), must_exist=False), OnnxEmbedder()
    with store.writer() as writer:
        writer.use_embedder(embedder.identity)
        for article in BRIDGE:
            writer.put(article, embed_documents(embedder, [article_documents(article)])[0])
    store.close()
    return made


def record_of(folder, system, text, **flags):
    engine = Engine(load_settings({"data_dir": folder, "threads": 2} | flags, environment={}))
    result = engine.run(system, Request(text=text))
    engine.close()
    assert result.status is not Status.FAILED
    return result.run


@pytest.mark.parametrize(
    ("system", "text", "name"),
    [("agent", CLAIM, "retriever"), ("lateral", TEXT, "lateral_answer.retriever"), ("verify", CLAIM, "retriever")],
)
def test_the_embedder_that_searched_is_named(folder, system, text, name):
    record = record_of(folder, system, text, retriever="hybrid")
    assert record.models[name] == EMBEDDER
    assert record.models["evidence"].startswith("evidence-")
    assert name not in record_of(folder, system, text).models


def test_the_models_of_sides_and_replies_are_named(folder):
    models = record_of(folder, "perspectives", "Should the Osterholm bridge be repaired?").models
    assert models["judge"].startswith("stance-minilm@")
    assert models["judge"].endswith(f" on {EMBEDDER}")
    models = record_of(folder, "counter", CLAIM).models
    assert models["quoter"].startswith("check-covid-reranker@")
    assert models["quoter"].endswith(f" on {EMBEDDER}")


def test_a_pipeline_inside_another_is_part_of_the_hash(folder):
    before = record_of(folder, "lateral", TEXT).pipeline_hash
    assert before == record_of(folder, "lateral", TEXT).pipeline_hash
    engine = Engine(load_settings({"data_dir": folder, "threads": 2}, environment={}))
    engine._pipeline("lateral", {})
    assert before != engine._files["lateral"].content_hash
    engine.close()
    assert len(before) == 16


def test_a_model_whose_files_are_gone_breaks_no_record(folder, monkeypatch, tmp_path):
    monkeypatch.setattr(side_judge, "SHIPPED_STANCE", tmp_path)
    assert record_of(folder, "perspectives", "What does the Osterholm bridge cost?").models["judge"] == "unreadable"
