"""Claims to abstracts: BM25, the embedder, both without training, and the trained reranker, over the same pool."""

from pathlib import Path

import numpy as np
import numpy.typing as npt

from evaluation.evidence_model.intervals import clustered_mean
from evaluation.extras import require
from evaluation.values import MeasureValue
from models.embedder import OnnxEmbedder
from models.reranker import Embed, Reranker, relative
from models.training.record import Score

_GAINS, _FOUND = (1, 3, 5), (3, 5)


def measure_reranker(folder: Path, data: Path, *, split: str = "test", embed: Embed | None = None) -> list[Score]:
    """
    Rank all abstracts for each claim of a split.

    :param folder: With `reranker.npz`.
    :param data: The data root.
    :param embed: None: the shipped embedder.
    """
    require("bm25s", extra="evaluation", need="looksy models measure")
    from models.training.sources.claims import read_pool  # noqa: PLC0415 - imports bm25s

    embed = embed or OnnxEmbedder().embed
    pool = read_pool(data, embed)
    rows = np.flatnonzero(np.array(pool.splits) == split)
    queries, bm25, gold = pool.queries[rows], pool.bm25[rows], pool.gold[rows]
    reranker = Reranker(folder, embed)
    near = queries @ pool.texts.T
    systems = {
        "BM25": bm25,
        "embedder": near,
        "embedder and BM25, untrained": near + reranker.bm25_share * relative(bm25),
        "reranker": reranker.vector_scores(queries, pool.texts, bm25),
    }
    return [
        Score(what=f"{system}, {measure}", value=one.value, low=one.low, high=one.high, n=one.n)
        for system, scores in systems.items()
        for measure, one in ranking_figures(scores, gold).items()
    ]


def ranking_figures(scores: npt.NDArray[np.float32], gold: npt.NDArray[np.int64]) -> dict[str, MeasureValue]:
    """
    Compute nDCG and recall with one right text a query.

    :param scores: (queries, texts); a tie counts against the right text.
    :param gold: (queries,).
    """
    own = scores[np.arange(len(gold)), gold]
    ranks = (scores >= own[:, None]).sum(axis=1)  # from 1
    gains = 1 / np.log2(ranks + 1)
    queries = list(range(len(gold)))
    figures = {f"N@{k}": np.where(ranks <= k, gains, 0.0) for k in _GAINS}
    figures |= {f"R@{k}": (ranks <= k).astype(float) for k in _FOUND}
    return {name: clustered_mean(values.tolist(), queries) for name, values in figures.items()}
