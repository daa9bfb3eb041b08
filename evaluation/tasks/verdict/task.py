"""Verdicts: is a claim supported, refuted, or neither?"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from core.types import Probability, Status
from evaluation.data.formats.labels import Label
from evaluation.measures.verdict import confusion
from evaluation.reports.models import DetailLine, ItemDetail, Mark, Scores
from evaluation.reports.stage_times import stage_figure
from evaluation.runs.models import Item, Output, Prediction
from evaluation.runs.session import Task
from evaluation.tasks.verdict.baseline import baseline_measures
from evaluation.tasks.verdict.figures import DEFINITIONS, HEADLINE, label_table, phenomenon_table, verdict_figures
from evaluation.tasks.verdict.measures import Judged, verdict_measures


class VerdictItem(Item):
    """A claim with its gold label."""

    label: Label
    evidence: tuple[str, ...] = ()
    """Empty: the corpus is searched."""
    pair: str | None = None
    date: str | None = None
    phenomenon: str = ""


class VerdictOutput(Output):
    """The label that was given."""

    label: Label
    confidence: Probability
    """That the label is right."""
    probabilities: dict[Label, float] = Field(default_factory=dict)
    """Of each label, where the verifier gives them."""
    score: float
    """For supports against refutes; only the order counts."""
    answer: str = ""
    quotes: tuple[str, ...] = ()
    stage_ms: dict[str, float] = Field(default_factory=dict)


def score_verdicts(items: Sequence[VerdictItem], predictions: Sequence[Prediction[VerdictOutput]]) -> Scores:
    """Score labels over the claims that were judged; the baseline is over the same claims."""
    by_id = {item.id: item for item in items}
    answered = [(by_id[one.id], one.output) for one in predictions if one.status is Status.OK and one.output]
    judged = _judged(answered)
    measures, per_item = verdict_measures(judged)
    baseline, notes = baseline_measures([item for item, _ in answered])
    names = [label.value for label in judged.labels]
    matrix = confusion.count(judged.gold, judged.predicted, labels=len(names))
    figures = verdict_figures(judged, measures | baseline, matrix, names) if answered else ()
    timings = [output.stage_ms for _, output in answered if output.stage_ms]
    return Scores(
        measures=measures | baseline,
        per_item=per_item,
        item_scores={
            item.id: {label.value: chance for label, chance in output.probabilities.items()}
            for item, output in answered
            if output.probabilities
        },
        headline=HEADLINE,
        definitions=DEFINITIONS,
        tables=(label_table(matrix, names), *phenomenon_table([item.phenomenon for item, _ in answered], judged)),
        figures=(*figures, *stage_figure(timings)),
        details=_details(items, predictions),
        notes=notes,
    )


def _judged(answered: Sequence[tuple[VerdictItem, VerdictOutput]]) -> Judged:
    seen = {item.label for item, _ in answered} | {output.label for _, output in answered}
    labels = [label for label in Label if label in seen]
    number = {label: at for at, label in enumerate(labels)}
    return Judged(
        ids=[item.id for item, _ in answered],
        labels=labels,
        gold=np.array([number[item.label] for item, _ in answered], dtype=np.int64),
        predicted=np.array([number[output.label] for _, output in answered], dtype=np.int64),
        confidence=np.array([output.confidence for _, output in answered], dtype=np.float64),
        score=np.array([output.score for _, output in answered], dtype=np.float64),
        probabilities=_probabilities(answered),
        pairs=[item.pair for item, _ in answered],
    )


def _probabilities(answered: Sequence[tuple[VerdictItem, VerdictOutput]]) -> NDArray[np.float64] | None:
    """Shape (items, labels of `Label`); None unless every item has them."""
    if not answered or not all(output.probabilities for _, output in answered):
        return None
    return np.array([[output.probabilities.get(label, 0.0) for label in Label] for _, output in answered])


def _details(items: Sequence[VerdictItem], predictions: Sequence[Prediction[VerdictOutput]]) -> tuple[ItemDetail, ...]:
    found = {one.id: one for one in predictions}
    return tuple(_detail(item, found.get(item.id)) for item in items)


def _detail(item: VerdictItem, prediction: Prediction[VerdictOutput] | None) -> ItemDetail:
    output = prediction.output if prediction else None
    lines = [DetailLine(label="gold", text=item.label.value)]
    if output is not None:
        mark = Mark.RIGHT if output.label is item.label else Mark.WRONG
        lines.append(DetailLine(label="verdict", text=f"{output.label.value} ({output.confidence:.2f})", mark=mark))
        lines += [DetailLine(label="answer", text=output.answer)] if output.answer else []
        lines += [DetailLine(label="quote", text=quote) for quote in output.quotes]
    lines += [DetailLine(label="given evidence", text=text) for text in item.evidence]
    return ItemDetail(
        id=item.id,
        text=item.text,
        lines=tuple(lines),
        failed=output is None,
        run_records=(prediction.run_record,) if prediction and prediction.run_record else (),
    )


TASK = Task(name="verdict", item_type=VerdictItem, output_type=VerdictOutput, score=score_verdicts)
