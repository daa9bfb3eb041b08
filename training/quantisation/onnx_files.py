"""ONNX graphs for ONNX Runtime on the CPU: operators fused, weights as 8-bit integers."""

from collections.abc import Sequence
from pathlib import Path

import onnx
from onnx import NodeProto, helper
from onnxruntime.quantization import QuantType, quantize_dynamic
from onnxruntime.transformers.fusion_options import FusionOptions
from onnxruntime.transformers.optimizer import optimize_model

from core.errors import ModelError

OPSET = 17
PLAIN, SMALL = "model.fp32.onnx", "model.onnx"
"""File names: 32 and 8 bits."""
_ATTENTIONS = ("Attention", "MultiHeadAttention")
QUANTISED, SCALE, ZERO_POINT = "_quantized", "_scale", "_zero_point"
"""What ONNX Runtime's quantiser appends to the names of weights."""
FARTHEST = 127
"""The largest number that an 8-bit weight may have, so that the lowest is as far off."""


MPNET_ATTENTION = "{layer}/attention/qkv/MatMul"
"""Name of the product that makes query, key and value of an MPNet's layer."""


def fuse(source: Path, target: Path, *, heads: int = 12, hidden: int = 384) -> None:
    """
    Replace groups of operators by ONNX Runtime's own (attention, layer norm, GELU).

    :param heads: Attention heads of the BERT encoder in the graph.
    :param hidden: Width of its states.
    """
    options = FusionOptions("bert")
    options.enable_embed_layer_norm = False  # its 8-bit form loses more than it saves
    model = optimize_model(
        str(source), model_type="bert", num_heads=heads, hidden_size=hidden, optimization_options=options
    )
    model.save_model_to_file(str(target))


def quantise(source: Path, target: Path, *, exact: Sequence[str] = ()) -> None:
    """
    Store weights as 8-bit integers with one scale per channel.

    :param exact: Names of nodes that stay in 32 bits.
    """
    quantize_dynamic(
        str(source),
        str(target),
        per_channel=True,
        weight_type=QuantType.QInt8,
        op_types_to_quantize=["MatMul", "Attention", "Gather"],
        nodes_to_exclude=list(exact),
        extra_options={"DefaultTensorType": onnx.TensorProto.FLOAT},  # fused operators are unknown to shape inference
    )


def attention_products(graph: onnx.GraphProto, *, encoder: str) -> list[str]:
    """
    Name the node of each layer that multiplies states with the weights of query, key and value.

    :param encoder: Where the layers stand in the exported model, as in the names of its nodes.
    """
    return [
        f"Attention_{number}" if kind == "Attention" else MPNET_ATTENTION.format(layer=f"{encoder}/layer.{number}")
        for number, kind in enumerate(node.op_type for node in graph.node if node.op_type in _ATTENTIONS)
    ]


def make_named(kind: str, inputs: Sequence[str], name: str, *, domain: str = "") -> NodeProto:
    """Make a node whose output has its name."""
    return helper.make_node(kind, inputs, [name], name=name, domain=domain)


def named(graph: onnx.GraphProto, name: str) -> NodeProto:
    """
    Find a node by its name.

    :raises ModelError: If there is none.
    """
    return only([node for node in graph.node if node.name == name], name)


def only(found: Sequence[NodeProto], what: str) -> NodeProto:
    """
    Return the one node that was found.

    :param what: Says what was looked for.
    :raises ModelError: If there is none, or more than one.
    """
    if len(found) != 1:
        raise ModelError(
            f"the exported graph has no {what}",
            field="model",
            hint="Export with the versions of torch, transformers and onnxruntime that the extra [train] names.",
        )
    return found[0]
