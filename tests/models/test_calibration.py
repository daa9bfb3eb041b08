import json

import pytest

from core.errors import ModelError
from core.paths import MODELS
from models.calibration import UNCALIBRATED, load_calibration


def test_shipped_calibration_names_its_method_and_data():
    calibration = load_calibration(MODELS / "evidence-minilm-l6")
    assert calibration.method == "evidence-minilm-l6/1"
    assert "news_pairs" in calibration.fitted_on


def test_better_spans_and_ranks_are_likelier():
    calibration = load_calibration(MODELS / "evidence-minilm-l6")

    def probability(span_score, rank):
        return calibration.answer_probability(
            span_score=span_score, relevance=0.5, overlap=0.5, passage_overlap=0.5, rank=rank
        )

    assert probability(3, 0) > probability(0, 0) > probability(0, 5)


def test_relation_probabilities_sum_to_one_and_survive_huge_logits():
    assert sum(UNCALIBRATED.relation_probabilities((1e4, -1e4, 0.0))) == pytest.approx(1.0)
    extreme = UNCALIBRATED.answer_probability(span_score=1e9, relevance=1, overlap=0, passage_overlap=0, rank=0)
    assert extreme == pytest.approx(1.0)


def test_model_without_a_file_keeps_its_scores(tmp_path):
    assert load_calibration(tmp_path) is UNCALIBRATED


def test_broken_file_is_named(tmp_path):
    (tmp_path / "calibration.json").write_text(json.dumps({"method": "x"}))
    with pytest.raises(ModelError, match="no calibration"):
        load_calibration(tmp_path)
