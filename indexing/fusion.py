"""Rankings of several retrievers made into one. The same code for every store."""

from collections.abc import Sequence
from dataclasses import replace

from haystack import Document

from core.errors import InputError

RANK_OFFSET = 60
"""k of the formula, as published."""

HYBRID_DEPTH = 100
HYBRID_RANK_OFFSET = 20
HYBRID_WEIGHTS = (1.0, 1.0)
"""Keyword and vector. Depth, offset and weights: measured in docs/retrieval.md."""


def fuse_ranks(
    rankings: Sequence[Sequence[Document]],
    *,
    k: int = RANK_OFFSET,
    weights: Sequence[float] | None = None,
    top_k: int | None = None,
) -> list[Document]:
    """
    Fuse rankings by reciprocal rank: a document scores the sum of `weight / (k + rank)` over the rankings it is in.

    Source: Cormack, Clarke and Buettcher, SIGIR 2009.

    :param rankings: One ranking per retriever, best first; shape (retrievers, documents). A document that a ranking
        holds twice counts there with its better rank.
    :param k: Offset added to each rank (first rank is 1), > 0.
    :param weights: One per ranking, >= 0; None: all the same.
    :param top_k: Documents to return; None: all.
    :returns: Unique documents, best first, ties by id, with the fused score; empty if every ranking is empty.
    :raises InputError: If `k` is not positive, or the weights do not fit.
    """
    if k <= 0:
        raise InputError(f"k is {k}; it must be greater than 0", field="k", hint="The usual value is 60.")
    shares = _checked_weights(weights, len(rankings))
    scores: dict[str, float] = {}
    documents: dict[str, Document] = {}
    for ranking, share in zip(rankings, shares, strict=True):
        unique = {document.id: document for document in reversed(ranking)}
        for rank, identity in enumerate(dict.fromkeys(document.id for document in ranking), start=1):
            scores[identity] = scores.get(identity, 0.0) + share / (k + rank)
            documents.setdefault(identity, unique[identity])
    order = sorted(scores, key=lambda identity: (-scores[identity], identity))
    return [replace(documents[identity], score=scores[identity]) for identity in order[:top_k]]


def _checked_weights(weights: Sequence[float] | None, count: int) -> Sequence[float]:
    if weights is None:
        return [1.0] * count
    if len(weights) != count or any(weight < 0 for weight in weights):
        raise InputError(
            f"weights are {list(weights)}; {count} numbers of at least 0 are needed",
            field="weights",
            hint="Give one weight per ranking.",
        )
    return weights


def candidates_per_ranking(top_k: int) -> int:
    """Return how many documents to take from each ranking before fusing: deep enough that agreement can show."""
    return max(HYBRID_DEPTH, top_k)


def fuse_hybrid(keyword: Sequence[Document], vector: Sequence[Document], *, top_k: int) -> list[Document]:
    """
    Fuse a keyword and a vector ranking as `EvidenceStore.hybrid_search` promises.

    :param keyword: Best first, `candidates_per_ranking(top_k)` documents.
    :param vector: Likewise.
    """
    return fuse_ranks([keyword, vector], k=HYBRID_RANK_OFFSET, weights=HYBRID_WEIGHTS, top_k=top_k)
