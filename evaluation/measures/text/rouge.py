"""
ROUGE-1, ROUGE-2 and ROUGE-L, F-measure, without stemming; the best over the accepted answers.

Source: Lin, ACL workshop Text Summarization Branches Out, 2004, as rouge-score computes it: words are runs of a to z
and digits, so that another script has none and scores 0.
"""

from collections.abc import Sequence
from typing import Any

from evaluation.optional_import import require

NAMES = ("rouge1", "rouge2", "rougeL")


def rouge(answer: str, references: Sequence[str]) -> dict[str, float]:
    """
    Score one answer.

    :param references: At least one.
    """
    library: Any = require("rouge_score.rouge_scorer", extra="evaluation", need="ROUGE")
    scores = library.RougeScorer(list(NAMES)).score_multi(list(references), answer)
    return {name: float(scores[name].fmeasure) for name in NAMES}
