"""What makes vectors of texts, and which one the settings name."""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from core.errors import StoreVersionError
from core.settings import Settings
from models.embedder import OnnxEmbedder
from models.sentence_embedder import SentenceTransformersEmbedder


class Embedder(Protocol):
    """Texts in, vectors of unit length out."""

    @property
    def identity(self) -> str:
        """Name of the model and its exact weights; vectors of different identities must not be compared."""
        ...

    @property
    def dimension(self) -> int:
        """Length of the vectors."""
        ...

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the vectors; shape (texts, dimension)."""
        ...


def open_embedder(settings: Settings) -> Embedder:
    """Return the embedder of the settings; it loads itself on first use."""
    return embedder_named(settings.embedder_model, threads=settings.threads)


def embedder_named(name: str | None, *, threads: int = 0) -> Embedder:
    """
    Return an embedder by name; it loads itself on first use.

    :param name: A folder with `model.onnx` and no `modules.json` is run as the shipped one is; any other name is a
        sentence-transformers model. None: the shipped one.
    :param threads: 0: one per core.
    """
    if name is None:
        return OnnxEmbedder(threads=threads)
    folder = Path(name)
    if (folder / "model.onnx").is_file() and not (folder / "modules.json").is_file():
        return OnnxEmbedder(folder, threads=threads)
    return SentenceTransformersEmbedder(name, threads=threads)


def require_same_embedder(embedder: Embedder, recorded: str | None) -> None:
    """
    Make sure that the index's vectors and the query's can be compared.

    :param recorded: Identity that the index names; None: it has no vectors.
    :raises StoreVersionError: If they cannot.
    """
    if recorded is None:
        raise StoreVersionError(
            "the index has no vectors",
            field="retriever",
            hint="Make them with 'looksy index --rebuild --vectors', or search with bm25.",
        )
    if recorded != embedder.identity:
        raise StoreVersionError(
            f"the index was made with embedder {recorded}; the query has {embedder.identity}",
            field="embedder_model",
            hint="Use the same embedder, or build the index anew with 'looksy index --rebuild'.",
        )
