"""What makes vectors of texts."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class Embedder(Protocol):
    """Texts in, vectors of unit length out."""

    identity: str
    """Names the model and its exact weights; vectors of different identities must not be compared."""
    dimension: int

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the vectors; shape (texts, dimension)."""
        ...
