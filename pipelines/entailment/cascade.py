"""Two models in a row: the small one reads all pairs, the judge reads those that decide."""

from collections.abc import Sequence
from typing import Any

from haystack.core.serialization import default_to_dict

from models.calibration import VerdictThresholds
from models.evidence import EvidenceModel
from pipelines.contracts.verifier import Judgement
from pipelines.entailment.shipped import UNREAD, ShippedVerifier


class CascadeVerifier:
    """
    Judge with a large model what a small one does not take for silence.

    The judge's probabilities are made of both models' logits (stacking; Wolpert, Neural Networks 1992), with weights
    fitted on held-out statements and kept beside the judge. A pair that the judge does not read keeps what the small
    model makes of it.

    :param first: Reads all pairs.
    :param judge: Reads those in which the first sees support or refutation.
    :param least: Probability of support or refutation, by the first, from which the judge reads a pair.
    :param most: Pairs of one statement that the judge reads in one call.
    """

    def __init__(self, first: ShippedVerifier, judge: EvidenceModel, *, least: float = 0.05, most: int = 10) -> None:
        self._first = first
        self._judge = ShippedVerifier(judge)
        self.least = least
        self.most = most

    def to_dict(self) -> dict[str, Any]:
        """Return the constructor's arguments as Haystack writes them into a pipeline file."""
        return default_to_dict(self, first=self._first, judge=self._judge.model, least=self.least, most=self.most)

    @property
    def identity(self) -> str:
        """Return the judge's name and hash; the small model stands in the run record as the reader."""
        return self._judge.identity

    @property
    def method(self) -> str:
        """Return the judge's calibration."""
        return self._judge.method

    @property
    def thresholds(self) -> VerdictThresholds:
        """Return what was fitted beside the judge."""
        return self._judge.thresholds

    def reads_whole(self, statement: str) -> bool:
        """Say whether both models read a statement to its end."""
        return self._first.reads_whole(statement) and self._judge.reads_whole(statement)

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Judgement]:
        """Judge (statement, premise) pairs; `UNREAD` where a statement is not read to its end."""
        whole = {statement: self.reads_whole(statement) for statement in dict.fromkeys(pair[0] for pair in pairs)}
        read = [pair for pair in dict.fromkeys(pairs) if whole[pair[0]]]
        first = self._first.model.read(read)
        found = {pair: self._first.weigh(reading) for pair, reading in zip(read, first, strict=True)}
        logits = {pair: reading.relation_logits for pair, reading in zip(read, first, strict=True)}
        chosen = self._choose(found)
        for pair, reading in zip(chosen, self._judge.model.read(chosen), strict=True):
            found[pair] = self._judge.weigh(reading, first=logits[pair])
        return [found.get(pair, UNREAD) for pair in pairs]

    def _choose(self, found: dict[tuple[str, str], Judgement]) -> list[tuple[str, str]]:
        """Return the pairs that the judge reads, in their order: of each statement those that say most."""
        by_statement: dict[str, list[tuple[str, str]]] = {}
        for pair, one in found.items():
            if one.supports + one.refutes >= self.least:
                by_statement.setdefault(pair[0], []).append(pair)
        kept = {
            pair
            for those in by_statement.values()
            for pair in sorted(those, key=lambda one: found[one].neither)[: self.most]
        }
        return [pair for pair in found if pair in kept]
