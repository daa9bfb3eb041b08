import hashlib
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from core.errors import ConfigError, ModelError, StoreVersionError
from core.settings import Settings
from indexing.embedders import open_embedder, require_same_embedder
from models.embedder import SHIPPED_EMBEDDER, OnnxEmbedder
from models.sentence_embedder import SentenceTransformersEmbedder

TEXTS = ["The volcano erupted on Monday.", "Lava flowed after the eruption.", "The central bank raised interest rates."]


@pytest.fixture(scope="module")
def embedder() -> OnnxEmbedder:
    return OnnxEmbedder()


def test_vectors_have_unit_length_and_place_like_texts_together(embedder: OnnxEmbedder) -> None:
    vectors = embedder.embed(TEXTS)
    assert vectors.shape == (3, embedder.dimension) == (3, 384)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1.0, abs=1e-5)
    likeness = vectors @ vectors.T
    assert likeness[0, 1] > likeness[0, 2] + 0.2


def test_a_text_gets_the_same_vector_in_any_company(embedder: OnnxEmbedder) -> None:
    alone = embedder.embed(TEXTS[:1])
    among = embedder.embed([*reversed(TEXTS), "long " * 200])
    assert np.array_equal(alone[0], among[2])


def test_threads_do_not_change_vectors(embedder: OnnxEmbedder) -> None:
    expected = embedder.embed(TEXTS)
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda _: embedder.embed(TEXTS), range(4)))
    assert all(np.array_equal(result, expected) for result in results)
    assert np.array_equal(OnnxEmbedder(threads=1).embed(TEXTS), expected)


def test_no_texts_empty_texts_and_long_texts(embedder: OnnxEmbedder) -> None:
    assert embedder.embed([]).shape == (0, 384)
    assert np.isfinite(embedder.embed(["", " ", "\N{SNOWMAN}"])).all()
    start = "word " * 300
    assert np.array_equal(*embedder.embed([start + "one end", start + "another end"]))


def test_identity_names_the_weights(embedder: OnnxEmbedder) -> None:
    digest = hashlib.sha256((SHIPPED_EMBEDDER / "model.onnx").read_bytes()).hexdigest()
    assert embedder.identity.startswith(f"all-minilm-l6-v2@{digest[:12]}-")


def test_shipped_files_are_those_of_the_list() -> None:
    for line in (SHIPPED_EMBEDDER / "SHA256SUMS").read_text().splitlines():
        expected, name = line.split()
        assert hashlib.sha256((SHIPPED_EMBEDDER / name).read_bytes()).hexdigest() == expected


def test_a_missing_model_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="is not a tokenizer"):
        OnnxEmbedder(tmp_path).embed(["text"])


def test_settings_choose_the_embedder(tmp_path: Path) -> None:
    assert isinstance(open_embedder(Settings()), OnnxEmbedder)
    (tmp_path / "model.onnx").touch()
    chosen = open_embedder(Settings(embedder_model=str(tmp_path), threads=3))
    assert isinstance(chosen, OnnxEmbedder)
    assert (chosen.folder, chosen.threads) == (tmp_path, 3)
    assert isinstance(open_embedder(Settings(embedder_model="some/model")), SentenceTransformersEmbedder)


def test_without_the_extra_the_error_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(ConfigError, match="sentence-transformers") as raised:
        open_embedder(Settings(embedder_model="some/model")).embed(["text"])
    assert "looksy[models]" in str(raised.value.hint)


class _Sentences:
    """Stands for a sentence-transformers model: says of each text how long it is."""

    def __init__(self, name: str) -> None:
        self.name = name

    def encode(self, sentences: list[str], **options: object) -> np.ndarray:
        if not sentences:
            return np.array([])  # as the library does
        return np.array([[float(len(text)), 1.0, 0.0] for text in sentences])


def test_a_sentence_transformers_model_embeds(monkeypatch: pytest.MonkeyPatch) -> None:
    library = ModuleType("sentence_transformers")
    monkeypatch.setattr(library, "SentenceTransformer", _Sentences, raising=False)
    monkeypatch.setitem(sys.modules, "sentence_transformers", library)
    monkeypatch.setitem(sys.modules, "torch", ModuleType("torch"))
    embedder = open_embedder(Settings(embedder_model="some/model"))
    assert embedder.dimension == 3
    vectors = embedder.embed(["a", "abc"])
    assert vectors.dtype == np.float32
    assert vectors.tolist() == [[1.0, 1.0, 0.0], [3.0, 1.0, 0.0]]
    other = open_embedder(Settings(embedder_model="some/model"))
    assert other.embed(["ab"]).shape == (1, 3)
    assert other.embed([]).shape == (0, 3)


def test_vectors_of_another_embedder_are_refused(embedder: OnnxEmbedder) -> None:
    require_same_embedder(embedder, embedder.identity)
    with pytest.raises(StoreVersionError, match="other@123"):
        require_same_embedder(embedder, "other@123")
    with pytest.raises(StoreVersionError, match="no vectors"):
        require_same_embedder(embedder, None)
