"""The stance head: shapes, refusals, and that fitting finds a side that is there."""

import json

import numpy as np
import pytest

from core.errors import ModelError
from models.embedder import OnnxEmbedder
from models.stance import HEAD, Head, StanceHead, stance_features

DIMENSION = 4


def _embed(texts):
    """Put approval into the second number, the topic into the first."""
    raw = np.array([[1.0, ("good" in text) - ("bad" in text), 0.1, 0.1] for text in texts], dtype=np.float32)
    return raw / np.linalg.norm(raw, axis=1, keepdims=True)


def _write(folder, weights):
    (folder / HEAD).write_text(json.dumps(Head(embedder="x", intercept=0.0, weights=weights).model_dump()))


def test_features_are_the_text_the_product_and_what_the_text_adds():
    (row,) = stance_features(_embed, [("zoos", "zoos are good")])
    asked, said = _embed(["zoos"])[0], _embed(["zoos are good"])[0]
    assert row == pytest.approx(np.hstack([said, asked * said, _embed(["zoos zoos are good"])[0] - asked]))


def test_weights_make_a_probability(tmp_path):
    _write(tmp_path, (0.0, 5.0) + (0.0,) * (3 * DIMENSION - 2))
    good, bad, neither = StanceHead(_embed, tmp_path).probability_yes(
        [("zoos", "they are good"), ("zoos", "they are bad"), ("zoos", "they are")]
    )
    assert good > 0.9
    assert bad < 0.1
    assert neither == pytest.approx(0.5)
    assert StanceHead(_embed, tmp_path).probability_yes([]) == []


def test_another_embedder_is_refused(tmp_path):
    _write(tmp_path, (1.0, 2.0))
    with pytest.raises(ModelError, match="weighs 2 features, the embedder gives 12"):
        StanceHead(_embed, tmp_path).probability_yes([("a", "b")])


@pytest.mark.parametrize("text", ["", "[]", '{"weights": "x"}'])
def test_a_broken_head_is_refused(tmp_path, text):
    (tmp_path / HEAD).write_text(text)
    with pytest.raises(ModelError, match="cannot be used"):
        StanceHead(_embed, tmp_path).probability_yes([("a", "b")])


def test_the_shipped_head_tells_praise_from_blame():
    head = StanceHead(OnnxEmbedder(threads=1).embed)
    proposition = "Nuclear power should be expanded."
    praise, blame = head.probability_yes(
        [
            (proposition, "Nuclear power gives clean and reliable energy and should be supported."),
            (proposition, "Nuclear power is dangerous, expensive and must be stopped."),
        ]
    )
    assert praise > blame + 0.1


def test_fitting_finds_the_side_and_measures_it():
    pytest.importorskip("sklearn", reason="needs the extra [evaluation]")
    from training.stance_head import accuracy_by_coverage, fit, labels_of

    rows = [
        {"claim": "zoos", "perspective": f"they are {word} {number}", "label": label}
        for number in range(20)
        for word, label in (("good", "support"), ("bad", "undermine"))
    ]
    head = fit(rows, _embed, embedder="made")
    logits = stance_features(_embed, [(row["claim"], row["perspective"]) for row in rows]) @ np.array(head.weights)
    found = accuracy_by_coverage(list(1 / (1 + np.exp(-(logits + head.intercept)))), labels_of(rows))
    assert found[1.0][1] == 1.0
