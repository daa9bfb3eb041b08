"""
Channels of like reach before 8 bits, so that a loud one does not leave the others a part of its steps.

A few channels of BERT's layer norms reach ten times the values of most others. What they reach is divided out of the
activation and multiplied into the weights that read it, which changes nothing in 32 bits. After Xiao et al. 2023,
"SmoothQuant: Accurate and Efficient Post-Training Quantization for Large Language Models".
"""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnx
from onnx import helper, numpy_helper
from transformers.models.bert.modeling_bert import BertEncoder

from models.training.onnx_files import named
from models.training.reach import reach

Floats = npt.NDArray[np.float32]
STRENGTH = 0.8
"""From 0 (all left to the activations) to 1 (all to the weights)."""
_LEAST = 1e-5


def smooth(source: Path, target: Path, encoder: BertEncoder, show: Callable[[], object], *, name: str) -> None:
    """
    Write a graph that gives the same, with inputs of attention and feed-forward layers that reach alike.

    :param source: A fused graph with 32-bit weights.
    :param encoder: What the graph was exported from.
    :param show: Shows the encoder's model some texts.
    :param name: Where the encoder stands in the exported model, as in the names of its nodes.
    :raises ModelError: If the graph is not built as expected.
    """
    model = onnx.load(str(source))
    for number, (attention, wide) in enumerate(input_reach(encoder, show)):
        layer = f"{name}/layer.{number}"
        _even_out(model.graph, f"Attention_{number}", attention, f"{layer}/smoothing/attention")
        _even_out(model.graph, f"{layer}/intermediate/dense/MatMul", wide, f"{layer}/smoothing/wide")
    onnx.save(model, str(target))


def input_reach(encoder: BertEncoder, show: Callable[[], object]) -> list[tuple[Floats, Floats]]:
    """
    Find the largest absolute value that each channel of a layer's inputs reaches.

    :param show: Shows the encoder's model some texts.
    :returns: For each layer, of its attention and of its feed-forward part, (hidden,) each.
    """
    readers = [part for layer in encoder.layer for part in (layer.attention.self.query, layer.intermediate.dense)]
    found = reach(readers, [reader.in_features for reader in readers], show, of_inputs=True)
    values = [one.numpy() for one in found]
    return list(zip(values[::2], values[1::2], strict=True))


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
