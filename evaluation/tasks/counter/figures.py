"""The part of the counter task that compares rankers: how high each puts the texts that bear on a claim."""

import threading
from collections.abc import Sequence

import numpy as np

from evaluation.data.formats.claim_pool import ClaimPool
from evaluation.measures.stats.bootstrap import mean_with_interval
from evaluation.measures.stats.permutation import paired_permutation
from evaluation.measures.values import MeasureValue
from evaluation.optional_import import require
from evaluation.reports.models import Definition, Table
from evaluation.tasks.counter.measures import FIGURES, bm25_table, figures, rankers, ranks_of
from pipelines.systems.counter.reranker import open_reranker

Ranks = dict[str, tuple[int, ...]]
"""Ranker to the ranks of a claim's right texts, from 1, best first."""
RERANKER = "reranker"
DEFINITIONS = (
    Definition(
        name="RANKER N@k",
        definition="nDCG at k over the pool: right texts count alike, a tie counts against them.",
        source="Järvelin and Kekäläinen, TOIS 2002.",
    ),
    Definition(
        name="BM25 ...",
        definition="bm25s with its own parameters, words not stemmed: what the reranker was trained against.",
        source="Lù, 2024, BM25S.",
    ),
    Definition(name="RANKER R@k", definition="Share of a claim's right texts among the first k.", source=""),
)


class PoolRanker:
    """
    Rank the texts of a pool for its claims by every ranker; the whole pool at once, on first use. Thread-safe.

    :param pool: Claims and texts.
    """

    def __init__(self, pool: ClaimPool) -> None:
        self._pool = pool
        self._lock = threading.Lock()
        self._ranks: dict[str, Ranks] = {}

    def ranks(self, claim: str) -> Ranks:
        """
        Return what each ranker made of a claim.

        :param claim: Its id.
        :raises ConfigError: If the extra is missing.
        :raises ModelError: If the shipped reranker or its embedder cannot be loaded.
        """
        with self._lock:
            if not self._ranks:
                self._ranks = _rank(self._pool)
            return self._ranks[claim]


def _rank(pool: ClaimPool) -> dict[str, Ranks]:
    require("bm25s", extra="evaluation", need="looksy evaluate counter --pool")

    reranker = open_reranker()
    asked, texts = [claim.text for claim in pool.claims], list(pool.texts.values())
    scores = rankers(
        reranker, queries=reranker.embed(asked), texts=reranker.embed(texts), bm25=bm25_table(asked, texts)
    )
    places = {name: place for place, name in enumerate(pool.texts)}
    right = [[places[name] for name in claim.right] for claim in pool.claims]
    return {
        claim.id: {ranker: ranks_of(table[row], right[row]) for ranker, table in scores.items()}
        for row, claim in enumerate(pool.claims)
    }


def claim_values(ranks: Ranks) -> dict[str, float]:
    """Return the figures of one claim: `reranker N@1`, `BM25 N@1`, ..."""
    return {f"{ranker} {name}": value for ranker, found in ranks.items() for name, value in figures(found).items()}


def pool_measures(ranked: Sequence[Ranks]) -> dict[str, MeasureValue]:
    """Average over the claims, with intervals; empty without claims."""
    values = [claim_values(ranks) for ranks in ranked]
    names = values[0] if values else {}
    return {name: mean_with_interval([one[name] for one in values]) for name in names}


def pool_tables(ranked: Sequence[Ranks]) -> tuple[Table, ...]:
    """Compare the rankers, and test the reranker against each of the others; none without claims."""
    if not ranked:
        return ()
    measures = pool_measures(ranked)
    values = [claim_values(ranks) for ranks in ranked]
    names = list(ranked[0])
    rows = tuple((ranker, *(measures[f"{ranker} {name}"].value for name in FIGURES)) for ranker in names)
    return (
        Table(
            title="Rankers over the pool", columns=("ranker", *FIGURES), rows=rows, note=f"n = {len(ranked)} claims."
        ),
        Table(
            title="The reranker against the others",
            columns=("against", "measure", "difference", "from", "to", "p"),
            rows=tuple(_row(other, name, values) for other in names if other != RERANKER for name in FIGURES),
            note="Paired over the claims: 95 % interval by bootstrap, p by a two-sided permutation test.",
        ),
    )


def _row(other: str, name: str, values: Sequence[dict[str, float]]) -> tuple[str | float | None, ...]:
    pairs = np.array([[one[f"{other} {name}"], one[f"{RERANKER} {name}"]] for one in values])  # (claims, 2)
    test = paired_permutation(pairs[:, 0].tolist(), pairs[:, 1].tolist())
    found = test.difference
    return other, name, found.value, found.low, found.high, test.p_value
