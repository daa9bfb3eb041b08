"""
Channels that would spoil the precision of all others in 8 bits, computed in 32 bits beside them.

A few channels of BERT's feed-forward layers reach five times the values of the next ones. One scale for the whole
activation then leaves the others a fifth of its steps. After Dettmers et al. 2022, "LLM.int8(): 8-bit Matrix
Multiplication for Transformers at Scale".
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
from onnx import NodeProto, helper, numpy_helper

from training.quantisation.activations import Feeds, reach
from training.quantisation.onnx_files import attention_products, make_named, named, only

SPLIT_OFF = 8
"""Channels of each layer: at most two or three are outliers, the others cost next to nothing."""


def widest_channels(source: Path, feeds: Sequence[Feeds], *, encoder: str, count: int = SPLIT_OFF) -> list[list[int]]:
    """
    Find the channels of each feed-forward layer that reach the largest absolute values.

    :param source: A fused graph of a BERT.
    :param feeds: Inputs like those that the model will get.
    :param encoder: Where the encoder stands in the exported model, as in the names of its nodes.
    :returns: For each layer their numbers, rising; none without inputs.
    :raises ModelError: If the graph is not built as expected.
    """
    graph = onnx.load(str(source)).graph
    layers = len(attention_products(graph, encoder=encoder))
    names = [named(graph, f"{encoder}/layer.{number}/output/dense/MatMul").input[0] for number in range(layers)]
    reached = reach(source, names, feeds)
    return [sorted(reached[name].argsort()[::-1][:count].tolist()) if feeds else [] for name in names]


def split_off(source: Path, target: Path, channels: Sequence[Sequence[int]], *, encoder: str) -> list[str]:
    """
    Write a graph that gives the same, with some feed-forward channels of each layer as matrices of their own.

    :param source: A fused graph of a BERT.
    :param channels: For each layer their numbers.
    :param encoder: Where the encoder stands in the exported model, as in the names of its nodes.
    :returns: Names of the nodes that must stay in 32 bits.
    :raises ModelError: If the graph is not built as expected.
    """
    model = onnx.load(str(source))
    names = [
        name
        for number, chosen in enumerate(channels)
        for name in _split_layer(model.graph, f"{encoder}/layer.{number}", list(chosen))
    ]
    used = {name for node in model.graph.node for name in node.input}
    for weights in [one for one in model.graph.initializer if one.name not in used]:
        model.graph.initializer.remove(weights)
    onnx.save(model, str(target))
    return names


def _split_layer(graph: onnx.GraphProto, layer: str, chosen: list[int]) -> list[str]:
    """Take channels out of a layer's matrices, in place, and put a second branch with them beside it."""
    narrow = named(graph, f"{layer}/output/dense/MatMul")
    gelu = _maker(graph, narrow.input[0], "BiasGelu")
    wide = _maker(graph, gelu.input[0], "MatMul")
    prefix = f"{layer}/outliers"
    for node, own, axis in ((wide, "wide", 1), (gelu, "bias", 0), (narrow, "narrow", 0)):
        weights = next(one for one in graph.initializer if one.name == node.input[1])  # equal ones may be shared
        values = numpy_helper.to_array(weights).copy()
        taken = np.ascontiguousarray(values.take(chosen, axis))
        np.moveaxis(values, axis, 0)[chosen] = 0.0  # gelu(0) is 0
        node.input[1] = f"{prefix}/{own}_rest"
        graph.initializer.append(numpy_helper.from_array(values, node.input[1]))
        graph.initializer.append(numpy_helper.from_array(taken, f"{prefix}/{own}"))
    output, narrow.output[0] = narrow.output[0], f"{prefix}/rest"
    branch = [
        make_named("MatMul", [wide.input[0], f"{prefix}/wide"], f"{prefix}/MatMul_wide"),
        make_named("BiasGelu", [f"{prefix}/MatMul_wide", f"{prefix}/bias"], f"{prefix}/BiasGelu", domain=gelu.domain),
        make_named("MatMul", [f"{prefix}/BiasGelu", f"{prefix}/narrow"], f"{prefix}/MatMul_narrow"),
        helper.make_node("Add", [f"{prefix}/rest", f"{prefix}/MatMul_narrow"], [output], name=f"{prefix}/Add"),
    ]
    at = list(graph.node).index(narrow) + 1
    for offset, node in enumerate(branch):
        graph.node.insert(at + offset, node)
    return [branch[0].name, branch[2].name]


def _maker(graph: onnx.GraphProto, value: str, kind: str) -> NodeProto:
    return only([node for node in graph.node if value in node.output and node.op_type == kind], f"{kind} of {value}")
