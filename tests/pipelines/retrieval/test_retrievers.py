from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest
from haystack import Document, Pipeline

from core.errors import InputError, StoreVersionError
from core.settings import Settings
from indexing.documents import article_documents, embed_documents
from indexing.stores.embedded.store import EmbeddedStore
from models.embedder import OnnxEmbedder
from pipelines.retrieval.choose_retriever import RETRIEVERS, make_retriever
from pipelines.retrieval.collapse import DocumentCollapser
from pipelines.retrieval.embedding import EmbeddingRetriever
from pipelines.retrieval.hybrid import HybridRetriever
from pipelines.retrieval.tfidf import TfidfRetriever
from tests.sample_articles import DAY, START, make_article

ARTICLES = [
    make_article("volcano", headline="Volcano erupts", body="Lava destroyed forty houses on the island.", source="a"),
    make_article("bank", headline="Rates rise", body="The central bank raised its interest rate again.", source="b"),
    make_article(
        "late", headline="Eruption over", body="The volcano is quiet.", published_at=START + 9 * DAY, source="b"
    ),
]
ONLY_B = {"field": "meta.source", "operator": "==", "value": "b"}


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    embedder = OnnxEmbedder()
    opened = EmbeddedStore(tmp_path_factory.mktemp("index"))
    with opened.writer() as writer:
        writer.use_embedder(embedder.identity)
        for article in ARTICLES:
            writer.put(article, embed_documents(embedder, [article_documents(article)])[0])
    yield opened
    opened.close()


def names(documents: list[Document]) -> list[str]:
    return [document.meta["url"].rsplit("/", 1)[1] for document in documents]


@pytest.mark.parametrize("name", RETRIEVERS)
def test_every_retriever_ranks_filters_and_looks_back(store, name):
    retriever = make_retriever(name, store, Settings())
    query = "What did the volcano do to houses?"
    assert names(retriever.run(query)["documents"])[0] == "volcano"
    assert names(retriever.run(query, top_k=1)["documents"]) == ["volcano"]
    assert set(names(retriever.run(query, filters=ONLY_B)["documents"])) <= {"bank", "late"}
    early = names(retriever.run(query, as_of=START + DAY)["documents"])
    assert "volcano" in early
    assert "late" not in early


@pytest.mark.parametrize("name", ["embedding", "hybrid"])
def test_meaning_is_found_without_the_words(store, name):
    found = make_retriever(name, store, Settings()).run("monetary policy tightening", top_k=1)["documents"]
    assert names(found) == ["bank"]


@pytest.mark.parametrize("name", ["embedding", "hybrid"])
def test_an_index_of_another_embedder_is_refused(tmp_path, name):
    other = EmbeddedStore(tmp_path / "index")
    with other.writer() as writer:
        writer.use_embedder("other@1")
        vector = np.eye(1, 384)[0].tolist()
        writer.put(ARTICLES[0], [replace(d, embedding=vector) for d in article_documents(ARTICLES[0])])
    with pytest.raises(StoreVersionError, match="other@1"):
        make_retriever(name, other, Settings()).run("volcano")


def test_an_index_without_vectors_is_refused_with_advice(tmp_path):
    plain = EmbeddedStore(tmp_path / "index")
    with plain.writer() as writer:
        writer.put(ARTICLES[0], article_documents(ARTICLES[0]))
    with pytest.raises(StoreVersionError, match="no vectors") as raised:
        make_retriever("hybrid", plain, Settings()).run("volcano")
    assert "--vectors" in str(raised.value.hint)


def test_tfidf_scores_are_cosines_and_follow_the_store(tmp_path):
    growing = EmbeddedStore(tmp_path / "index")
    retriever = TfidfRetriever(growing)
    with growing.writer() as writer:
        writer.put(ARTICLES[1], article_documents(ARTICLES[1]))
    assert retriever.run("volcano")["documents"] == []
    (same,) = retriever.run("Rates rise\nThe central bank raised its interest rate again.")["documents"]
    assert same.score == pytest.approx(1.0)
    with growing.writer() as writer:
        writer.put(ARTICLES[0], article_documents(ARTICLES[0]))
    assert names(retriever.run("volcano")["documents"]) == ["volcano"]


def test_an_unknown_retriever_is_refused(store):
    with pytest.raises(InputError, match="'colbert'") as raised:
        make_retriever("colbert", store, Settings())
    assert "hybrid" in str(raised.value.hint)


@pytest.mark.parametrize("kind", [EmbeddingRetriever, HybridRetriever])
def test_every_parameter_survives_yaml(kind):
    pipeline = Pipeline()
    pipeline.add_component("retriever", kind(embedder_model="some/model", top_k=7, filters=ONLY_B))
    loaded = Pipeline.loads(pipeline.dumps(), unsafe=True).get_component("retriever")
    assert (loaded.embedder_model, loaded.top_k, loaded.filters) == ("some/model", 7, ONLY_B)


def passage(name: str, article: str, origin: str) -> Document:
    return Document(id=name, content=name, meta={"article_id": article, "origin_id": origin})


RANKING = [
    passage("p1", "a", "wire"),
    passage("p2", "a", "wire"),
    passage("p3", "b", "wire"),
    passage("p4", "c", "c"),
    Document(id="p5", content="p5"),
]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({}, ["p1", "p3", "p4", "p5"]),
        ({"by": "origin"}, ["p1", "p4", "p5"]),
        ({"by": "article", "keep": 2}, ["p1", "p2", "p3", "p4", "p5"]),
        ({"by": "origin", "keep": 2, "top_k": 3}, ["p1", "p2", "p4"]),
    ],
)
def test_collapse_keeps_the_best_of_each_group(arguments, expected):
    kept = DocumentCollapser(**arguments).run(RANKING)["documents"]
    assert [document.id for document in kept] == expected


def test_collapse_survives_yaml_and_refuses_other_groups():
    pipeline = Pipeline()
    pipeline.add_component("collapse", DocumentCollapser("origin", keep=3, top_k=4))
    loaded = Pipeline.loads(pipeline.dumps(), unsafe=True).get_component("collapse")
    assert (loaded.by, loaded.keep, loaded.top_k) == ("origin", 3, 4)
    with pytest.raises(InputError, match="'source'"):
        DocumentCollapser("source")


def test_as_of_takes_times_with_a_zone(store):
    moment = datetime(2020, 1, 1, tzinfo=UTC)
    assert names(make_retriever("tfidf", store, Settings()).run("volcano", as_of=moment)["documents"]) == ["volcano"]
