"""What the raw scores of an evidence model are worth: parameters fitted on held-out data, kept beside the model."""

import json
import math
from pathlib import Path

from pydantic import ValidationError

from core.errors import ModelError
from core.types import Model

FILE = "calibration.json"


class AnswerWeights(Model):
    """Logistic regression: that an answer span is right, from the reader's scores and the words it shares."""

    intercept: float
    span_score: float
    """Per logit of the span against "no answer"."""
    relevance: float
    """Per logit of relevance."""
    overlap: float
    """Share of the question's words in the piece and its headline."""
    passage_overlap: float
    log_rank: float
    """Per log(1 + rank of the passage)."""


class RelationWeights(Model):
    """Vector scaling of the relation logits (Guo et al., ICML 2017): logit times scale, plus a bias each."""

    scale: float
    supports: float
    refutes: float
    neither: float


class Calibration(Model):
    """All parameters, and where they come from."""

    method: str
    """Name and version, as a result's confidence carries it."""
    fitted_on: str
    answer: AnswerWeights
    relation: RelationWeights

    def answer_probability(
        self, *, span_score: float, relevance: float, overlap: float, passage_overlap: float, rank: int
    ) -> float:
        """
        Return the probability that a span answers the question.

        :param relevance: As a probability.
        :param rank: Of the passage; 0 is the best.
        """
        weights = self.answer
        return _sigmoid(
            weights.intercept
            + weights.span_score * span_score
            + weights.relevance * _logit(relevance)
            + weights.overlap * overlap
            + weights.passage_overlap * passage_overlap
            + weights.log_rank * math.log1p(rank)
        )

    def relation_probabilities(self, logits: tuple[float, float, float]) -> tuple[float, float, float]:
        """Return the probabilities of supports, refutes and neither, from logits in that order."""
        weights = self.relation
        biases = (weights.supports, weights.refutes, weights.neither)
        scaled = [weights.scale * logit + bias for logit, bias in zip(logits, biases, strict=True)]
        highest = max(scaled)
        parts = [math.exp(value - highest) for value in scaled]
        return parts[0] / sum(parts), parts[1] / sum(parts), parts[2] / sum(parts)


UNCALIBRATED = Calibration(
    method="uncalibrated",
    fitted_on="nothing",
    answer=AnswerWeights(intercept=0, span_score=1, relevance=0, overlap=0, passage_overlap=0, log_rank=0),
    relation=RelationWeights(scale=1, supports=0, refutes=0, neither=0),
)
"""For a model without a calibration file: its own scores as they are."""


def load_calibration(folder: Path) -> Calibration:
    """
    Read `calibration.json` in a model's folder; without one, scores stay as they are.

    :raises ModelError: If the file is broken.
    """
    path = folder / FILE
    if not path.is_file():
        return UNCALIBRATED
    try:
        return Calibration.model_validate(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, ValidationError) as error:
        raise ModelError(
            f"{path} is no calibration: {error}", field="model", hint="Mend or remove the file."
        ) from error


def _sigmoid(value: float) -> float:
    return 1.0 / (1.0 + math.exp(-min(max(value, -60.0), 60.0)))


def _logit(probability: float) -> float:
    bounded = min(max(probability, 1e-5), 1 - 1e-5)
    return math.log(bounded / (1 - bounded))
