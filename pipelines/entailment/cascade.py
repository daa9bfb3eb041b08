"""Two models in a row: the small one reads all pairs, the judge reads those that decide."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from haystack.core.serialization import default_to_dict

from models.calibration import VerdictThresholds
from models.evidence import EvidenceModel
from pipelines.contracts.verifier import Judgement
from pipelines.entailment.shipped import UNREAD, ShippedVerifier, pairs_read_whole


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
        read = pairs_read_whole(self, list(dict.fromkeys(pairs)))
        first = dict(zip(read, self._first.model.read(read), strict=True))
        found = {pair: self._first.weigh(reading) for pair, reading in first.items()}
        chosen = self._choose(found)
        for pair, reading in zip(chosen, self._judge.model.read(chosen), strict=True):
            found[pair] = self._judge.weigh(reading, first=first[pair].relation_logits)
        return [found.get(pair, UNREAD) for pair in pairs]

    def _choose(self, found: dict[tuple[str, str], Judgement]) -> list[tuple[str, str]]:
        """Return the pairs that the judge reads, in their order: of each statement those that say most."""
        chosen, count = set(), Counter[str]()
        for pair, one in sorted(found.items(), key=lambda item: item[1].neither):
            if one.supports + one.refutes >= self.least and count[pair[0]] < self.most:
                chosen.add(pair)
                count[pair[0]] += 1
        return [pair for pair in found if pair in chosen]
