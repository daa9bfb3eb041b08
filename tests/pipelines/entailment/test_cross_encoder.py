import json

import pytest

from core.errors import ConfigError, ModelError
from pipelines.entailment.cross_encoder import CrossEncoderVerifier, label_indexes


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        ({0: "entailment", 1: "neutral", 2: "contradiction"}, {"supports": 0, "neither": 1, "refutes": 2}),
        ({0: "CONTRADICTION", 1: "ENTAILMENT", 2: "NEUTRAL"}, {"refutes": 0, "supports": 1, "neither": 2}),
        ({0: "SUPPORTS", 1: "REFUTES", 2: "NOT ENOUGH INFO"}, {"supports": 0, "refutes": 1, "neither": 2}),
        ({0: "entailment", 1: "not_entailment"}, {"supports": 0, "neither": 1}),
    ],
)
def test_labels_are_mapped_by_name(labels, expected):
    assert label_indexes(labels) == expected


def test_other_classifiers_are_refused():
    with pytest.raises(ModelError, match="not those of an entailment model"):
        label_indexes({0: "positive", 1: "negative"})


def test_without_the_extra_the_error_names_it(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "transformers", None)
    with pytest.raises(ConfigError, match="not installed"):
        CrossEncoderVerifier("any").load()


@pytest.mark.torch
def test_tiny_classifier_gives_distributions_by_label(tmp_path):
    torch = pytest.importorskip("torch", reason="the [models] extra is not installed")
    transformers = pytest.importorskip("transformers", reason="the [models] extra is not installed")
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *"abcdefghijklmnopqrstuvwxyz"]
    (tmp_path / "vocab.txt").write_text("\n".join(words))
    torch.manual_seed(3)
    config = transformers.BertConfig(
        vocab_size=len(words),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        id2label={0: "contradiction", 1: "entailment", 2: "neutral"},
        label2id={"contradiction": 0, "entailment": 1, "neutral": 2},
    )
    transformers.BertForSequenceClassification(config).save_pretrained(tmp_path)
    vocabulary = {word: index for index, word in enumerate(words)}
    transformers.BertTokenizerFast(vocab=vocabulary, model_max_length=128).save_pretrained(tmp_path)
    assert json.loads((tmp_path / "config.json").read_text())["id2label"]["1"] == "entailment"
    verifier = CrossEncoderVerifier(str(tmp_path), device="cpu")
    judged = verifier.judge([("a b", "c d e"), ("f", "g " * 500)])
    assert len(judged) == 2
    for judgement in judged:
        assert judgement.supports + judgement.refutes + judgement.neither == pytest.approx(1.0)
    assert verifier.judge([]) == []
