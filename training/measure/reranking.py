"""Measure the reranker of claims against BM25 and the embedder alone, over the same pool."""

from pathlib import Path

import numpy as np

from evaluation.optional_import import require
from evaluation.tasks.counter.measures import rankers, ranking_figures
from models.embedder import OnnxEmbedder
from models.reranker import Embed, Reranker
from training.record import Score


def measure_reranker(folder: Path, data: Path, *, split: str = "test", embed: Embed | None = None) -> list[Score]:
    """
    Rank all abstracts for each claim of a split.

    :param folder: With `reranker.npz`.
    :param data: The data root.
    :param embed: None: the shipped embedder.
    """
    require("bm25s", extra="evaluation", need="looksy models measure")
    from training.data.sources.claims import read_pool

    embed = embed or OnnxEmbedder().embed
    pool = read_pool(data, embed)
    rows = np.flatnonzero(np.array(pool.splits) == split)
    found = rankers(Reranker(folder, embed), queries=pool.queries[rows], texts=pool.texts, bm25=pool.bm25[rows])
    return [
        Score(what=f"{system}, {measure}", value=one.value, low=one.low, high=one.high, n=one.n)
        for system, scores in found.items()
        for measure, one in ranking_figures(scores, pool.gold[rows]).items()
    ]
