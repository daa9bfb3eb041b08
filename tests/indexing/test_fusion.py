import pytest
from haystack import Document
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from indexing.fusion import candidates_per_ranking, fuse_hybrid, fuse_ranks


def ranking(*ids: str) -> list[Document]:
    return [Document(id=identity, content=identity, score=float(-place)) for place, identity in enumerate(ids)]


def test_scores_are_sums_of_reciprocal_ranks() -> None:
    fused = fuse_ranks([ranking("a", "b"), ranking("b", "c")])
    assert [document.id for document in fused] == ["b", "a", "c"]
    assert [document.score for document in fused] == pytest.approx([1 / 62 + 1 / 61, 1 / 61, 1 / 62])


def test_weights_decide_between_rankings() -> None:
    fused = fuse_ranks([ranking("a"), ranking("b")], weights=[1.0, 2.0])
    assert [document.id for document in fused] == ["b", "a"]


def test_equal_scores_are_ordered_by_id() -> None:
    assert [document.id for document in fuse_ranks([ranking("z"), ranking("a")])] == ["a", "z"]


def test_a_repeated_document_counts_with_its_better_rank() -> None:
    fused = fuse_ranks([ranking("a", "b", "a")])
    assert [(document.id, document.score) for document in fused] == [("a", 1 / 61), ("b", 1 / 62)]


def test_nothing_in_gives_nothing_out() -> None:
    assert fuse_ranks([]) == []
    assert fuse_ranks([[], []]) == []


def test_inputs_keep_their_scores() -> None:
    documents = ranking("a", "b")
    fuse_ranks([documents])
    assert [document.score for document in documents] == [0.0, -1.0]


@pytest.mark.parametrize("k", [0, -1])
def test_k_must_be_positive(k: int) -> None:
    with pytest.raises(InputError, match=f"k is {k}"):
        fuse_ranks([ranking("a")], k=k)


@pytest.mark.parametrize("weights", [[1.0], [1.0, -1.0], [1.0, 1.0, 1.0]])
def test_weights_must_fit(weights: list[float]) -> None:
    with pytest.raises(InputError, match="2 numbers"):
        fuse_ranks([ranking("a"), ranking("b")], weights=weights)


def test_hybrid_keeps_top_k_of_deep_rankings() -> None:
    assert candidates_per_ranking(5) > 5
    assert candidates_per_ranking(500) == 500
    fused = fuse_hybrid(ranking("a", "b", "c"), ranking("c", "b", "d"), top_k=2)
    assert len(fused) == 2
    assert {document.id for document in fused} == {"b", "c"}


@given(st.lists(st.lists(st.sampled_from("abcdefgh"), unique=True), max_size=4))
def test_every_document_comes_out_once_best_first(ids: list[list[str]]) -> None:
    fused = fuse_ranks([ranking(*one) for one in ids])
    assert sorted(document.id for document in fused) == sorted(set().union(*ids))
    scores = [document.score or 0.0 for document in fused]
    assert scores == sorted(scores, reverse=True)
