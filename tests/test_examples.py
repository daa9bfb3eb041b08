"""The examples in docstrings run, and every public component has one."""

import doctest
import importlib
import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from haystack import component

from core.paths import MODELS, ROOT
from indexing.documents import article_documents, embed_documents
from indexing.stores.embedded.store import EmbeddedStore
from models.calibration import load_calibration
from models.embedder import OnnxEmbedder
from models.evidence import EvidenceModel
from pipelines.contracts.evidence import Evidence
from pipelines.entailment.shipped import ShippedVerifier
from tests.sample_articles import make_article

BODY = "The Osterholm bridge reopened on Monday. Its repairs cost 48 million crowns. Nobody was hurt."
ROOMS = ("attribution", "entailment", "evidence", "generation", "injection", "reading", "retrieval")
"""Rooms of `pipelines` whose components anyone may use; a system's are its own."""
PACKAGES = ("core", "indexing", "models", "pipelines")
EXTRAS = {"TransformersReader": "transformers"}
"""Components that need an extra, and what tells that it is there."""


def examples() -> list[str]:
    """Return the modules that hold examples."""
    paths = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
    held = [path for path in paths if ">>> " in path.read_text(encoding="utf-8")]
    return [".".join(path.relative_to(ROOT).with_suffix("").parts) for path in held]


def components() -> Iterator[type]:
    """Yield the public components."""
    for room in ROOMS:
        package = importlib.import_module(f"pipelines.{room}")
        for name in package.__all__:
            found = getattr(package, name)
            if inspect.isclass(found) and found in component.registry.values():
                yield found


@pytest.fixture(scope="module")
def at_hand(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """What the examples take from their surroundings: an index of one article, the model, a sentence."""
    folder: Path = tmp_path_factory.mktemp("examples") / "index"
    store, embedder = EmbeddedStore(folder), OnnxEmbedder()
    article = make_article("bridge", headline="Osterholm bridge reopens", body=BODY)
    with store.writer() as writer:
        writer.use_embedder(embedder.identity)
        writer.put(article, embed_documents(embedder, [article_documents(article)])[0])
    model = EvidenceModel(MODELS / "evidence-minilm-l6", threads=1)
    text = "Its repairs cost 48 million crowns."
    start = BODY.index(text)
    item = Evidence(
        article=article, start=start, end=start + len(text), text=text, context=BODY, relevance=0.9, score=0.9
    )
    yield {
        "store": store,
        "article": article,
        "model": model,
        "calibration": load_calibration(model.folder),
        "verifier": ShippedVerifier(model),
        "evidence": [item],
    }
    store.close()


@pytest.mark.parametrize("module", examples())
def test_the_examples_of_a_module_run(module: str, at_hand: dict[str, Any]) -> None:
    loaded = importlib.import_module(module)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    for test in doctest.DocTestFinder(exclude_empty=True).find(loaded, module, globs=vars(loaded) | at_hand):
        name = test.name.rsplit(".", 1)[-1]
        if name in EXTRAS:
            pytest.importorskip(EXTRAS[name])
        report: list[str] = []
        assert runner.run(test, out=report.append).failed == 0, "".join(report)


def test_every_public_component_has_an_example() -> None:
    found = list(components())
    assert len(found) >= 15
    assert [one.__name__ for one in found if ">>> " not in (one.__doc__ or "")] == []
