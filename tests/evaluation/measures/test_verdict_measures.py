import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics

from core.types import Status
from evaluation.data.formats.labels import Label
from evaluation.measures.claim_only_baseline import statement_only_labels
from evaluation.measures.verdict import confusion
from evaluation.measures.verdict.brier import brier, brier_right
from evaluation.measures.verdict.calibration import expected_calibration_error, reliability
from evaluation.measures.verdict.pairs import PairRow, both_right, in_order
from evaluation.measures.verdict.risk_coverage import area_under_risk_coverage, risk_coverage
from evaluation.runs.models import Prediction
from evaluation.tasks.verdict.task import VerdictItem, VerdictOutput, score_verdicts

GENERATOR = np.random.default_rng(11)
GOLD, PREDICTED = GENERATOR.integers(0, 3, 200), GENERATOR.integers(0, 3, 200)


def test_f1_and_accuracy_equal_those_of_scikit_learn():
    matrix = confusion.count(GOLD, PREDICTED, labels=3)
    assert matrix.tolist() == metrics.confusion_matrix(GOLD, PREDICTED).tolist()
    assert confusion.accuracy(matrix) == pytest.approx(metrics.accuracy_score(GOLD, PREDICTED))
    assert confusion.macro_f1(matrix) == pytest.approx(metrics.f1_score(GOLD, PREDICTED, average="macro"))
    ours = confusion.label_scores(matrix, ["a", "b", "c"])
    precision, recall, f1, support = metrics.precision_recall_fscore_support(GOLD, PREDICTED)
    assert [one.precision for one in ours] == pytest.approx(precision)
    assert [one.recall for one in ours] == pytest.approx(recall)
    assert [one.f1 for one in ours] == pytest.approx(f1)
    assert [one.support for one in ours] == support.tolist()


def test_a_label_that_is_only_predicted_does_not_enter_macro_f1():
    matrix = confusion.count([0, 0, 1], [0, 2, 1], labels=3)
    assert confusion.macro_f1(matrix) == pytest.approx(
        metrics.f1_score([0, 0, 1], [0, 2, 1], labels=[0, 1], average="macro")
    )


def test_brier_equals_that_of_scikit_learn_for_two_labels():
    p = GENERATOR.random(50)
    gold = GENERATOR.integers(0, 2, 50)
    outside = metrics.brier_score_loss(gold, p)
    assert brier(np.stack([1 - p, p], axis=1), gold).mean() == pytest.approx(2 * outside)
    assert brier_right(p, gold.astype(bool)).mean() == pytest.approx(outside)


def test_calibration_error_by_hand():
    # Two bins: (0.9, 0.9, right, wrong) and (0.3, wrong): 2/3 * |0.5 - 0.9| + 1/3 * |0 - 0.3|.
    confidence, right = np.array([0.9, 0.9, 0.3]), np.array([True, False, False])
    assert expected_calibration_error(confidence, right) == pytest.approx(2 / 3 * 0.4 + 1 / 3 * 0.3)
    assert [one.count for one in reliability(np.array([0.0, 0.1, 0.1000001, 1.0]), np.ones(4, dtype=bool))] == [2, 1, 1]


def test_risk_coverage_by_hand():
    confidence, right = np.array([0.9, 0.5, 0.7, 0.5]), np.array([True, False, False, True])
    assert risk_coverage(confidence, right) == [(0.25, 0.0), (0.5, 0.5), (1.0, 0.5)]
    assert area_under_risk_coverage(confidence, right) == pytest.approx(0.25 * 0 + 0.25 * 0.5 + 0.5 * 0.5)


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=30), st.randoms())
def test_calibration_does_not_depend_on_the_order_of_items(rows, shuffler):
    mixed = rows[:]
    shuffler.shuffle(mixed)
    for measure in (expected_calibration_error, area_under_risk_coverage):
        one, two = (
            measure(np.array([c for c, _ in part]), np.array([r for _, r in part], dtype=bool))
            for part in (rows, mixed)
        )
        assert one == pytest.approx(two)
        assert -1e-9 <= one <= 1 + 1e-9


def test_pairs_by_hand():
    rows = [
        PairRow(pair="a", right=True, side=1, score=2.0),
        PairRow(pair="a", right=True, side=-1, score=-1.0),
        PairRow(pair="b", right=True, side=1, score=0.5),
        PairRow(pair="b", right=False, side=-1, score=0.5),
        PairRow(pair="c", right=True, side=1, score=1.0),
        PairRow(pair="d", right=False, side=1, score=0.0),
        PairRow(pair="d", right=False, side=-1, score=3.0),
    ]
    assert both_right(rows) == {"a": 1.0, "b": 0.0, "d": 0.0}
    assert in_order(rows) == {"a": 1.0, "b": 0.5, "d": 0.0}


def test_wording_that_betrays_the_label_is_noticed_and_other_wording_is_not():
    telling = [f"{'surely not' if n % 2 else 'indeed'} thing {n}" for n in range(60)]
    labels = ["refutes" if n % 2 else "supports" for n in range(60)]
    right = [a == b for a, b in zip(statement_only_labels(telling, labels, [None] * 60), labels, strict=True)]
    assert sum(right) / 60 > 0.95
    # The same statement under both labels: whatever is guessed, half is wrong.
    twins = [f"statement number {n // 2}" for n in range(60)]
    right = [a == b for a, b in zip(statement_only_labels(twins, labels, [None] * 60), labels, strict=True)]
    assert sum(right) / 60 == 0.5


