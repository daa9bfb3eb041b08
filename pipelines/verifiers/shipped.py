"""The default verifier: the relation head of the shipped evidence model."""

from collections.abc import Sequence

from models.calibration import Calibration
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
    def refuted_from(self) -> float | None:
        """Return the probability from which few true statements were refuted when the calibration was fitted."""
        return self._calibration.relation.refuted_from

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Judgement]:
        """Judge (statement, premise) pairs."""
        judgements = []
        for reading in self._model.read(list(pairs)):
            supports, refutes, neither = self._calibration.relation_probabilities(reading.relation_logits)
            judgements.append(Judgement(supports=supports, refutes=refutes, neither=neither))
        return judgements
