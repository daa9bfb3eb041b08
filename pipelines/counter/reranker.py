"""What puts passages in the order in which they bear on a claim."""

from collections.abc import Sequence
from typing import Protocol

from models.evidence import EvidenceModel
from pipelines.findings import Evidence, Finding


class Reranker(Protocol):
    """A model that reads a claim beside each text."""

    def score(self, claim: str, texts: Sequence[str]) -> list[float]:
        """Return how much each text bears on the claim, in order; higher is more."""
        ...


class RelevanceReranker:
    """
    Rank by the relevance head of the evidence model.

    :param model: Shared with the reader.
    """

    def __init__(self, model: EvidenceModel) -> None:
        self._model = model

    def score(self, claim: str, texts: Sequence[str]) -> list[float]:
        """Return the probability that each text bears on the claim."""
        return [reading.relevance for reading in self._model.read([(claim, text) for text in texts])]


def ranked_pieces(findings: Sequence[Finding]) -> list[Evidence]:
    """Return the pieces that the reader has read, most relevant first: it has scored them with the same head."""
    ranked = sorted(findings, key=lambda finding: (-finding.digest.relevance, finding.rank, finding.context_start))
    return [
        Evidence(
            article=finding.article,
            start=finding.context_start,
            end=finding.context_start + len(finding.digest.context),
            text=finding.digest.context,
            relevance=finding.digest.relevance,
            score=finding.digest.relevance,
        )
        for finding in ranked
    ]