@pytest.mark.parametrize("texts", ["abcdefghi", ["\U0001f600" * n for n in range(1, 10)]])
def test_statements_without_words_get_the_commonest_label(texts):
    labels = ["x", "y", "x"] * 3
    assert statement_only_labels(list(texts), labels, [None] * 9) == ["x"] * 9


def test_a_rare_label_warns_nobody(recwarn):
    labels = ["x"] * 9 + ["y"]
    assert len(statement_only_labels([f"statement {n}" for n in range(10)], labels, [None] * 10)) == 10
    assert not recwarn.list


def test_the_baseline_needs_two_labels():
    assert statement_only_labels(["a", "b"], ["x", "x"], [None, None]) is None


def judged(name, gold, given, confidence=0.8, *, pair=None, score=None):
    item = VerdictItem(id=name, text=f"claim {name}", label=gold, pair=pair)
    signed = {Label.SUPPORTS: 1.0, Label.REFUTES: -1.0}.get(given, 0.0) if score is None else score
    return item, Prediction[VerdictOutput](
        id=name, status=Status.OK, output=VerdictOutput(label=given, confidence=confidence, score=signed)
    )


def test_failures_are_neither_right_nor_wrong():
    rows = [judged("a", Label.SUPPORTS, Label.SUPPORTS), judged("b", Label.REFUTES, Label.SUPPORTS)]
    lost = VerdictItem(id="c", text="claim c", label=Label.REFUTES)
    failed = Prediction[VerdictOutput](id="c", status=Status.FAILED)
    scores = score_verdicts([*(item for item, _ in rows), lost], [*(one for _, one in rows), failed])
    assert (scores.measures["accuracy"].value, scores.measures["accuracy"].n) == (0.5, 2)
    assert set(scores.per_item) == {"a", "b"}
    assert [detail.failed for detail in scores.details] == [False, False, True]


def test_the_interval_of_a_rare_labels_f1_leaves_out_draws_without_it():
    rows = [
        judged(f"{at}", Label.REFUTES if at < 2 else Label.SUPPORTS, Label.REFUTES if at < 2 else Label.SUPPORTS)
        for at in range(40)
    ]
    measures = score_verdicts(*zip(*rows, strict=True)).measures
    assert measures["f1_refutes"] == measures["macro_f1"]  # all are right: nothing that is drawn can be wrong
    assert (measures["f1_refutes"].low, measures["f1_refutes"].high) == (1.0, 1.0)


def test_pairs_reach_the_report():
    rows = [
        judged("a", Label.SUPPORTS, Label.SUPPORTS, pair="p"),
        judged("b", Label.REFUTES, Label.NEITHER, pair="p", score=-0.2),
    ]
    scores = score_verdicts([item for item, _ in rows], [one for _, one in rows])
    assert scores.measures["pair_both_right"].value == 0.0
    assert scores.measures["pair_order"].value == 1.0
    assert scores.measures["accuracy_two_way"].value == 1.0


def test_silence_decides_nothing_between_two_ways():
    rows = [
        judged("a", Label.SUPPORTS, Label.NEITHER),
        judged("b", Label.REFUTES, Label.NEITHER),
        judged("c", Label.REFUTES, Label.NEITHER),
        judged("d", Label.REFUTES, Label.REFUTES),
    ]
    scores = score_verdicts([item for item, _ in rows], [one for _, one in rows])
    assert scores.measures["accuracy_two_way"].value == pytest.approx((3 * 0.5 + 1) / 4)
    assert scores.measures["two_way_ties"].value == 0.75


def test_true_claims_called_refuted_are_measured_apart():
    given = [Label.SUPPORTS, Label.REFUTES, Label.NEITHER, Label.CONFLICTING]
    rows = [judged(str(number), Label.SUPPORTS, label) for number, label in enumerate(given)]
    rows.append(judged("false", Label.REFUTES, Label.REFUTES))
    scores = score_verdicts([item for item, _ in rows], [one for _, one in rows])
    assert (scores.measures["true_refuted"].value, scores.measures["true_refuted"].n) == (0.25, 4)
    assert (scores.measures["false_verified"].value, scores.measures["false_verified"].n) == (0.0, 1)


def test_false_claims_called_supported_are_measured_apart():
    given = [Label.SUPPORTS, Label.REFUTES, Label.NEITHER, Label.CONFLICTING]
    rows = [judged(str(number), Label.REFUTES, label) for number, label in enumerate(given)]
    scores = score_verdicts([item for item, _ in rows], [one for _, one in rows])
    assert (scores.measures["false_verified"].value, scores.measures["false_verified"].n) == (0.25, 4)
    assert "true_refuted" not in scores.measures


def test_phenomena_have_a_table_where_the_data_names_them():
    rows = [judged(str(number), Label.REFUTES, label) for number, label in enumerate([Label.REFUTES, Label.SUPPORTS])]
    items = [item.model_copy(update={"phenomenon": "number"}) for item, _ in rows]
    assert [table.title for table in score_verdicts(items, [one for _, one in rows]).tables] == [
        "By label",
        "By phenomenon",
    ]
    assert score_verdicts(items, [one for _, one in rows]).tables[1].rows == (("number", 0.5, 2),)
    assert len(score_verdicts([item for item, _ in rows], [one for _, one in rows]).tables) == 1


def test_no_items_give_no_figures():
    scores = score_verdicts([], [])
    assert scores.measures["accuracy"].value is None
