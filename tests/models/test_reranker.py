import numpy as np
import pytest

from core.errors import ModelError
from core.paths import MODELS
from models.embedder import OnnxEmbedder
from models.reranker import Reranker, relative

SHIPPED = MODELS / "check-covid-reranker"
WORDS = ("masks", "vaccine", "bats", "school")


def embed(texts):
    """A vector of which words occur."""
    table = np.array([[float(word in text) for word in WORDS] for text in texts], dtype=np.float32)
    return table / np.maximum(np.linalg.norm(table, axis=1, keepdims=True), 1e-9)


def write(folder, *, query=None, text=None, bm25=0.0):
    same = np.eye(len(WORDS))
    np.savez(
        folder / "reranker.npz",
        query=same if query is None else query,
        text=same if text is None else text,
        bm25=np.float32(bm25),
    )
    return Reranker(folder, embed)


def test_maps_that_change_nothing_give_the_cosine(tmp_path):
    scores = write(tmp_path).scores("masks", ["masks", "masks at school", "bats"], [0, 0, 0])
    assert scores == pytest.approx([1, 0.5**0.5, 0], abs=1e-6)


def test_a_map_can_bring_words_together(tmp_path):
    turned = np.eye(len(WORDS))
    turned[[0, 1]] = turned[[1, 0]]  # a claim about masks means vaccines
    reranker = write(tmp_path, query=turned)
    assert reranker.scores("masks", ["masks", "vaccine"], [0, 0]).argmax() == 1


def test_bm25_counts_as_its_share_of_the_highest(tmp_path):
    reranker = write(tmp_path, bm25=0.5)
    assert reranker.scores("bats", ["masks", "masks", "masks"], [8.0, 4.0, 0.0]) == pytest.approx([0.5, 0.25, 0.0])
    assert reranker.bm25_share == 0.5


def test_queries_without_a_match_have_no_share():
    assert relative(np.zeros((1, 3), dtype=np.float32)).tolist() == [[0, 0, 0]]


def test_no_candidates_no_scores(tmp_path):
    assert len(Reranker(tmp_path, embed).scores("masks", [], [])) == 0


def test_missing_broken_and_other_weights_are_errors(tmp_path):
    with pytest.raises(ModelError, match="holds no reranker"):
        Reranker(tmp_path, embed).scores("masks", ["masks"], [1])
    (tmp_path / "reranker.npz").write_bytes(b"no")
    with pytest.raises(ModelError, match="holds no reranker"):
        Reranker(tmp_path, embed).scores("masks", ["masks"], [1])
    with pytest.raises(ModelError, match="turns vectors of 384"):
        Reranker(SHIPPED, embed).scores("masks", ["masks"], [1])


WEIGHTS = (SHIPPED / "reranker.npz").read_bytes()


@pytest.mark.parametrize("content", [b"", WEIGHTS[: len(WEIGHTS) // 2], WEIGHTS[:100] + b"\xff" * 200 + WEIGHTS[300:]])
def test_a_damaged_file_is_an_error(tmp_path, content):
    (tmp_path / "reranker.npz").write_bytes(content)
    with pytest.raises(ModelError, match="holds no reranker"):
        Reranker(tmp_path, embed).scores("masks", ["masks"], [1])


def test_maps_of_two_shapes_are_an_error(tmp_path):
    with pytest.raises(ModelError, match=r"its maps have the shapes \(4, 4\) and \(3, 3\)"):
        write(tmp_path, text=np.eye(3)).scores("masks", ["masks"], [1])


def test_the_shipped_one_puts_what_bears_on_a_claim_first():
    texts = [
        "Fiscal policy of small open economies during the crisis.",
        "Wearing cloth face coverings lowered transmission of the virus in households.",
        "Remote teaching and its effect on pupils' reading.",
    ]
    scores = Reranker(SHIPPED, OnnxEmbedder(threads=1).embed).scores(
        "Masks keep COVID-19 from spreading.", texts, [0, 0, 0]
    )
    assert scores.argmax() == 1
