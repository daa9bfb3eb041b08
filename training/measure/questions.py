"""Questions: SQuAD 2 style on titles that training never saw, and written ones on unseen passages."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from evaluation.data.group_folds import spread as in_folds
from evaluation.measures.stats.clustered import clustered_mean
from evaluation.measures.text.no_answer_threshold import best_threshold
from evaluation.measures.text.squad import exact_match, token_f1
from evaluation.measures.values import MeasureValue
from models.evidence import EvidenceModel, EvidenceReading
from training.data.examples import Example
from training.data.sources.questions import NO_ANSWER, squad_groups, written_groups
from training.measure.counterfactual_passages import PACKS
from training.measure.readings import Say, read_examples, spread

_FOLDS = 10


def measure_questions(model: EvidenceModel, data: Path, *, limit: int, say: Say) -> dict[str, MeasureValue]:
    """
    Measure spans and answerability.

    :param limit: Questions of a set at most; 0: all.
    """
    squad = squad_groups(data, "squad", held_out=True, unanswerable=0.5, trimmed=0.0)
    written = written_groups(data, PACKS, splits=("dev",))
    headed = written_groups(data, PACKS, splits=("dev",), headlines=1.0, titles="allsides_articles")
    figures: dict[str, MeasureValue] = {}
    for name, groups in (
        ("SQuAD, held-out titles", squad),
        ("written questions, dev", written),
        ("written questions behind headlines, dev", headed),
    ):
        examples = spread([group.examples[0] for group in groups], limit)
        figures |= _figures(name, examples, read_examples(model, examples, say=say, what=name))
    return figures


def _figures(name: str, examples: Sequence[Example], readings: Sequence[EvidenceReading]) -> dict[str, MeasureValue]:
    """
    Score the spans, and what a no-answer threshold makes of them that was fitted on other passages.

    The passages are parted into ten folds, each judged by the threshold of the nine others. Of two halves, on 645
    questions, one may find a threshold far off, and the figures then hang on it more than on the model.
    """
    gold = [[example.passage[slice(*(example.span or NO_ANSWER))]] for example in examples]
    spans = [example.passage[reading.start : reading.end] for example, reading in zip(examples, readings, strict=True)]
    has = np.array([example.span != NO_ANSWER for example in examples])
    f1 = np.array([token_f1(answers, span) for answers, span in zip(gold, spans, strict=True)])
    exact = np.array([exact_match(answers, span) for answers, span in zip(gold, spans, strict=True)])
    shown = _shown(examples, readings, f1)
    overall = np.where(has, np.where(shown, f1, 0.0), ~shown)
    passages = [example.passage for example in examples]
    values = {
        "F1 where there is an answer": (f1, has),
        "exact where there is an answer": (exact, has),
        "unanswerable declined": ((~shown).astype(float), ~has),
        "F1 overall, threshold from other passages": (overall.astype(float), np.ones_like(has)),
    }
    return {
        f"{name}, {what}": clustered_mean(
            value[where].tolist(), [passage for passage, counts in zip(passages, where, strict=True) if counts]
        )
        for what, (value, where) in values.items()
    }


def _shown(
    examples: Sequence[Example], readings: Sequence[EvidenceReading], f1: npt.NDArray[np.float64]
) -> npt.NDArray[np.bool_]:
    """Whether each answer is shown, by the threshold that is best on the folds of passages that it is not in."""
    fold = np.array(in_folds([example.passage for example in examples], folds=_FOLDS))
    scores = np.array([-reading.span_score for reading in readings])  # higher: less likely to have an answer
    shown = np.zeros(len(examples), dtype=bool)
    for judged in set(fold.tolist()):
        fit = np.flatnonzero(fold != judged)
        threshold = best_threshold(
            scores[fit].tolist(),
            f1[fit].tolist(),
            has_answer=[examples[at].span != NO_ANSWER for at in fit.tolist()],
            answered=[True] * len(fit),
        ).threshold
        shown[fold == judged] = scores[fold == judged] <= threshold
    return shown
