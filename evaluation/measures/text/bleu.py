"""
BLEU.

Source: Papineni et al., ACL 2002, as sacrebleu computes it (Post, WMT 2018): 13a tokens, up to four words, exponential
smoothing; 0 to 100. The figure of a run is of the whole corpus; the value of an item is its sentence BLEU.
"""

from collections.abc import Sequence
from typing import Any

from evaluation.measures.values import MeasureValue
from evaluation.optional_import import require

RESAMPLES = 1000


def corpus_bleu(answers: Sequence[str], references: Sequence[Sequence[str]]) -> MeasureValue:
    """
    Score all answers together; the interval is sacrebleu's own bootstrap over the answers, cut at 0 and 100.

    :param references: Accepted answers of each; at least one each.
    """
    count = len(answers)
    score = _library().corpus_bleu(list(answers), _columns(references)).score
    if count < 2:  # noqa: PLR2004 - nothing to draw from
        return MeasureValue(value=float(score), n=count)
    metric = require("sacrebleu.metrics.bleu", extra="evaluation", need="BLEU").BLEU()
    drawn = metric.corpus_score(list(answers), _columns(references), n_bootstrap=RESAMPLES)
    low, high = max(0.0, drawn._mean - drawn._ci), min(100.0, drawn._mean + drawn._ci)
    return MeasureValue(value=float(score), low=float(low), high=float(high), n=count)


def sentence_bleu(answer: str, references: Sequence[str]) -> float:
    """Score one answer; with the effective order, so that short answers are not all 0."""
    return float(_library().sentence_bleu(answer, list(references), use_effective_order=True).score)


def _columns(references: Sequence[Sequence[str]]) -> list[list[str | None]]:
    """One list for each place of a reference, as sacrebleu wants them; None where an item has fewer."""
    most = max(len(row) for row in references)
    return [[row[at] if at < len(row) else None for row in references] for at in range(most)]


def _library() -> Any:
    return require("sacrebleu", extra="evaluation", need="BLEU")
