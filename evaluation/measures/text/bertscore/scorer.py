"""
BERTScore F1, without idf weights and without rescaling; the best over the accepted answers.

Source: Zhang et al., ICLR 2020. Figures of different models cannot be compared with each other.
"""

from collections.abc import Sequence
from typing import Protocol

from evaluation.measures.text.bertscore.library import LibraryScorer
from evaluation.measures.text.bertscore.shipped import ShippedScorer

SHIPPED = "shipped"
NONE = "none"


class BertScorer(Protocol):
    """Scores answers with one model. Thread-safe."""

    name: str
    """Which model it is, for reports."""

    def score(self, answer: str, references: Sequence[str]) -> float:
        """
        Score one answer; a blank one scores 0 without asking the model.

        :param references: Accepted answers, at least one.
        :raises ConfigError: If the library is not installed, or the model cannot be loaded.
        """
        ...


def open_scorer(model: str) -> BertScorer | None:
    """
    Return the scorer for a model; nothing is loaded before it is asked.

    :param model: `shipped`: offline and without torch; `none`: no BERTScore; else what bert-score takes: the folder of
        a Transformers model, or its name on the hub.
    """
    if model == NONE:
        return None
    return ShippedScorer() if model == SHIPPED else LibraryScorer(model)
