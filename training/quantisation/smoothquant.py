"""
Channels of like reach before 8 bits, so that a loud one does not leave the others a part of its steps.

A few channels of BERT's layer norms reach ten times the values of most others. What they reach is divided out of the
activation and multiplied into the weights that read it, which changes nothing in 32 bits. After Xiao et al. 2023,
"SmoothQuant: Accurate and Efficient Post-Training Quantization for Large Language Models".
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
from onnx import helper, numpy_helper

from training.quantisation.activations import Feeds, Floats, reach
from training.quantisation.onnx_files import attention_products, named

STRENGTH = 0.8
"""From 0 (all left to the activations) to 1 (all to the weights)."""
_LEAST = 1e-5


def smooth(source: Path, target: Path, feeds: Sequence[Feeds], *, encoder: str) -> None:
    """
    Write a graph that gives the same, with inputs of attention and feed-forward layers that reach alike.

    :param source: A fused graph with 32-bit weights.
    :param feeds: Inputs like those that the model will get; none: nothing is evened out.
    :param encoder: Where the encoder stands in the exported model, as in the names of its nodes.
    :raises ModelError: If the graph is not built as expected.
    """
    model = onnx.load(str(source))
    factors = {}
    for number, attention in enumerate(attention_products(model.graph, encoder=encoder)):
        layer = f"{encoder}/layer.{number}"
        factors[attention] = f"{layer}/smoothing/attention"
        factors[f"{layer}/intermediate/dense/MatMul"] = f"{layer}/smoothing/wide"
    inputs = {reader: named(model.graph, reader).input[0] for reader in factors}
    for value, reached in reach(source, sorted(set(inputs.values())), feeds).items():
        for reader in [one for one, read in inputs.items() if read == value]:
            _even_out(model.graph, reader, reached, factors[reader])
    onnx.save(model, str(target))


def _even_out(graph: onnx.GraphProto, reader: str, reached: Floats, factor: str) -> None:
    """
    Divide a node's input by how far each channel reaches, and multiply its weights by the same.

    :param factor: Name for what the input is multiplied with.
    """
    node = named(graph, reader)
    stored = next(one for one in graph.initializer if one.name == node.input[1])  # equal ones may be shared
    weights = numpy_helper.to_array(stored)  # (hidden, outputs)
    widest = np.abs(weights).max(axis=1).clip(min=_LEAST)
    divisor = (reached.clip(min=_LEAST) ** STRENGTH / widest ** (1 - STRENGTH)).astype(np.float32)
    graph.initializer.append(numpy_helper.from_array(1 / divisor, factor))
    graph.initializer.append(numpy_helper.from_array(weights * divisor[:, None], f"{factor}_weights"))
    even = helper.make_node("Mul", [node.input[0], factor], [f"{factor}_evened"], name=f"{factor}_Mul")
    graph.node.insert(list(graph.node).index(node), even)
    node.input[0], node.input[1] = even.output[0], f"{factor}_weights"
    if all(stored.name not in one.input for one in graph.node):
        graph.initializer.remove(stored)
