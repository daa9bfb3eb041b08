"""Our components in pipelines that Haystack alone builds and runs, from Python and from YAML."""

from pathlib import Path

import pytest
from haystack import Pipeline

from core.paths import MODELS
from core.types import QueryKind, Relation
from indexing.documents import article_documents
from indexing.stores.embedded.store import EmbeddedStore
from models.calibration import load_calibration
from models.evidence import EvidenceModel
from pipelines.contracts.evidence import Evidence
from pipelines.entailment.evidence_verifier import EvidenceVerifier
from pipelines.entailment.shipped import ShippedVerifier
from pipelines.evidence.sentence_selector import SentenceSelector
from pipelines.reading.span_reader import EvidenceReader
from pipelines.retrieval.article_loader import ArticleLoader
from pipelines.retrieval.bm25 import Bm25Retriever
from tests.sample_articles import make_article

FOLDER = MODELS / "evidence-minilm-l6"
OURS = ["pipelines.*", "models.*", "indexing.stores.*"]
BODY = "The Osterholm bridge reopened on Monday. Its repairs cost 48 million crowns. Nobody was hurt."
YAML = f"""
components:
  verifier:
    type: pipelines.entailment.evidence_verifier.EvidenceVerifier
    init_parameters:
      max_pieces: 2
      verifier:
        type: pipelines.entailment.shipped.ShippedVerifier
        init_parameters:
          model: {{type: models.evidence.EvidenceModel, init_parameters: {{folder: "{FOLDER}"}}}}
      reader: {{type: models.evidence.EvidenceModel, init_parameters: {{folder: "{FOLDER}"}}}}
connections: []
"""


@pytest.fixture
def store(tmp_path: Path):
    opened = EmbeddedStore(tmp_path / "index")
    with opened.writer() as writer:
        article = make_article("bridge", headline="Osterholm bridge reopens", body=BODY)
        writer.put(article, article_documents(article))
    yield opened
    opened.close()


def test_three_components_find_a_sentence_without_our_engine(store: EmbeddedStore) -> None:
    model = EvidenceModel(FOLDER, threads=1)
    pipeline = Pipeline()
    pipeline.add_component("retriever", Bm25Retriever(store, top_k=3))
    pipeline.add_component("loader", ArticleLoader(store))
    pipeline.add_component("reader", EvidenceReader(reader=model, calibration=load_calibration(FOLDER)))
    pipeline.add_component("picker", SentenceSelector(max_evidence=1))
    pipeline.connect("retriever.documents", "loader.documents")
    pipeline.connect("loader.documents", "reader.documents")
    pipeline.connect("loader.articles", "reader.articles")
    pipeline.connect("reader.findings", "picker.findings")
    query = "How much did the repairs of the Osterholm bridge cost?"
    inputs = {
        "retriever": {"query": query},
        "reader": {"query": query},
        "picker": {"query": query, "kind": QueryKind.QUESTION},
    }
    (found,) = pipeline.run(inputs)["picker"]["evidence"]
    assert "48 million crowns" in found.answer
    assert found.text == "Its repairs cost 48 million crowns."


def test_a_component_is_read_from_haystack_yaml_with_its_models(store: EmbeddedStore) -> None:
    pipeline = Pipeline.loads(YAML, allowed_modules=OURS)
    again = Pipeline.loads(pipeline.dumps(), allowed_modules=OURS)
    assert again.get_component("verifier").max_pieces == 2
    article = make_article("bridge", headline="Osterholm bridge reopens", body=BODY)
    start = BODY.index("Its repairs")
    text = "Its repairs cost 48 million crowns."
    item = Evidence(
        article=article, start=start, end=start + len(text), text=text, context=BODY, relevance=0.9, score=0.9
    )
    claim = "The repairs of the Osterholm bridge cost 95 million crowns."
    inputs = {"verifier": {"query": claim, "kind": QueryKind.STATEMENT, "evidence": [item]}}
    (judged,) = again.run(inputs)["verifier"]["evidence"]
    assert {conflict.kind for conflict in judged.conflicts} == {"number"}
    assert judged.relation is Relation.REFUTES


def test_a_component_without_its_model_says_which_argument_is_missing() -> None:
    with pytest.raises(TypeError, match="'verifier'"):
        EvidenceVerifier(reader=EvidenceModel(FOLDER))  # type: ignore[call-arg]


def test_calibrations_survive_yaml() -> None:
    pipeline = Pipeline()
    calibration = load_calibration(FOLDER)
    pipeline.add_component("reader", EvidenceReader(reader=EvidenceModel(FOLDER), calibration=calibration))
    loaded = Pipeline.loads(pipeline.dumps(), allowed_modules=OURS).get_component("reader")
    assert loaded.calibration == calibration
    assert ShippedVerifier(loaded.reader).method == calibration.method
