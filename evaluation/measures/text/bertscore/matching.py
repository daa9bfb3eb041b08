"""The greedy matching of BERTScore."""

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]


def greedy_f1(answer: Vectors, reference: Vectors) -> float:
    """
    Match each token with the one of the other text that is most like it.

    As bert-score does, the first and the last token ([CLS] and [SEP]) may be matched with, and do not count themselves.

    :param answer: Shape (tokens, dimensions), at least three tokens.
    :param reference: Likewise.
    :returns: Harmonic mean of precision (over the answer's tokens) and recall (over the reference's), -1 to 1.
    """
    similarity = _unit(answer) @ _unit(reference).T  # (answer tokens, reference tokens)
    precision = float(similarity.max(axis=1)[1:-1].mean())
    recall = float(similarity.max(axis=0)[1:-1].mean())
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def _unit(vectors: Vectors) -> Vectors:
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), dtype=np.float32)
