"""BERTScore with the shipped embedder: offline, without torch."""

import threading
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from models.embedder import SHIPPED_EMBEDDER
from models.onnx_runtime import OnnxModel, load_tokenizer

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


LAST_LAYER = "/encoder/encoder/layer.5/output/LayerNorm/LayerNormalization_output_0"
"""What the last of the six layers gives for each token, before the mean is taken of it."""
MAX_TOKENS = 512
_ENDS = 2
"""[CLS] and [SEP]."""


class ShippedScorer:
    """
    Scores answers with the 8-bit all-MiniLM-L6-v2. Thread-safe; loads itself on first use.

    :param folder: Holds `model.onnx` and `tokenizer.json`.
    """

    name = "all-MiniLM-L6-v2, layer 6, 8 bits (shipped)"

    def __init__(self, folder: Path = SHIPPED_EMBEDDER) -> None:
        self.folder = folder
        self._model = OnnxModel(folder / "model.onnx", threads=1, inner=LAST_LAYER)
        self._lock = threading.Lock()
        self._tokenizer: Tokenizer | None = None

    def score(self, answer: str, references: Sequence[str]) -> float:
        """
        Score one answer; a blank one, or one of no known token, scores 0.

        :param references: Accepted answers, at least one.
        :raises ModelError: If the model's files are missing or broken.
        """
        given = self._states(answer)
        gold = [states for states in map(self._states, references) if len(states) > _ENDS]
        if len(given) <= _ENDS or not gold:
            return 0.0
        return max(greedy_f1(given, states) for states in gold)

    def _states(self, text: str) -> Vectors:
        """Return shape (tokens, dimensions), [CLS] and [SEP] among them."""
        ids = np.array([self._ready_tokenizer().encode(text).ids], dtype=np.int64)  # (1, tokens)
        states: Vectors = self._model.run({"input_ids": ids, "attention_mask": np.ones_like(ids)})[1][0]
        return states

    def _ready_tokenizer(self) -> Tokenizer:
        with self._lock:
            if self._tokenizer is None:
                self._tokenizer = load_tokenizer(self.folder / "tokenizer.json")
                self._tokenizer.enable_truncation(MAX_TOKENS)
            return self._tokenizer
