import math

import numpy as np
import pytest

from core.errors import ModelError
from evaluation.measures.stats.clustered import clustered_mean
from evaluation.tasks.counter.measures import ranking_figures
from models.calibration import UNCALIBRATED
from models.evidence import EvidenceReading
from training.data.examples import NEITHER, REFUTES, SUPPORTS, Example, Group
from training.data.sources.questions import NO_ANSWER
from training.measure import counterfactual_passages as mirrors
from training.measure import minimal_pairs as twins
from training.measure import questions, speed, statements
from training.measure.readings import spread


def reading(supports=0.0, refutes=0.0, neither=0.0, span=(0, 0), score=0.0):
    return EvidenceReading(
        start=span[0],
        end=span[1],
        span_score=score,
        span_logit=score,
        no_answer_logit=0,
        supports=1 / 3,
        refutes=1 / 3,
        neither=1 / 3,
        relation_logits=(supports, refutes, neither),
        relevance=0.5,
    )


class Reader:
    """Reads by a function of query and passage."""

    def __init__(self, read):
        self.one = read

    def read(self, pairs):
        return [self.one(query, passage) for query, passage in pairs]


def turning(number):
    return Group(
        (
            Example(f"statement {number}", f"yes {number}", relation=SUPPORTS),
            Example(f"statement {number}", f"no {number}", relation=REFUTES),
        )
    )


@pytest.fixture
def groups(monkeypatch):
    given = [turning(number) for number in range(20)]
    given += [Group((Example(f"other {number}", f"yes {number}", relation=NEITHER),)) for number in range(10)]
    monkeypatch.setattr(mirrors, "mirror_groups", lambda *rest, **options: given)
    return given


def figures(read, tmp_path):
    return mirrors.measure_mirrors(Reader(read), UNCALIBRATED, tmp_path, limit=0, say=lambda line: None)


def test_a_reader_of_passages_gets_mirrors_right(groups, tmp_path):
    found = figures(lambda query, passage: reading(supports=1.0 if "yes" in passage else -1.0), tmp_path)
    assert found["news_pairs dev mirrors, both right"].value == 1.0
    assert found["news_pairs dev mirrors, order"].value == 1.0
    assert found["news_pairs dev mirrors, order"].n == 20


def test_a_reader_of_statements_only_gets_no_mirror_right(groups, tmp_path):
    found = figures(lambda query, passage: reading(supports=float(hash(query) % 7) - 3), tmp_path)
    assert found["news_pairs dev mirrors, both right"].value == 0.0
    assert found["news_pairs dev mirrors, order"].value == 0.5


def test_the_right_order_does_not_need_the_right_threshold(groups, tmp_path):
    found = figures(lambda query, passage: reading(supports=5.0 if "yes" in passage else 4.0), tmp_path)
    assert found["news_pairs dev mirrors, both right"].value == 0.0
    assert found["news_pairs dev mirrors, order"].value == 1.0


def test_calibration_error_of_a_sure_and_half_right_reader(groups, tmp_path):
    found = figures(lambda query, passage: reading(supports=20.0), tmp_path)
    ece = found["news_pairs dev, ECE of the calibrated relation"]
    assert ece.value == pytest.approx(1 - 20 / 50, abs=1e-6)
    assert ece.n == 50


def test_twins_are_paired_and_all_statements_judged(monkeypatch, tmp_path):
    told = [
        Group(
            (Example(f"so {n}", f"part {n}", relation=SUPPORTS), Example(f"not so {n}", f"part {n}", relation=REFUTES))
        )
        for n in range(10)
    ]
    told += [Group((Example(f"perhaps {n}", f"part {n}", relation=NEITHER),)) for n in range(10)]
    apart = [Group((Example(f"so {n}", f"other {n}", relation=NEITHER),)) for n in range(8)]
    monkeypatch.setattr(
        twins, "twin_groups", lambda *rest, elsewhere, **options: told + apart if elsewhere else list(told)
    )
    grid = Group(
        (
            Example("so", "part", relation=SUPPORTS),
            Example("not so", "part", relation=REFUTES),
            Example("so", "turned", relation=REFUTES),
            Example("not so", "turned", relation=SUPPORTS),
        )
    )
    monkeypatch.setattr(twins, "grid_groups", lambda *rest, **options: [grid])
    read = Reader(
        lambda query, passage: reading(
            supports=-1.0 if query.startswith("not") else 1.0,
            refutes=3.0 if (query, passage) == ("so", "turned") else 0.0,
        )
    )
    found = twins.measure_twins(read, tmp_path, limit=0, say=lambda line: None)
    assert found["retold_news dev twins, both right"].value == 1.0
    assert found["retold_news dev twins, order"].n == 10
    assert found["retold_news dev, given the passage (three-way)"].value == pytest.approx(20 / 30)
    assert found["retold_news dev, elsewhere in the article (three-way)"].value == 0.0
    assert found["retold_news dev, elsewhere in the article (three-way)"].n == 8
    assert found["retold_news dev mirrors, both right"].value == 0.5  # of two statements of one grid
    assert found["retold_news dev mirrors, both right"].n == 2


