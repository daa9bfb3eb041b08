"""Tables and figures of a verdict run."""

from collections.abc import Sequence

import numpy as np

from evaluation.measures.values import MeasureValue
from evaluation.measures.verdict import confusion
from evaluation.measures.verdict.calibration import reliability
from evaluation.measures.verdict.risk_coverage import risk_coverage
from evaluation.reports.measure_bars import measure_bars
from evaluation.reports.models import Definition, Figure, Line, LineFigure, MatrixFigure, Table
from evaluation.tasks.verdict.measures import Judged

HEADLINE = (
    "accuracy",
    "statement_only_accuracy",
    "macro_f1",
    "statement_only_macro_f1",
    "pair_both_right",
    "pair_order",
)
_MOST_POINTS = 200

DEFINITIONS = tuple(
    Definition(name=name, definition=definition, source=source)
    for name, definition, source in (
        ("accuracy", "Share of claims with the right label.", ""),
        ("macro_f1", "Mean F1 over the labels that occur in the gold.", "As scikit-learn's f1_score."),
        ("f1_*", "2 TP / (2 TP + FP + FN) of one label; 0 where that is 0 / 0.", "As scikit-learn's f1_score."),
        (
            "accuracy_two_way",
            "Over the claims that are truly supported or refuted: the higher of both scores is right; a tie is half.",
            "",
        ),
        ("two_way_ties", "Share of these claims with equal scores, as where a system is silent.", ""),
        ("ece", "Mean |accuracy - confidence| over ten bins of the confidence.", "Guo et al., ICML 2017."),
        (
            "brier",
            "Squared distance of the probabilities from the truth, summed over labels; 2 is worst.",
            "Brier, 1950.",
        ),
        ("brier_right", "Mean squared distance of the confidence from being right (1) or not (0).", "Brier, 1950."),
        ("aurc", "Area under the risk-coverage curve.", "Geifman et al., ICLR 2019."),
        (
            "true_refuted",
            "Share of the supported claims that were called refuted: the worst error; lower is better.",
            "",
        ),
        ("false_verified", "Share of the refuted claims that were called supported; lower is better.", ""),
        (
            "pair_both_right",
            "Share of pairs of which every row has the right label.",
            "Gardner et al., Findings of EMNLP 2020.",
        ),
        (
            "pair_order",
            "Share of pairs in which the supported row has the higher score than the refuted one; ties count one half.",
            "",
        ),
        (
            "statement_only_*",
            "TF-IDF and logistic regression on the statement alone, cross-validated: what the wording gives away.",
            "",
        ),
        ("majority_accuracy", "Always the commonest label.", ""),
    )
)


def label_table(matrix: confusion.Counts, names: Sequence[str]) -> Table:
    """Write precision, recall and F1 of each label."""
    rows = [
        (one.label, one.precision, one.recall, one.f1, one.support) for one in confusion.label_scores(matrix, names)
    ]
    return Table(title="By label", columns=("label", "precision", "recall", "F1", "claims"), rows=tuple(rows))


def phenomenon_table(phenomena: Sequence[str], judged: Judged) -> tuple[Table, ...]:
    """
    Write the accuracy on each phenomenon, where the data names them.

    :param phenomena: Of each judged claim.
    """
    names = sorted({name for name in phenomena if name})
    right = judged.right
    rows = []
    for name in names:
        these = [bool(right[at]) for at, other in enumerate(phenomena) if other == name]
        rows.append((name, sum(these) / len(these), len(these)))
    note = "What a claim tests; after Ribeiro et al., ACL 2020 (CheckList)."
    table = Table(title="By phenomenon", columns=("phenomenon", "accuracy", "claims"), rows=tuple(rows), note=note)
    return (table,) if names else ()


def verdict_figures(
    judged: Judged, measures: dict[str, MeasureValue], matrix: confusion.Counts, names: Sequence[str]
) -> tuple[Figure, ...]:
    """Draw measures, confusion matrix, reliability and risk over coverage."""
    return (
        *measure_bars(measures, HEADLINE),
        MatrixFigure(
            title="Confusion matrix",
            rows=tuple(names),
            columns=tuple(names),
            counts=tuple(tuple(int(cell) for cell in row) for row in matrix),
            note="Rows add up to 100 %.",
        ),
        _reliability(judged),
        _risk(judged),
    )


def _reliability(judged: Judged) -> LineFigure:
    bins = reliability(judged.confidence, judged.right)
    return LineFigure(
        title="Reliability",
        x="confidence",
        y="share right",
        lines=(Line(label="this run", points=tuple((one.confidence, one.accuracy) for one in bins)),),
        diagonal=True,
        weights=tuple((one.confidence, one.share) for one in bins),
        note="On the dashed line, confidence is what it says. Bars: share of the claims in each bin.",
    )


def _risk(judged: Judged) -> LineFigure:
    points = risk_coverage(judged.confidence, judged.right)
    if len(points) > _MOST_POINTS:
        points = [points[at] for at in np.linspace(0, len(points) - 1, _MOST_POINTS).astype(int)]
    return LineFigure(
        title="Risk over coverage",
        x="coverage (most confident first)",
        y="share wrong",
        lines=(Line(label="this run", points=tuple(points)),),
        note="Error among the most confident claims, for each share of claims answered.",
    )
