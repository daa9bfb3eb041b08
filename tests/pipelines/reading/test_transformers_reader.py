import json

import pytest
from haystack import Document

from core.errors import ConfigError, ModelError
from core.types import Article
from models.windows import MAX_TOKENS, OVERLAP_TOKENS
from pipelines.reading.transformers_reader import MAX_SPAN_WORDS, TransformersReader, open_reader

BODY = "The bridge over the Avon was opened on Tuesday by Mayor Ellen Marsh. It cost 48 million pounds. " * 8
ARTICLE = Article(
    article_id="a",
    url="https://example.org/a",
    headline="Bridge opened",
    body=BODY,
    first_seen_at="2020-01-01T00:00:00Z",
    source="Example",
    content_hash="0",
)


def tiny_roberta(folder):
    """Write a RoBERTa of a few thousand random weights, with a byte-level tokenizer, that no hub is asked for."""
    torch = pytest.importorskip("torch", reason="the [models] extra is not installed")
    pytest.importorskip(
        "haystack_integrations.components.readers.transformers", reason="the [models] extra is not installed"
    )
    from tokenizers.pre_tokenizers import ByteLevel
    from transformers import RobertaConfig, RobertaForQuestionAnswering, RobertaTokenizerFast

    specials = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    vocabulary = {token: index for index, token in enumerate([*specials, *sorted(ByteLevel.alphabet())])}
    (folder / "vocab.json").write_text(json.dumps(vocabulary))
    (folder / "merges.txt").write_text("#version: 0.2\n")
    tokenizer = RobertaTokenizerFast(
        vocab=str(folder / "vocab.json"), merges=str(folder / "merges.txt"), model_max_length=512
    )
    torch.manual_seed(7)
    config = RobertaConfig(
        vocab_size=len(vocabulary),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=514,
    )
    RobertaForQuestionAnswering(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return str(folder)


def document(text, start):
    meta = {"article_id": "a", "revision": 1, "headline": "Bridge opened", "start": start}
    return Document(id=f"p{start}", content=text, meta=meta)


@pytest.mark.torch
def test_tiny_model_gives_findings_whose_spans_stand_in_the_article(tmp_path):
    reader = TransformersReader(model=tiny_roberta(tmp_path))
    blank = document("", 0)
    passages = [blank, document(BODY[:300], 0), document("   ", 5), document(BODY[300:700], 300)]
    findings = reader.run("Who opened it?", passages, {passage.id: ARTICLE for passage in passages})["findings"]
    assert findings
    for finding in findings:
        digest = finding.digest
        assert BODY[digest.start : digest.end] == digest.span
        assert BODY[digest.sentence_start : digest.sentence_end] == digest.sentence
        assert 0 < len(digest.span.split()) <= MAX_SPAN_WORDS
        assert digest.probability + digest.no_answer_probability == pytest.approx(1.0)


@pytest.mark.torch
def test_long_texts_are_cut_as_the_shipped_reader_cuts_them(tmp_path):
    reader = open_reader(tiny_roberta(tmp_path), batch_size=2)
    assert (reader.max_seq_length, reader.stride) == (MAX_TOKENS, OVERLAP_TOKENS)


@pytest.mark.torch
def test_no_passages_give_no_findings(tmp_path):
    assert TransformersReader(model=tiny_roberta(tmp_path)).run("Who?", [], {}) == {"findings": []}


@pytest.mark.torch
def test_missing_model_is_named(tmp_path):
    tiny_roberta(tmp_path)
    with pytest.raises(ModelError, match="cannot be loaded"):
        open_reader(str(tmp_path / "absent"), batch_size=2)


def test_without_the_extra_the_error_names_it(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "haystack_integrations.components.readers.transformers", None)
    with pytest.raises(ConfigError, match="not installed") as caught:
        open_reader("any", batch_size=1)
    assert "looksy[models]" in caught.value.hint
