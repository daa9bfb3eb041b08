"""The shipped embedder: texts to vectors with an ONNX model, without torch."""

import os
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from core.paths import MODELS
from models.hashes import file_hash
from models.onnx_runtime import OnnxModel, load_tokenizer

SHIPPED_EMBEDDER = MODELS / "all-minilm-l6-v2"
MAX_TOKENS = 256
"""What the published model was trained to read; the rest of a longer text is not seen."""
_CHUNK_TEXTS = 1024


class OnnxEmbedder:
    """
    Embed texts with an ONNX sentence model. Thread-safe; loads itself on first use.

    Each text runs through the model alone, several at a time on threads of their own. The 8-bit model scales its
    activations by batch, so in company a text would get another vector each time, and padding would be read; alone it
    always gets the same one, at nine tenths of the speed of the best batch size.

    :param folder: Holds `model.onnx` (`input_ids`, `attention_mask` to unit vectors) and `tokenizer.json`.
    :param threads: Texts to embed at one time; 0: one per core.
    """

    def __init__(self, folder: Path = SHIPPED_EMBEDDER, *, threads: int = 0) -> None:
        self.folder = folder
        self.threads = threads
        self._model = OnnxModel(folder / "model.onnx", threads=1)
        self._lock = threading.Lock()
        self._tokenizer: Tokenizer | None = None
        self._identity: str | None = None
        self._dimension: int | None = None

    @property
    def identity(self) -> str:
        """
        Name of the folder, and the beginning of the hashes of model and tokenizer.

        :raises ModelError: If a file is missing.
        """
        if self._identity is None:
            tokenizer_hash = file_hash(self.folder / "tokenizer.json")
            self._identity = f"{self.folder.name}@{self._model.sha256[:12]}-{tokenizer_hash[:8]}"
        return self._identity

    @property
    def dimension(self) -> int:
        """Length of the vectors."""
        if self._dimension is None:
            self._dimension = self._embed_one([0]).shape[0]
        return self._dimension

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """
        Embed texts.

        :param texts: Any strings; what is beyond `MAX_TOKENS` tokens is not seen.
        :returns: Shape (texts, dimension), unit length, in order.
        :raises ModelError: If the model's files are missing or broken.
        """
        if not texts:
            return np.empty((0, self.dimension), dtype=np.float32)
        tokenizer = self._ready_tokenizer()
        workers = min(self.threads or available_cores(), len(texts))
        rows: list[NDArray[np.float32]] = []
        with ThreadPoolExecutor(workers, thread_name_prefix="embed") as pool:
            for start in range(0, len(texts), _CHUNK_TEXTS):
                encodings = tokenizer.encode_batch_fast(list(texts[start : start + _CHUNK_TEXTS]))
                rows.extend(pool.map(self._embed_one, [encoding.ids for encoding in encodings]))
        return np.stack(rows)

    def _embed_one(self, token_ids: list[int]) -> NDArray[np.float32]:
        ids = np.array([token_ids], dtype=np.int64)  # (1, tokens)
        vector: NDArray[np.float32] = self._model.run({"input_ids": ids, "attention_mask": np.ones_like(ids)})[0][0]
        return vector

    def _ready_tokenizer(self) -> Tokenizer:
        with self._lock:
            if self._tokenizer is None:
                self._tokenizer = load_tokenizer(self.folder / "tokenizer.json")
                self._tokenizer.enable_truncation(MAX_TOKENS)
            return self._tokenizer


def available_cores() -> int:
    """Count the cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
