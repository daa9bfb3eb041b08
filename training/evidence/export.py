"""From trained weights to the files of a model folder, and a check that the graph says what the network says."""

import shutil
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch

from core.errors import ModelError
from models.onnx_runtime import OnnxModel
from training.evidence.network import EvidenceNetwork
from training.evidence.tensors import Batch
from training.quantisation.activations import MASK, Feeds, Floats
from training.quantisation.attention_fusion import fuse_relative_attention
from training.quantisation.layer_norms import part_sums
from training.quantisation.onnx_files import OPSET, PLAIN, SMALL, fuse
from training.quantisation.quantise_int8 import write_eight_bits
from training.recipe import EncoderShape
from training.record import Parity

INPUTS = ("input_ids", MASK, "token_type_ids")
"""Of a BERT; an MPNet has the first two."""
OUTPUTS = ("span_logits", "relation_logits", "relevance_logit")
_EXAMPLE_SHAPE = (2, 16)
_TOLERANCE = 1e-3
_ENCODERS = {"bert": "/enc/encoder", "mpnet": "/enc"}
"""Where the layers of each family stand in the exported model."""


def export_network(
    network: EvidenceNetwork, shape: EncoderShape, folder: Path, *, tokenizer: Path, batches: Sequence[Batch]
) -> None:
    """
    Write `model.onnx` (8 bits), `model.fp32.onnx` and `tokenizer.json`.

    :param folder: Made if it is not there.
    :param batches: Show what the 8-bit weights will be multiplied with; none: they are rounded as they are.
    """
    folder.mkdir(parents=True, exist_ok=True)
    export_plain(network, shape, folder / PLAIN)
    feeds = [_feeds(batch, shape) for batch in batches]
    write_eight_bits(folder / PLAIN, folder / SMALL, feeds, encoder=_ENCODERS[shape.family], word_bits=shape.word_bits)
    shutil.copy(tokenizer, folder / "tokenizer.json")


def export_plain(network: EvidenceNetwork, shape: EncoderShape, file: Path) -> None:
    """
    Write the graph with 32-bit weights, operators fused.

    :param file: In a folder that is there.
    """
    network = network.cpu().float().eval()
    plain = file.with_name("unfused.onnx")
    example = torch.ones(_EXAMPLE_SHAPE, dtype=torch.long)
    axes = {0: "batch", 1: "tokens"}
    torch.onnx.export(
        network,
        (example, example, example),
        str(plain),
        input_names=list(INPUTS),
        output_names=list(OUTPUTS),
        dynamic_axes={
            **dict.fromkeys((*INPUTS, OUTPUTS[0]), axes),
            **{name: {0: "batch"} for name in OUTPUTS[1:]},
        },
        opset_version=OPSET,
        dynamo=False,
    )
    fuse(plain, file, heads=shape.heads, hidden=shape.hidden)
    if shape.family == "mpnet":
        fuse_relative_attention(file, encoder=_ENCODERS[shape.family], layers=shape.layers, heads=shape.heads)
    part_sums(file)
    plain.unlink()


def check_parity(network: EvidenceNetwork, shape: EncoderShape, folder: Path, batches: list[Batch]) -> Parity:
    """
    Compare the graphs of a folder with the network they were made of.

    :param shape: Of the network's encoder.
    :raises ModelError: If the 32-bit graph differs by more than rounding.
    """
    exact: list[Floats] = []
    plain: list[Floats] = []
    small: list[Floats] = []
    graphs = OnnxModel(folder / PLAIN), OnnxModel(folder / SMALL)
    for batch in batches:
        with torch.inference_mode():
            exact.append(network(batch.token_ids, batch.mask, batch.types)[1].softmax(-1).numpy())
        for graph, kept in zip(graphs, (plain, small), strict=True):
            kept.append(torch.from_numpy(graph.run(_feeds(batch, shape))[1]).softmax(-1).numpy())
    wanted, first, second = np.concatenate(exact), np.concatenate(plain), np.concatenate(small)
    parity = Parity(
        rows=len(wanted),
        fp32=float(np.abs(wanted - first).max()),
        int8=float(np.abs(wanted - second).mean()),
        int8_agrees=float((wanted.argmax(-1) == second.argmax(-1)).mean()),
    )
    if parity.fp32 > _TOLERANCE:
        raise ModelError(
            f"{folder / PLAIN} differs from the network by up to {parity.fp32:.2g}",
            field="model",
            hint="The exporter and the installed torch do not fit together; try another version of torch or onnx.",
        )
    return parity


def _feeds(batch: Batch, shape: EncoderShape) -> Feeds:
    names = INPUTS if shape.family == "bert" else INPUTS[:2]
    return dict(zip(names, (batch.token_ids.numpy(), batch.mask.numpy(), batch.types.numpy()), strict=False))
