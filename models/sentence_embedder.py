"""Any sentence-transformers model as an embedder (extra [models])."""

import hashlib
import threading
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from core.errors import ConfigError, ModelError

_BATCH_SIZE = 32


class _SentenceModel(Protocol):
    """What is used of `sentence_transformers.SentenceTransformer`."""

    def encode(self, sentences: list[str], **options: object) -> NDArray[np.float32]: ...

    def state_dict(self) -> dict[str, Any]: ...


class SentenceTransformersEmbedder:
    """
    Embed texts with a sentence-transformers model. Loads itself on first use.

    :param name: Folder of the model, or its name on the hub.
    :param threads: Threads for torch on the CPU; 0: as torch decides.
    """

    def __init__(self, name: str, *, threads: int = 0) -> None:
        self.name = name
        self.threads = threads
        self._lock = threading.Lock()
        self._model: _SentenceModel | None = None
        self._dimension: int | None = None
        self._identity: str | None = None

    @property
    def identity(self) -> str:
        """Last part of the name, and the beginning of the hash of the weights."""
        model = self._ready_model()
        if self._identity is None:
            self._identity = f"{self.name.rstrip('/').rsplit('/', 1)[-1]}@{_weights_hash(model)[:12]}"
        return self._identity

    @property
    def dimension(self) -> int:
        """Length of the vectors."""
        if self._dimension is None:
            self._dimension = int(self._encode(["a"]).shape[1])
        return self._dimension

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """
        Embed texts.

        :returns: Shape (texts, dimension), unit length, in order.
        :raises ConfigError: If the library is not installed.
        :raises ModelError: If the model cannot be loaded.
        """
        return self._encode(texts) if texts else np.empty((0, self.dimension), dtype=np.float32)

    def _encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        model = self._ready_model()
        vectors = model.encode(list(texts), batch_size=_BATCH_SIZE, normalize_embeddings=True, show_progress_bar=False)
        return np.asarray(vectors, dtype=np.float32)

    def _ready_model(self) -> _SentenceModel:
        with self._lock:
            if self._model is None:
                self._model = self._load()
            return self._model

    def _load(self) -> _SentenceModel:
        try:
            import torch
            from sentence_transformers import SentenceTransformer
        except ImportError as error:
            raise ConfigError(
                f"embedder_model {self.name!r} needs sentence-transformers, which is not installed",
                field="embedder_model",
                hint="Run pip install 'looksy[models]', or leave embedder_model empty for the shipped model.",
            ) from error
        if self.threads:
            torch.set_num_threads(self.threads)
        try:
            model: _SentenceModel = SentenceTransformer(self.name)
        except Exception as error:  # hub, file and configuration errors have no common base
            raise ModelError(
                f"embedder_model {self.name!r} cannot be loaded: {error}",
                field="embedder_model",
                hint="Give the folder of a sentence-transformers model, or its name on the hub.",
            ) from error
        return model


def _weights_hash(model: _SentenceModel) -> str:
    digest = hashlib.sha256()
    for name, tensor in sorted(model.state_dict().items()):
        digest.update(name.encode())
        digest.update(tensor.detach().cpu().float().numpy().tobytes())
    return digest.hexdigest()