def test_statement_sets_are_scored_with_their_labels(monkeypatch, tmp_path):
    rows = [
        Example(f"c{n}", f"{'yes' if n % 2 else 'no'} {n}", relation=SUPPORTS if n % 2 else REFUTES) for n in range(10)
    ]
    monkeypatch.setattr(statements, "statement_groups", lambda *rest, **options: [Group((row,)) for row in rows])
    read = Reader(lambda query, passage: reading(supports=1.0 if "yes" in passage else -1.0, neither=9.0))
    found = statements.measure_statements(read, tmp_path, limit=0, say=lambda line: None)
    assert found["FEVER development fold 9, two-way"].value == 1.0  # neither is not asked for
    assert found["Check-COVID test, three-way"].value == 0.0
    assert found["Check-COVID test, macro-F1"].value == 0.0


def test_macro_f1_by_hand():
    labels, given = np.array([0, 0, 1, 2]), np.array([0, 1, 1, 0])
    assert statements.macro_f1(labels, given) == pytest.approx((0.5 + 2 / 3 + 0) / 3)


def test_questions_use_the_threshold_of_other_passages(monkeypatch, tmp_path):
    answered = [Example(f"who {n}?", f"Anna came {n}.", span=(0, 4)) for n in range(12)]
    without = [Example(f"who {n}?", f"Nobody came {n}.", span=NO_ANSWER) for n in range(12)]
    pairs = [Group((example,)) for both in zip(answered, without, strict=True) for example in both]
    monkeypatch.setattr(questions, "squad_groups", lambda *rest, **options: pairs)
    monkeypatch.setattr(questions, "written_groups", lambda *rest, **options: pairs[:4])
    read = Reader(lambda query, passage: reading(span=(0, 4), score=2.0 if "Anna" in passage else 1.0))
    found = questions.measure_questions(read, tmp_path, limit=0, say=lambda line: None)
    assert found["SQuAD, held-out titles, F1 where there is an answer"].value == 1.0
    assert found["SQuAD, held-out titles, F1 overall, threshold from other passages"].n == 24
    assert found["SQuAD, held-out titles, F1 overall, threshold from other passages"].value == 1.0
    assert found["written questions, dev, exact where there is an answer"].n == 2


def test_no_passage_has_a_say_in_its_own_threshold(monkeypatch, tmp_path):
    answered = Example("who?", "Anna came.", span=(0, 4))
    without = [Example(f"who {n}?", f"Nobody came {n}.", span=NO_ANSWER) for n in range(11)]
    groups = [Group((example,)) for example in (answered, *without)]
    monkeypatch.setattr(questions, "squad_groups", lambda *rest, **options: groups)
    monkeypatch.setattr(questions, "written_groups", lambda *rest, **options: groups)
    read = Reader(lambda query, passage: reading(span=(0, 4), score=-5.0 if "Anna" in passage else -9.0))
    found = questions.measure_questions(read, tmp_path, limit=0, say=lambda line: None)
    overall = found["SQuAD, held-out titles, F1 overall, threshold from other passages"]
    assert overall.value == pytest.approx(11 / 12)  # from -5 on would be right for all, and only Anna's passage says so


def test_clusters_widen_the_interval():
    values = [float(number % 2) for number in range(100)]
    alone = clustered_mean(values, list(range(100)))
    pairs = clustered_mean(values, [0 if value else 1 for value in values])
    assert alone.value == pairs.value == 0.5
    assert alone.n == pairs.n == 100
    assert pairs.high - pairs.low > alone.high - alone.low
    assert not math.isnan(alone.low)


def test_spread_keeps_order_and_takes_from_everywhere():
    assert spread(range(10), 5) == [0, 2, 4, 6, 8]
    assert spread(range(3), 5) == spread(range(3), 0) == [0, 1, 2]


class Graph:
    """Stands for the ONNX model."""

    def __init__(self, file, *, threads):
        self.file = file

    def run(self, feeds):
        return []


@pytest.fixture
def weights(monkeypatch, tmp_path):
    monkeypatch.setattr(speed, "OnnxModel", Graph)
    monkeypatch.setattr(speed, "_ROUNDS", 1)
    file = tmp_path / "weights.safetensors"
    file.write_bytes(b"")
    return file


def test_weights_of_another_shape_cost_the_comparison_alone(monkeypatch, weights):
    def refuse(*_):
        raise ModelError("weights of another shape")

    monkeypatch.setattr(speed, "_NEEDED", ())
    monkeypatch.setattr(speed, "_torch_run", refuse)
    said = []
    assert list(speed.measure_speed(weights.parent, say=said.append)) == ["passages of 200 tokens a second, int8"]
    assert said == ["no comparison with 32-bit torch: weights of another shape"]


@pytest.mark.torch
def test_the_comparison_needs_no_base_package(monkeypatch, weights):
    pytest.importorskip("torch", reason="torch is not installed (extra [train])")
    for library in ("onnx", "safetensors", "transformers"):
        pytest.importorskip(library, reason=f"{library} is not installed (extra [train])")
    from training import files
    from training.evidence.network import EvidenceNetwork, save_trained
    from training.recipe import EncoderShape

    monkeypatch.setattr(files, "BASE_PACKAGE", "not_installed")
    save_trained(EvidenceNetwork(EncoderShape()).state_dict(), weights)
    assert len(speed.measure_speed(weights.parent)) == 2


def test_ranking_figures_by_hand():
    scores = np.array([[3.0, 2.0, 1.0], [1.0, 2.0, 3.0], [1.0, 1.0, 0.0]], dtype=np.float32)
    found = ranking_figures(scores, np.array([0, 1, 0]))  # ranks 1, 2, and 2 by the tie
    assert found["N@1"].value == pytest.approx(1 / 3)
    assert found["N@3"].value == pytest.approx((1 + 2 / math.log2(3)) / 3)
    assert found["R@3"].value == 1.0
