"""What the raw scores of an evidence model are worth: parameters fitted on held-out data, kept beside the model."""

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from core.errors import ModelError
from core.types import Model, Probability

FILE = "calibration.json"
Logits = tuple[float, float, float]
"""Of supports, refutes and neither."""
_LEAST = 1e-4
"""A probability that is smaller counts as this one in a ratio."""


class Fitted(Model):
    """Parameters, and where they come from."""

    model: str
    """Identity of the model whose scores they weigh (`EvidenceModel.identity`)."""
    fitted_on: str
    """Data and sizes, in words."""
    scores: dict[str, float]
    """On items that the parameters were not fitted on."""


class AnswerWeights(Fitted):
    """Logistic regression: that an answer is right, from named features of it, and what is made of the probability."""

    intercept: float
    weights: dict[str, float]
    """Feature to weight; `pipelines/reading/answer_features.py` says what the features are."""
    shown_from: Probability
    """An answer is shown from this probability on; below, the question is declined."""
    verified_from: Probability
    """A shown answer is verified from this probability on."""


class RelationWeights(Fitted):
    """
    Vector scaling of the relation logits (Guo et al., ICML 2017): logit times scale, plus a bias each.

    Where a smaller model has read the pair as well, its logits are added with a scale of their own.
    """

    scale: float
    first: float = 0.0
    """Scale of the smaller model's logits."""
    supports: float
    refutes: float
    neither: float


class RefutationWeights(Model):
    """Logistic regression: that an article refutes a statement, from what the verifier says and where it was found."""

    intercept: float
    log_ratio: float
    """Of ln(refutes / supports)."""
    log_rank: float
    """Of ln(1 + rank); an article that others come before is the more likely about another matter."""

    def probability(self, *, supports: Probability, refutes: Probability, rank: int) -> Probability:
        """
        Return the probability that an article refutes a statement.

        :param supports: By the verifier; `refutes` likewise.
        :param rank: How many other articles were found before it.
        """
        ratio = log_ratio(supports=supports, refutes=refutes)
        return _sigmoid(self.intercept + self.log_ratio * ratio + self.log_rank * math.log1p(rank))


class VerdictThresholds(Fitted):
    """From which probabilities on an article supports or refutes a statement."""

    verified_from: Probability
    """An article supports from this probability on."""
    refutation: RefutationWeights | None = None
    """What the probability that it refutes is made of; None: it is the verifier's own."""
    refuted_from: Probability
    """It refutes from this probability on, where a conflict can be pointed to."""
    sure_refuted_from: Probability = 0.5
    """From this one on where the conflict is one that plain code is sure of: a number or a date."""
    bare_refuted_from: Probability | None
    """And from this one on where none can; None: never."""

    def refuted(self, *, supports: Probability, refutes: Probability, rank: int) -> Probability:
        """Return the probability that an article refutes a statement; see `RefutationWeights.probability`."""
        if self.refutation is None:
            return refutes
        return self.refutation.probability(supports=supports, refutes=refutes, rank=rank)


_NOTHING: dict[str, Any] = {"model": "", "fitted_on": "nothing", "scores": {}}
UNFITTED = VerdictThresholds(verified_from=0.5, refuted_from=0.7, bare_refuted_from=None, **_NOTHING)
"""For a verifier that nothing was fitted for: without a conflict nothing refutes."""


class Calibration(Model):
    """All parameters, and where they come from."""

    method: str
    """Name and version, as a result's confidence carries it."""
    answer: AnswerWeights
    relation: RelationWeights
    statement: VerdictThresholds = UNFITTED

    def answer_probability(self, features: Mapping[str, float]) -> float:
        """
        Return the probability that an answer is right.

        :raises ModelError: If a feature that is weighed is not known.
        """
        unknown = sorted(set(self.answer.weights) - set(features))
        if unknown:
            raise ModelError(
                f"calibration {self.method} weighs features that are not known: {', '.join(unknown)}",
                field="model",
                hint="Fit it again with this version: docs/verdicts.md says how.",
            )
        parts = (weight * features[name] for name, weight in self.answer.weights.items())
        return _sigmoid(self.answer.intercept + sum(parts))

    def to_dict(self) -> dict[str, Any]:
        """Return the values as Haystack writes them into a pipeline file."""
        return {"type": "models.calibration.Calibration", "init_parameters": self.model_dump(mode="json")}

    def relation_probabilities(self, logits: Logits, *, first: Logits | None = None) -> tuple[float, float, float]:
        """
        Return the probabilities of supports, refutes and neither, from logits in that order.

        :param first: Logits of a smaller model for the same pair; None: it has not read it.
        """
        weights = self.relation
        biases = (weights.supports, weights.refutes, weights.neither)
        scaled = [weights.scale * logit + bias for logit, bias in zip(logits, biases, strict=True)]
        if first is not None:
            scaled = [value + weights.first * logit for value, logit in zip(scaled, first, strict=True)]
        highest = max(scaled)
        parts = [math.exp(value - highest) for value in scaled]
        return parts[0] / sum(parts), parts[1] / sum(parts), parts[2] / sum(parts)


UNCALIBRATED = Calibration(
    method="uncalibrated",
    answer=AnswerWeights(intercept=0, weights={"span_score": 1.0}, shown_from=0.05, verified_from=0.5, **_NOTHING),
    relation=RelationWeights(scale=1, supports=0, refutes=0, neither=0, **_NOTHING),
)
"""For a model without a calibration file: its own scores as they are."""


def load_calibration(folder: Path, *, model: str | None = None) -> Calibration:
    """
    Read `calibration.json` in a model's folder; without one, scores stay as they are.

    :param model: Identity of the model that is there now. Parameters that were fitted on another one are used, since a
        successor's scores are more like its predecessor's than like probabilities, and the method says so.
    :raises ModelError: If the file is broken.
    """
    path = folder / FILE
    if not path.is_file():
        return UNCALIBRATED
    try:
        found = Calibration.model_validate(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, ValidationError) as error:
        raise ModelError(
            f"{path} is not a calibration: {error}", field="model", hint="Mend or remove the file."
        ) from error
    if model is None or model == found.answer.model == found.relation.model == found.statement.model:
        return found
    return found.model_copy(update={"method": f"{found.method}, fitted on another model: uncalibrated"})


def log_ratio(*, supports: Probability, refutes: Probability) -> float:
    """Return how many times as likely it is that an article refutes as that it supports, as a natural logarithm."""
    return math.log(max(refutes, _LEAST) / max(supports, _LEAST))


def _sigmoid(value: float) -> float:
    return 1.0 / (1.0 + math.exp(-min(max(value, -60.0), 60.0)))
