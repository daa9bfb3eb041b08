"""A dense reranker: turns the shipped embedder's vectors so that claims come to lie near what bears on them."""

import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from core.errors import ModelError

Floats = npt.NDArray[np.float32]
Embed = Callable[[Sequence[str]], Floats]

WEIGHTS = "reranker.npz"


class Reranker:
    """
    Score texts for a query: cosine of the turned vectors, plus a share of BM25. Thread-safe; loads on first use.

    :param folder: Holds `reranker.npz`: `query` and `text` (dimension, dimension) and `bm25` (a number).
    :param embed: Texts to unit vectors, (texts, dimension); the embedder that the weights were trained for.
    """

    def __init__(self, folder: Path, embed: Embed) -> None:
        self.folder = folder
        self.embed = embed
        self._lock = threading.Lock()
        self._weights: tuple[Floats, Floats, float] | None = None

    def scores(self, query: str, texts: Sequence[str], bm25: Sequence[float]) -> Floats:
        """
        Score the candidates of one query.

        :param texts: Candidates, as BM25 found them.
        :param bm25: Their BM25 scores; only their shares of the highest count.
        :returns: (texts,); higher is better, comparable within a query only.
        :raises ModelError: If the weights are missing, broken or of another dimension than the vectors.
        """
        if not texts:
            return np.zeros(0, dtype=np.float32)
        vectors = self.embed([query, *texts])
        scores: Floats = self.vector_scores(vectors[:1], vectors[1:], np.asarray([bm25], dtype=np.float32))[0]
        return scores

    def vector_scores(self, queries: Floats, texts: Floats, bm25: Floats) -> Floats:
        """
        Score vectors.

        :param queries: (queries, dimension).
        :param texts: (texts, dimension).
        :param bm25: (queries, texts).
        :returns: (queries, texts).
        """
        turn_query, turn_text, share = self._ready()
        if queries.shape[1] != len(turn_query):
            raise ModelError(
                f"{self.folder / WEIGHTS} turns vectors of {len(turn_query)}, the embedder gives {queries.shape[1]}",
                field="reranker",
                hint="Use it with the embedder it was trained for.",
            )
        near = _unit(queries @ turn_query) @ _unit(texts @ turn_text).T
        fused: Floats = (near + share * relative(bm25)).astype(np.float32)
        return fused

    @property
    def bm25_share(self) -> float:
        """What BM25, 0 to 1, counts beside the cosine."""
        return self._ready()[2]

    def _ready(self) -> tuple[Floats, Floats, float]:
        with self._lock:
            if self._weights is None:
                self._weights = _load(self.folder / WEIGHTS)
            return self._weights


def relative(bm25: Floats) -> Floats:
    """Divide each query's scores by its highest; all 0 where nothing matches. Shape (queries, texts)."""
    best = bm25.max(axis=1, keepdims=True, initial=0)
    shares: Floats = bm25 / np.maximum(best, np.float32(1e-6))
    return shares


def _load(file: Path) -> tuple[Floats, Floats, float]:
    try:
        with np.load(file, allow_pickle=False) as weights:
            query, text = weights["query"].astype(np.float32), weights["text"].astype(np.float32)
            share = float(weights["bm25"])
    except Exception as error:  # what numpy and its readers of zip and headers raise has no common base
        raise _no_reranker(file, str(error)) from error
    if not query.shape == text.shape == (len(query), len(query)):
        raise _no_reranker(file, f"its maps have the shapes {query.shape} and {text.shape}")
    return query, text, share


def _no_reranker(file: Path, problem: str) -> ModelError:
    return ModelError(f"{file} holds no reranker: {problem}", field="reranker", hint="Give a folder with reranker.npz.")


def _unit(vectors: Floats) -> Floats:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: Floats = vectors / np.maximum(lengths, 1e-9)
    return unit
