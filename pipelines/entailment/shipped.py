"""The default verifier: the relation head of the shipped evidence model."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from haystack.core.serialization import default_to_dict

from models.calibration import Calibration, Logits, VerdictThresholds, load_calibration
from models.evidence import EvidenceModel, EvidenceReading
from pipelines.contracts.verifier import Judgement, Verifier

UNREAD = Judgement(supports=1 / 3, refutes=1 / 3, neither=1 / 3)
"""Of a statement that is not read to its end: that its beginning is right says nothing of the rest."""


def pairs_read_whole(verifier: Verifier, pairs: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the (statement, premise) pairs whose statement a verifier reads to its end."""
    whole = {statement: verifier.reads_whole(statement) for statement in dict.fromkeys(pair[0] for pair in pairs)}
    return [pair for pair in pairs if whole[pair[0]]]


class ShippedVerifier:
    """
    Judge with the ONNX evidence model, its logits scaled on held-out statements.

    :param model: Shared with the reader.
    :param calibration: What its scores are worth; None: as the file beside the model says.
    """

    def __init__(self, model: EvidenceModel, calibration: Calibration | None = None) -> None:
        self.model = model
        self._given = calibration

    def to_dict(self) -> dict[str, Any]:
        """Return the constructor's arguments as Haystack writes them into a pipeline file."""
        return default_to_dict(self, model=self.model, calibration=self._given)

    @cached_property
    def _calibration(self) -> Calibration:
        return self._given or load_calibration(self.model.folder, model=self.model.identity)

    @property
    def identity(self) -> str:
        """Return the model's name and hash."""
        return self.model.identity

    @property
    def method(self) -> str:
        """Return the calibration's name."""
        return self._calibration.method

    @property
    def thresholds(self) -> VerdictThresholds:
        """Return what was fitted beside the model."""
        return self._calibration.statement

    def reads_whole(self, statement: str) -> bool:
        """Say whether the model reads a statement to its end."""
        return self.model.reads_whole(statement)

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Judgement]:
        """Judge (statement, premise) pairs; `UNREAD` where a statement is not read to its end."""
        read = pairs_read_whole(self, pairs)
        found = {pair: self.weigh(reading) for pair, reading in zip(read, self.model.read(read), strict=True)}
        return [found.get(pair, UNREAD) for pair in pairs]

    def weigh(self, reading: EvidenceReading, *, first: Logits | None = None) -> Judgement:
        """
        Return what a reading is worth.

        :param first: Logits of a smaller model for the same pair, weighed beside this one's.
        """
        supports, refutes, neither = self._calibration.relation_probabilities(reading.relation_logits, first=first)
        return Judgement(supports=supports, refutes=refutes, neither=neither)
