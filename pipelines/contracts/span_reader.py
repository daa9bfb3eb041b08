"""What a reader of (query, text) pairs promises."""

from collections.abc import Sequence
from typing import Protocol

from models.evidence import EvidenceReading


class SpanReader(Protocol):
    """A model that finds answer spans and relevance; `models.evidence.EvidenceModel` is one. Thread-safe."""

    def load(self) -> None:
        """
        Load what is needed; calling it again does nothing.

        :raises ModelError: If the model cannot be used.
        """
        ...

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[EvidenceReading]:
        """
        Read (query, text) pairs.

        :returns: One reading per pair, in order.
        :raises ModelError: If the model cannot be used.
        """
        ...
