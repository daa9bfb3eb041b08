"""
MPNet's attention as two of ONNX Runtime's operators: one product for query, key and value, and the attention itself.

ONNX Runtime's own fusion knows BERT's attention. MPNet adds a bias to the logits that depends on how far two tokens are
apart, which the operator `MultiHeadAttention` takes as an input.
"""

from pathlib import Path

import numpy as np
import onnx
from onnx import NodeProto, TensorProto, helper, numpy_helper

from training.quantisation.activations import MASK
from training.quantisation.onnx_files import MPNET_ATTENTION, make_named, named, only

DOMAIN = "com.microsoft"
_PARTS = ("q", "k", "v")
_WHOLE_MASK = "attention_mask_32"


def fuse_relative_attention(file: Path, *, encoder: str, layers: int, heads: int) -> None:
    """
    Rewrite a graph in place; it gives the same, up to rounding.

    :param file: A graph of an MPNet with 32-bit weights, in which sums before layer norms may be fused.
    :param encoder: Where the layers stand in the exported model, as in the names of its nodes.
    :raises ModelError: If the graph is not built as expected.
    """
    model = onnx.load(str(file))
    graph = model.graph
    bias = _relative_bias(graph, f"{encoder}/layer.0/attention/attn")
    cast = helper.make_node("Cast", [MASK], [_WHOLE_MASK], name=_WHOLE_MASK, to=TensorProto.INT32)
    graph.node.insert(0, cast)
    for number in range(layers):
        _fuse_layer(graph, f"{encoder}/layer.{number}", bias, heads=heads)
    _prune(graph)
    if DOMAIN not in {one.domain for one in model.opset_import}:
        model.opset_import.append(helper.make_opsetid(DOMAIN, 1))
    _sort(graph)
    onnx.save(model, str(file))


def _relative_bias(graph: onnx.GraphProto, attention: str) -> str:
    """Return the name of the bias, (1, heads, tokens, tokens), which is added to the padding's and then to logits."""
    added = named(graph, f"{attention}/Add").input[1]
    return str(only([node for node in graph.node if added in node.output], added).input[0])


def _fuse_layer(graph: onnx.GraphProto, layer: str, bias: str, *, heads: int) -> None:
    own = f"{layer}/attention/attn"
    products = [named(graph, f"{own}/{part}/MatMul") for part in _PARTS]
    weights = np.concatenate([_stored(graph, node.input[1]) for node in products], axis=1)  # (hidden, 3 * hidden)
    shifts = np.concatenate([_shift(graph, named(graph, f"{own}/{part}/Add")) for part in _PARTS])
    name, output = MPNET_ATTENTION.format(layer=layer), named(graph, f"{own}/o/MatMul").input[0]
    graph.initializer.append(numpy_helper.from_array(weights, f"{layer}/attention/qkv/weights"))
    graph.initializer.append(numpy_helper.from_array(shifts, f"{layer}/attention/qkv/bias"))
    parts = [f"{layer}/attention/qkv/{part}" for part in _PARTS]
    maker = only([node for node in graph.node if output in node.output], output)
    maker.output[0] = f"{output}_unfused"
    graph.node.extend(
        [
            make_named("MatMul", [products[0].input[0], f"{layer}/attention/qkv/weights"], name),
            helper.make_node("Split", [name], parts, name=f"{layer}/attention/qkv/Split", axis=-1),
            helper.make_node(
                "MultiHeadAttention",
                [*parts, f"{layer}/attention/qkv/bias", _WHOLE_MASK, bias],
                [output],
                name=f"{layer}/attention/MultiHeadAttention",
                domain=DOMAIN,
                num_heads=heads,
            ),
        ]
    )


def _shift(graph: onnx.GraphProto, node: NodeProto) -> np.ndarray:
    names = {one.name for one in graph.initializer}
    return _stored(graph, only([name for name in node.input if name in names], f"bias of {node.name}"))


def _stored(graph: onnx.GraphProto, name: str) -> np.ndarray:
    return np.asarray(numpy_helper.to_array(next(one for one in graph.initializer if one.name == name)))


def _prune(graph: onnx.GraphProto) -> None:
    """Remove nodes whose outputs nobody reads, and weights likewise."""
    wanted = {one.name for one in graph.output}
    while True:
        read = wanted | {name for node in graph.node for name in node.input}
        dead = [node for node in graph.node if not read & set(node.output)]
        if not dead:
            break
        for node in dead:
            graph.node.remove(node)
    for one in [one for one in graph.initializer if one.name not in read]:
        graph.initializer.remove(one)


def _sort(graph: onnx.GraphProto) -> None:
    """Bring nodes into an order in which each stands behind those that it reads from."""
    made = {"", *(one.name for one in graph.initializer), *(one.name for one in graph.input)}
    left = list(graph.node)
    ordered: list[NodeProto] = []
    while left:
        ready = [node for node in left if made.issuperset(node.input)]
        ordered += ready
        made.update(name for node in ready for name in node.output)
        left = [node for node in left if node not in ready]
    del graph.node[:]
    graph.node.extend(ordered)
