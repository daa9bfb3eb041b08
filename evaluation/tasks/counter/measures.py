"""Rankers of a claim's evidence, and what their rankings score: BM25, the embedder, and the trained reranker."""

import math
from collections.abc import Collection, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from evaluation.measures.stats.clustered import clustered_mean
from evaluation.measures.values import MeasureValue
from models.reranker import Floats, Reranker, relative

_GAINS, _FOUND = (1, 3, 5), (3, 5)
FIGURES = ("N@1", "N@3", "R@3", "N@5", "R@5")


def bm25_table(queries: list[str], texts: list[str]) -> Floats:
    """
    Score every text for every query by BM25.

    :returns: Scores, (queries, texts).
    """
    import bm25s

    index = bm25s.BM25()
    index.index(bm25s.tokenize(texts, stopwords="en", show_progress=False), show_progress=False)
    tokens = bm25s.tokenize(queries, stopwords="en", show_progress=False)
    found, scores = index.retrieve(tokens, k=len(texts), show_progress=False)
    table = np.zeros((len(queries), len(texts)), dtype=np.float32)
    np.put_along_axis(table, found.astype(np.int64), scores.astype(np.float32), axis=1)
    return table


def rankers(reranker: Reranker, *, queries: Floats, texts: Floats, bm25: Floats) -> dict[str, Floats]:
    """
    Score every text for every query by what is compared.

    :param queries: (queries, dimension), of the reranker's embedder; as `texts`.
    :param texts: (texts, dimension).
    :param bm25: (queries, texts).
    :returns: Name to scores, (queries, texts).
    """
    near = queries @ texts.T
    return {
        "BM25": bm25,
        "embedder": near,
        "embedder and BM25, untrained": near + reranker.bm25_share * relative(bm25),
        "reranker": reranker.vector_scores(queries, texts, bm25),
    }


def ranking_figures(scores: npt.NDArray[np.float32], gold: npt.NDArray[np.int64]) -> dict[str, MeasureValue]:
    """
    Compute nDCG and recall with one right text a query.

    :param scores: (queries, texts); a tie counts against the right text.
    :param gold: (queries,).
    """
    values = [figures(ranks_of(row, [int(right)])) for row, right in zip(scores, gold, strict=True)]
    queries = list(range(len(gold)))
    return {name: clustered_mean([one[name] for one in values], queries) for name in FIGURES}


def ranks_of(scores: npt.NDArray[np.float32], right: Collection[int]) -> tuple[int, ...]:
    """
    Return the ranks of a query's right texts, from 1, best first.

    :param scores: (texts,); among equals the right texts come last.
    :param right: Their places in `scores`.
    """
    is_right = np.zeros(len(scores), dtype=bool)
    is_right[list(right)] = True
    order = np.lexsort((is_right, -scores))
    return tuple(int(place) + 1 for place in np.flatnonzero(is_right[order]))


def figures(ranks: Sequence[int]) -> Mapping[str, float]:
    """
    Return the figures of one query: nDCG at k (N@k) and recall at k (R@k), every right text counting alike.

    Source: Järvelin and Kekäläinen, TOIS 2002.

    :param ranks: Of all its right texts, from 1, best first; not empty.
    """
    ideal = range(1, len(ranks) + 1)
    found = {f"N@{k}": _gain(ranks, k) / _gain(ideal, k) for k in _GAINS}
    found |= {f"R@{k}": sum(rank <= k for rank in ranks) / len(ranks) for k in _FOUND}
    return {name: found[name] for name in FIGURES}


def _gain(ranks: Sequence[int], k: int) -> float:
    return sum(1 / math.log2(rank + 1) for rank in ranks if rank <= k)
