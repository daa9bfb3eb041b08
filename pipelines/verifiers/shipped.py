"""The default verifier: the relation head of the shipped evidence model."""

from collections.abc import Sequence

from models.calibration import Calibration, StatementBars
from models.evidence import EvidenceModel
from pipelines.verifiers.contract import Judgement


class ShippedVerifier:
    """
    Judge with the ONNX evidence model, its logits scaled on held-out statements.

    :param model: Shared with the reader.
    """

    def __init__(self, model: EvidenceModel, calibration: Calibration) -> None:
        self._model = model
        self._calibration = calibration

    @property
    def identity(self) -> str:
        """Return the model's name and hash."""
        return self._model.identity

    @property
    def method(self) -> str:
        """Return the calibration's name."""
        return self._calibration.method

    @property
    def bars(self) -> StatementBars:
        """Return what was fitted beside the model."""
        return self._calibration.statement

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Judgement]:
        """Judge (statement, premise) pairs."""
        judgements = []
        for reading in self._model.read(list(pairs)):
            supports, refutes, neither = self._calibration.relation_probabilities(reading.relation_logits)
            judgements.append(Judgement(supports=supports, refutes=refutes, neither=neither))
        return judgements
