"""One question answering model in two forms: for Haystack's reader, and for ours. Needs the extra [train]."""

import tempfile
from collections.abc import Sequence
from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import Tensor, nn
from transformers import (
    AutoModelForQuestionAnswering,
    AutoTokenizer,
    BertConfig,
    BertForQuestionAnswering,
    PreTrainedTokenizerFast,
)

from core.paths import MODELS
from training.quantisation.onnx_files import OPSET, fuse
from training.quantisation.quantise_int8 import write_eight_bits

TOKENIZER = MODELS / "evidence-minilm-l6" / "tokenizer.json"
_SHAPE = {
    "vocab_size": 30_522,
    "hidden_size": 384,
    "num_hidden_layers": 6,
    "num_attention_heads": 12,
    "intermediate_size": 1_536,
    "max_position_embeddings": 512,
}
"""Of all-MiniLM-L6-v2, as `training.quantisation.onnx_files.fuse` expects it."""
_EXAMPLE_SHAPE = (2, 16)


def write_model(folder: Path, *, weights: Path | None = None, base: Path | None = None, seed: int = 7) -> None:
    """
    Write a BERT of the shipped reader's shape, with its tokenizer, as transformers reads it.

    :param weights: `weights.safetensors` of an evidence model (`enc.*`, `span.*`); None: random weights, on which all
        speeds are the same and no answer is right.
    :param base: Folder of all-MiniLM-L6-v2 (`model.safetensors`), whose word embeddings such a file leaves out.
    """
    torch.manual_seed(seed)
    model = BertForQuestionAnswering(BertConfig(**_SHAPE))
    if weights is not None and base is not None:
        trained = load_file(weights)
        state = {f"bert.{name.removeprefix('enc.')}": value for name, value in trained.items() if name[:4] == "enc."}
        words = load_file(base / "model.safetensors")["embeddings.word_embeddings.weight"]
        state |= {"bert.embeddings.word_embeddings.weight": words}
        state |= {f"qa_outputs.{part}": trained[f"span.{part}"] for part in ("weight", "bias")}
        model.load_state_dict({name: value.float() for name, value in state.items()})
    model.save_pretrained(folder)
    PreTrainedTokenizerFast(
        tokenizer_file=str(TOKENIZER),
        model_max_length=512,
        cls_token="[CLS]",
        sep_token="[SEP]",
        pad_token="[PAD]",
        unk_token="[UNK]",
        model_input_names=["input_ids", "token_type_ids", "attention_mask"],
    ).save_pretrained(folder)


class _ThreeHeads(nn.Module):
    """A question answering model with the outputs of an evidence model: relation and relevance are zero."""

    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        self.model = model

    def forward(self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor) -> tuple[Tensor, ...]:
        found = self.model(input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids)
        spans = torch.stack([found.start_logits, found.end_logits], dim=-1)  # (batch, tokens, 2)
        nothing = spans[:, 0, 0] * 0.0  # (batch,)
        return spans, torch.stack([nothing, nothing, nothing], dim=-1), nothing


def export_model(folder: Path, plain: Path, small: Path, *, texts: Sequence[tuple[str, str]]) -> None:
    """
    Write the model for our reader, as `training.evidence.export` does.

    :param folder: As `write_model` left it.
    :param plain: Folder for 32-bit weights.
    :param small: Folder for 8-bit weights.
    :param texts: Questions with passages, to make the 8-bit weights by.
    """
    reader = AutoModelForQuestionAnswering.from_pretrained(folder, attn_implementation="eager")
    model = _ThreeHeads(reader).eval()
    example = torch.ones(_EXAMPLE_SHAPE, dtype=torch.long)
    inputs = ["input_ids", "attention_mask", "token_type_ids"]
    outputs = ["span_logits", "relation_logits", "relevance_logit"]
    axes = {name: {0: "batch", 1: "tokens"} for name in [*inputs, "span_logits"]}
    for target in (plain, small):
        target.mkdir(parents=True, exist_ok=True)
        (target / "tokenizer.json").write_bytes(TOKENIZER.read_bytes())
    with tempfile.TemporaryDirectory() as scratch:
        exported = Path(scratch) / "exported.onnx"
        torch.onnx.export(
            model,
            (example, example, example),
            str(exported),
            input_names=inputs,
            output_names=outputs,
            dynamic_axes=axes | {name: {0: "batch"} for name in outputs[1:]},
            opset_version=OPSET,
            dynamo=False,
        )
        fuse(exported, plain / "model.onnx")
    questions, passages = map(list, zip(*texts, strict=True))
    shown = AutoTokenizer.from_pretrained(folder)(
        questions, passages, truncation=True, padding=True, return_tensors="np"
    )
    write_eight_bits(plain / "model.onnx", small / "model.onnx", [dict(shown)], encoder="/model/bert/encoder")
