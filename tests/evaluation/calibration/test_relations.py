import shutil
from types import SimpleNamespace

import numpy as np
import pytest

from core.paths import MODELS
from evaluation.calibration import relation_readings
from evaluation.calibration import relations as relation_fit
from evaluation.calibration.relation_readings import LABELS, ReadPair, read_pairs, written_pairs
from evaluation.calibration.relations import fit_relations, scaled
from models.calibration import load_calibration
from tests.evaluation.calibration.test_answers import rows_of

ROW = {
    "id": "p1",
    "passage": "The bridge was opened in May by the mayor.",
    "mirror": "The bridge was opened in May by the governor.",
    "statements": [
        {"text": "The mayor opened the bridge.", "label": "supports", "mirror_label": "refutes"},
        {"text": "The governor opened the bridge.", "label": "refutes", "mirror_label": "supports"},
        {"text": "The bridge was costly.", "label": "neutral"},
    ],
    "split": "dev",
}


def made_pairs(count=900, scale=0.5):
    """Draw labels from the softmax of scaled logits: the scale and biases that a fit must find."""
    chance = np.random.default_rng(2)
    logits = chance.normal(scale=2.0, size=(count, 3))
    shares = scaled(logits[:, None], np.array([0.4, -0.3, scale]))
    gold = [chance.choice(3, p=share) for share in shares]
    return [
        ReadPair(group=f"g{number // 3}", label=int(label), logits=tuple(row))
        for number, (row, label) in enumerate(zip(logits, gold, strict=True))
    ]


def test_two_models_get_a_scale_each():
    chance = np.random.default_rng(5)
    logits = chance.normal(scale=2.0, size=(1500, 2, 3))
    shares = scaled(logits, np.array([0.2, -0.1, 0.9, 0.3]))
    pairs = [
        ReadPair(group=f"g{number}", label=int(chance.choice(3, p=share)), logits=tuple(judge), first=tuple(small))
        for number, ((judge, small), share) in enumerate(zip(logits, shares, strict=True))
    ]
    fitted = fit_relations(pairs, model="judge", packs=["made"])
    assert [fitted.scale, fitted.first] == pytest.approx([0.9, 0.3], abs=0.12)
    alone = fit_relations([pair.model_copy(update={"first": None}) for pair in pairs], model="judge", packs=["made"])
    assert alone.first == 0.0
    assert fitted.scores["nll"] < alone.scores["nll"]


def test_mirrors_turn_labels_and_training_parts_are_left_out(tmp_path):
    pack = rows_of(tmp_path / "pairs.jsonl.gz", [ROW, {**ROW, "split": "train"}])
    found = list(written_pairs([pack]))
    assert len(found) == 5
    by_world = {(statement, passage): label for _, label, statement, passage in found}
    assert by_world["The mayor opened the bridge.", ROW["passage"]] == LABELS["supports"]
    assert by_world["The mayor opened the bridge.", ROW["mirror"]] == LABELS["refutes"]


class CountingModel:
    """Fails after the given number of batches."""

    def __init__(self, batches):
        self.asked = 0
        self.batches = batches

    def read(self, pairs):
        if not self.batches:
            raise OSError("power cut")
        self.batches -= 1
        self.asked += len(pairs)
        return [SimpleNamespace(relation_logits=(float(len(passage)), 0.0, 0.0)) for _, passage in pairs]


def test_judging_goes_on_where_it_was_stopped(tmp_path, monkeypatch):
    monkeypatch.setattr(relation_readings, "BATCH", 2)
    pack, kept, model = rows_of(tmp_path / "pairs.jsonl.gz", [ROW]), tmp_path / "kept.jsonl", CountingModel(1)
    with pytest.raises(OSError, match="power cut"):
        read_pairs([pack], model, kept)
    model.batches = 10
    found = read_pairs([pack], model, kept)
    assert (len(found), model.asked) == (5, 5)
    assert found == read_pairs([pack], CountingModel(10), tmp_path / "anew.jsonl")
    assert read_pairs([pack], model, kept) == found
    assert model.asked == 5


def test_fit_finds_scale_and_biases():
    fitted = fit_relations(made_pairs(), model="made@1", packs=["made/pairs"])
    assert fitted.scale == pytest.approx(0.5, abs=0.1)
    assert fitted.supports == pytest.approx(0.4, abs=0.25)
    assert fitted.refutes == pytest.approx(-0.3, abs=0.25)
    assert fitted.scores["ece"] < 0.1
    assert "900 pairs" in fitted.fitted_on


def test_command_writes_relation_weights_and_leaves_the_rest(tmp_path):
    rows = [{**ROW, "id": f"p{number}"} for number in range(6)]
    pack = rows_of(tmp_path / "pairs.jsonl.gz", rows)
    model = tmp_path / "made-model"
    model.mkdir()
    for name in ("model.onnx", "tokenizer.json", "calibration.json"):
        shutil.copy(MODELS / "evidence-minilm-l6" / name, model / name)
    before = load_calibration(model)
    relation_fit.main(["--pairs", str(pack), "--work", str(tmp_path / "work"), "--model", str(model)])
    after = load_calibration(model)
    assert after.answer == before.answer
    assert after.relation.scores["pairs"] == 30
    assert after.relation != before.relation
