"""Texts that are given with a query: does the system tell which side each takes, and what bears on it at all?"""

from collections.abc import Sequence

import numpy as np

from core.types import Probability, Status
from evaluation.data.formats.stance_pairs import PairLabel
from evaluation.measures.stats.bootstrap import mean_with_interval, statistic_with_interval
from evaluation.measures.values import MeasureValue
from evaluation.measures.verdict import confusion
from evaluation.reports.models import Definition, DetailLine, ItemDetail, Mark, Scores, Table
from evaluation.runs.models import Item, Output, Prediction
from pipelines.engine import Engine
from pipelines.systems.perspectives.side_judge import SideJudge
from pipelines.systems.perspectives.types import Stance

_LABELS = tuple(PairLabel)
_SIDES = (PairLabel.SUPPORTS, PairLabel.OPPOSES)
_OF = {Stance.YES: PairLabel.SUPPORTS, Stance.NO: PairLabel.OPPOSES, Stance.MIXED: PairLabel.NEUTRAL}
HEADLINE = ("macro_f1", "accuracy", "side_macro_f1", "side_accuracy")
DEFINITIONS = tuple(
    Definition(name=name, definition=definition, source=source)
    for name, definition, source in (
        ("macro_f1", "Mean F1 of the labels that occur.", "As scikit-learn's f1_score."),
        ("accuracy", "Share of the texts with the right label.", ""),
        ("side_macro_f1", "Of the texts that take a side: mean F1 of both, by the likelier one.", "As above."),
        ("side_accuracy", "Share of them whose likelier side is the right one.", ""),
        ("weighted_score", "A quarter for related or not, the rest for the exact label, of what can be had.", "FNC-1."),
    )
)


class PairOutput(Output):
    """What the system says to one text."""

    label: PairLabel
    yes: Probability
    """That it supports rather than opposes."""
    relevance: Probability


def predict_pair(engine: Engine, query: str, text: str) -> PairOutput:
    """Judge one text as the system judges an article that it found."""
    resources = engine.resources
    judge = SideJudge(verifier=resources.verifier(), reader=resources.evidence_model(), threads=engine.settings.threads)
    judged = judge.judge_text(query, text)
    label = _OF[judged.stance] if judged.bears else PairLabel.UNRELATED
    return PairOutput(label=label, yes=judged.yes, relevance=judged.relevance)


def score_pairs(
    items: Sequence[Item], gold_of: dict[str, PairLabel], predictions: Sequence[Prediction[PairOutput]]
) -> Scores:
    """Score the labels, and the sides of the texts that take one."""
    done = [(gold_of[one.id], one.output, one.id) for one in predictions if one.status is Status.OK and one.output]
    gold = np.array([_LABELS.index(label) for label, _, _ in done], dtype=np.int64)
    found = np.array([_LABELS.index(output.label) for _, output, _ in done], dtype=np.int64)
    sided = [(label, output) for label, output, _ in done if label in _SIDES]
    side_gold = np.array([_SIDES.index(label) for label, _ in sided], dtype=np.int64)
    side_found = np.array([int(output.yes < 1 - output.yes) for _, output in sided], dtype=np.int64)
    right = (gold == found).astype(float)
    return Scores(
        measures={
            "macro_f1": _macro_f1(gold, found, labels=len(_LABELS)),
            "accuracy": mean_with_interval(right),
            "side_macro_f1": _macro_f1(side_gold, side_found, labels=len(_SIDES)),
            "side_accuracy": mean_with_interval((side_gold == side_found).astype(float)),
            "weighted_score": statistic_with_interval(len(gold), lambda rows: _weighted(gold[rows], found[rows])),
        },
        per_item={name: {"accuracy": float(right[at])} for at, (_, _, name) in enumerate(done)},
        headline=HEADLINE,
        definitions=DEFINITIONS,
        tables=(_by_label(confusion.count(gold, found, labels=len(_LABELS))),),
        details=_details(items, gold_of, predictions),
    )


def _macro_f1(gold: confusion.Counts, found: confusion.Counts, *, labels: int) -> MeasureValue:
    return statistic_with_interval(
        len(gold), lambda rows: confusion.macro_f1(confusion.count(gold[rows], found[rows], labels=labels))
    )


def _weighted(gold: confusion.Counts, found: confusion.Counts) -> float | None:
    """Score as the Fake News Challenge does, as a share of the best possible."""
    unrelated = _LABELS.index(PairLabel.UNRELATED)
    related = gold != unrelated
    same_kind = related == (found != unrelated)
    best = 0.25 * len(gold) + 0.75 * related.sum()
    reached = 0.25 * same_kind.sum() + 0.75 * ((gold == found) & related).sum()
    return float(reached / best) if best else None


def _by_label(matrix: confusion.Counts) -> Table:
    rows = [
        (one.label, one.precision, one.recall, one.f1, one.support)
        for one in confusion.label_scores(matrix, [label.value for label in _LABELS])
        if one.support or matrix.sum(axis=0)[_LABELS.index(PairLabel(one.label))]
    ]
    return Table(title="By label", columns=("label", "precision", "recall", "F1", "texts"), rows=tuple(rows))


def _details(
    items: Sequence[Item], gold_of: dict[str, PairLabel], predictions: Sequence[Prediction[PairOutput]]
) -> tuple[ItemDetail, ...]:
    found = {one.id: one.output for one in predictions}
    return tuple(_detail(item, gold_of[item.id], found.get(item.id)) for item in items)


def _detail(item: Item, gold: PairLabel, output: PairOutput | None) -> ItemDetail:
    if output is None:
        return ItemDetail(id=item.id, text=item.text, lines=(), failed=True)
    said = f"{output.label.value} (supports {output.yes:.2f}, bears on it {output.relevance:.2f})"
    mark = Mark.RIGHT if output.label is gold else Mark.WRONG
    return ItemDetail(id=item.id, text=item.text, lines=(DetailLine(label=f"gold {gold.value}", text=said, mark=mark),))
