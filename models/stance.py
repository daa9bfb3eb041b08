"""Which side a text takes towards a proposition: a small linear head on the shipped sentence embedder."""

import json
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pydantic import ValidationError

from core.errors import ModelError
from core.paths import MODELS
from core.types import Model

SHIPPED_STANCE = MODELS / "stance-minilm"
HEAD = "head.json"

Vectors = NDArray[np.float32]
Embed = Callable[[Sequence[str]], Vectors]


class Head(Model):
    """Logistic regression over the features of `stance_features`."""

    embedder: str
    """Name of the embedder's folder that the features are of."""
    intercept: float
    weights: tuple[float, ...]


class StanceHead:
    """
    Judge sides. Thread-safe; loads itself on first use.

    :param embed: Texts to unit vectors, by the embedder that the head was fitted on.
    :param folder: Holds `head.json`.
    """

    def __init__(self, embed: Embed, folder: Path = SHIPPED_STANCE) -> None:
        self.folder = folder
        self._embed = embed
        self._lock = threading.Lock()
        self._head: Head | None = None

    def probability_yes(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """
        Judge (proposition, text) pairs.

        :returns: One probability a pair, in order, that the text is for the proposition and not against it; near a
            half: it cannot be told, or the text takes no side.
        :raises ModelError: If the head cannot be used.
        """
        if not pairs:
            return []
        head = self._loaded()
        features = stance_features(self._embed, pairs)
        if features.shape[1] != len(head.weights):
            raise ModelError(
                f"the stance head weighs {len(head.weights)} features, the embedder gives {features.shape[1]}",
                field="model",
                hint=f"Use the embedder {head.embedder}, or fit the head again: docs/models.md.",
            )
        logits = features @ np.asarray(head.weights, dtype=np.float32) + head.intercept
        return [float(one) for one in 1 / (1 + np.exp(-logits))]

    def _loaded(self) -> Head:
        with self._lock:
            if self._head is None:
                path = self.folder / HEAD
                try:
                    self._head = Head.model_validate(json.loads(path.read_text(encoding="utf-8")))
                except (OSError, ValueError, ValidationError) as error:
                    hint = "Get the file back with git, or fit the head again: docs/models.md."
                    raise ModelError(f"{path} cannot be used: {error}", field="model", hint=hint) from error
            return self._head


def stance_features(embed: Embed, pairs: Sequence[tuple[str, str]]) -> Vectors:
    """
    Describe pairs by the text's vector, its product with the proposition's, and what the text adds to it.

    :returns: (pairs, three times the dimension of the embedder).
    """
    texts = sorted({text for pair in pairs for text in pair})
    known = dict(zip(texts, np.asarray(embed(texts)), strict=True))
    asked = np.array([known[proposition] for proposition, _ in pairs])
    said = np.array([known[text] for _, text in pairs])
    both = np.asarray(embed([f"{proposition} {text}" for proposition, text in pairs]))
    return np.hstack([said, asked * said, both - asked]).astype(np.float32)
