import json

import pytest

from core.errors import ModelError
from core.paths import MODELS
from models.calibration import UNCALIBRATED, UNFITTED, RefutationWeights, load_calibration


def test_shipped_calibration_names_its_method_and_data():
    calibration = load_calibration(MODELS / "evidence-minilm-l6")
    assert calibration.method == "evidence-minilm-l6/10"
    assert "news_pairs" in calibration.answer.fitted_on
    assert "news_pairs" in calibration.relation.fitted_on


def test_better_spans_and_ranks_are_likelier():
    calibration = load_calibration(MODELS / "evidence-minilm-l6")
    features = dict.fromkeys(calibration.answer.weights, 0.0)

    def probability(span_score, rank):
        return calibration.answer_probability({**features, "span_score": span_score, "log_rank": rank})

    assert probability(3, 0) > probability(0, 0) > probability(0, 2)


def test_relation_probabilities_sum_to_one_and_survive_huge_logits():
    assert sum(UNCALIBRATED.relation_probabilities((1e4, -1e4, 0.0))) == pytest.approx(1.0)
    assert UNCALIBRATED.answer_probability({"span_score": 1e9}) == pytest.approx(1.0)


def test_the_first_article_found_refutes_likelier_than_later_ones():
    weights = RefutationWeights(intercept=-1.0, log_ratio=0.5, log_rank=-2.0)
    fitted = UNFITTED.model_copy(update={"refutation": weights})
    first = fitted.refuted(supports=0.01, refutes=0.9, rank=0)
    assert first == pytest.approx(0.7773, abs=1e-4)  # odds: exp(-1) * 90 ** 0.5
    assert fitted.refuted(supports=0.01, refutes=0.9, rank=1) == pytest.approx(0.4660, abs=1e-4)  # a quarter of them
    assert fitted.refuted(supports=0.3, refutes=0.6, rank=0) < first
    assert 0 < fitted.refuted(supports=1.0, refutes=0.0, rank=99) < fitted.refuted(supports=0.0, refutes=1.0, rank=0)


def test_without_weights_the_verifiers_probability_counts():
    assert UNFITTED.refuted(supports=0.1, refutes=0.8, rank=9) == 0.8


def test_a_feature_that_is_not_known_is_named():
    with pytest.raises(ModelError, match="span_score"):
        UNCALIBRATED.answer_probability({"log_rank": 0.0})


def test_model_without_a_file_keeps_its_scores(tmp_path):
    assert load_calibration(tmp_path) is UNCALIBRATED


def test_parameters_of_another_model_are_told():
    folder = MODELS / "evidence-minilm-l6"
    model = load_calibration(folder).answer.model
    assert load_calibration(folder, model=model).method == load_calibration(folder).method
    assert load_calibration(folder, model="other@0").method.endswith("fitted on another model: uncalibrated")


def test_broken_file_is_named(tmp_path):
    (tmp_path / "calibration.json").write_text(json.dumps({"method": "x"}))
    with pytest.raises(ModelError, match="not a calibration"):
        load_calibration(tmp_path)
