import json
from pathlib import Path

import numpy as np
import pytest

from core.errors import ConfigError, ModelError
from evaluation.measures.text.bertscore.library import LibraryScorer
from evaluation.measures.text.bertscore.scorer import open_scorer
from evaluation.measures.text.bertscore.shipped import ShippedScorer, greedy_f1
from models.embedder import SHIPPED_EMBEDDER, OnnxEmbedder
from models.onnx_runtime import OnnxModel

OUTSIDE = json.loads((Path(__file__).parent.parent / "data" / "bertscore.json").read_text())
"""Computed by bert-score with the published 32-bit weights of the shipped embedder."""


@pytest.fixture(scope="module")
def shipped():
    return ShippedScorer()


def test_greedy_matching_is_that_of_bert_score():
    # bert_score.utils.greedy_cos_idf on the same vectors, first and last token without weight.
    generator = np.random.default_rng(3)
    answer, reference = generator.normal(size=(5, 8)), generator.normal(size=(7, 8))
    assert greedy_f1(answer.astype(np.float32), reference.astype(np.float32)) == pytest.approx(0.4401995837688446)


@pytest.mark.parametrize("pair", OUTSIDE["pairs"], ids=lambda pair: pair["answer"][:20])
def test_the_shipped_weights_score_as_bert_score_does_with_them(shipped, pair):
    # What is left between them is the 8 bits.
    assert shipped.score(pair["answer"], pair["references"]) == pytest.approx(pair["f1"], abs=0.04)


def test_the_shipped_scores_rank_pairs_as_bert_score_does(shipped):
    ours = [shipped.score(pair["answer"], pair["references"]) for pair in OUTSIDE["pairs"]]
    theirs = [pair["f1"] for pair in OUTSIDE["pairs"]]
    assert np.corrcoef(ours, theirs)[0, 1] > 0.999


def test_token_vectors_are_those_that_the_embedding_is_the_mean_of(shipped):
    text = "Eighty-one people died in the flood."
    mean = shipped._states(text).mean(axis=0)
    embedding = OnnxEmbedder().embed([text])[0]
    assert float(mean @ embedding / np.linalg.norm(mean)) == pytest.approx(1.0, abs=1e-5)


def test_an_inner_tensor_that_is_not_there_is_told():
    with pytest.raises(ModelError, match="not an ONNX model"):
        OnnxModel(SHIPPED_EMBEDDER / "model.onnx", inner="nonsense").load()


@pytest.mark.parametrize("answer", ["", "  \n"])
def test_blank_answers_score_zero(shipped, answer):
    assert shipped.score(answer, ["x"]) == 0.0
    assert LibraryScorer("no-such-model").score(answer, ["x"]) == 0.0


def test_long_texts_are_cut_to_what_the_model_reads(shipped):
    long = "flood " * 3000
    assert shipped.score(long, [long]) == pytest.approx(1.0, abs=1e-4)


def test_the_best_reference_counts_and_blank_ones_do_not(shipped):
    assert shipped.score("The dam held.", ["Bread", "", "The dam held."]) == pytest.approx(1.0, abs=1e-4)
    assert shipped.score("The dam held.", ["", " "]) == 0.0


def test_models_are_chosen_by_name():
    assert open_scorer("none") is None
    assert isinstance(open_scorer("shipped"), ShippedScorer)
    assert open_scorer("some/folder").name == "folder (bert-score)"


def test_bertscore_names_its_extra_when_it_is_missing(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "bert_score", None)
    with pytest.raises(ConfigError) as caught:
        LibraryScorer("x").score("a", ["b"])
    assert "looksy[rag]" in caught.value.hint


@pytest.fixture
def random_model(tmp_path):
    """A Transformers model with random weights and a tokenizer that states no limit."""
    transformers = pytest.importorskip("transformers")
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_file=str(SHIPPED_EMBEDDER / "tokenizer.json"),
        cls_token="[CLS]", sep_token="[SEP]", pad_token="[PAD]", unk_token="[UNK]", mask_token="[MASK]",
    )  # fmt: skip
    config = transformers.BertConfig(
        vocab_size=len(tokenizer), hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=64
    )
    transformers.BertModel(config).save_pretrained(tmp_path)
    tokenizer.save_pretrained(tmp_path)
    return tmp_path


@pytest.mark.torch
def test_any_model_of_a_folder_scores_through_the_library(random_model):
    pytest.importorskip("bert_score")
    scorer = LibraryScorer(str(random_model))
    assert scorer.score("The dam held.", ["Bread", "The dam held."]) == pytest.approx(1.0, abs=1e-4)
    assert scorer.score("The dam held.", ["Nobody was hurt in Rome."]) < 0.99
    assert scorer.score("flood " * 3000, ["flood " * 3000]) == pytest.approx(1.0, abs=1e-3)


@pytest.mark.torch
def test_a_folder_without_a_model_is_told(tmp_path):
    pytest.importorskip("bert_score")
    (tmp_path / "config.json").write_text('{"model_type": "bert", "num_hidden_layers": 2}')
    with pytest.raises(ConfigError, match="cannot be loaded"):
        LibraryScorer(str(tmp_path)).score("a", ["b"])
