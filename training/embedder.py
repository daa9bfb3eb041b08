"""
The shipped embedder: published weights as 8-bit ONNX. `looksy models build all-minilm-l6-v2`.

The graph takes token ids and a mask and gives sentence vectors of unit length: mean pooling and normalisation are
inside. Operators are fused for ONNX Runtime on the CPU; weights are 8-bit integers, quantised per channel, and
activations are quantised as they come.
"""

import shutil
import tempfile
from pathlib import Path

import torch
from torch import Tensor, nn
from transformers import AutoModel

from training.files import TOKENIZER, require_hash, write_sums
from training.quantisation.onnx_files import OPSET, PLAIN, SMALL, fuse, quantise
from training.recipe import EmbedderRecipe

_EXAMPLE_SHAPE = (2, 16)


class SentenceEncoder(nn.Module):
    """
    BERT, mean over the tokens that are there, unit length.

    :param encoder: The transformer.
    """

    def __init__(self, encoder: nn.Module) -> None:
        super().__init__()
        self.encoder = encoder

    def forward(self, input_ids: Tensor, attention_mask: Tensor) -> Tensor:
        """
        Embed a batch.

        :param input_ids: Shape (batch, tokens).
        :param attention_mask: Shape (batch, tokens); 1 where there is a token.
        :returns: Shape (batch, dimensions), unit length.
        """
        types = torch.zeros_like(input_ids)
        states = self.encoder(input_ids=input_ids, attention_mask=attention_mask, token_type_ids=types)[0]
        there = attention_mask.unsqueeze(-1).to(states.dtype)  # (batch, tokens, 1)
        mean = (states * there).sum(1) / there.sum(1).clamp(min=1e-9)  # (batch, dimensions)
        return nn.functional.normalize(mean, dim=-1)


def export(weights: Path, target: Path) -> None:
    """
    Write the model as 32-bit ONNX.

    :param weights: Folder with `model.safetensors` and `config.json`.
    """
    encoder = AutoModel.from_pretrained(weights, attn_implementation="eager").eval()
    example = torch.ones(_EXAMPLE_SHAPE, dtype=torch.long)
    axes = {0: "batch", 1: "tokens"}
    torch.onnx.export(
        SentenceEncoder(encoder),
        (example, example),
        str(target),
        input_names=["input_ids", "attention_mask"],
        output_names=["embedding"],
        dynamic_axes={"input_ids": axes, "attention_mask": axes, "embedding": {0: "batch"}},
        opset_version=OPSET,
        dynamo=False,
    )


def build_embedder(recipe: EmbedderRecipe, folder: Path, *, base: Path) -> Path:
    """
    Write `model.onnx`, the 32-bit `model.fp32.onnx`, `tokenizer.json` and `SHA256SUMS`.

    :param base: `model.safetensors`, with `config.json` and `tokenizer.json` beside it.
    :returns: The folder `model` below `folder`.
    :raises ConfigError: If the weights are not the recipe's.
    """
    require_hash(base, recipe.base_sha256, field="base")
    target = folder / "model"
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        plain = Path(scratch) / "plain.onnx"
        export(base.parent, plain)
        fuse(plain, target / PLAIN)
    quantise(target / PLAIN, target / SMALL)
    shutil.copy(base.parent / TOKENIZER, target / TOKENIZER)
    write_sums(target, (SMALL, TOKENIZER))
    return target
