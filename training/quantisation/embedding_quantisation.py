"""Tables of embeddings in 8 bits, with a scale for each row: a few rows reach ten times as far as most."""

from pathlib import Path

import numpy as np
import onnx
from onnx import NodeProto, TensorProto, helper, numpy_helper

from training.quantisation.onnx_files import FARTHEST, named

ROWS, ROW_SCALES = "_rows", "_row_scales"
"""Appended to the name of a table."""
_AXES = 2


def lookups(file: Path) -> list[str]:
    """Return the names of the nodes of a graph that look up rows of stored tables."""
    graph = onnx.load(str(file)).graph
    tables = {one.name for one in graph.initializer if len(one.dims) == _AXES}
    return [node.name for node in graph.node if node.op_type == "Gather" and node.input[0] in tables]


def store_by_row(file: Path, lookup: str) -> None:
    """
    Store the table that a node looks rows up in as 8-bit integers, each row with a scale of its own, in place.

    :param lookup: Name of the node; its table is in 32 bits and read by no other.
    :raises ModelError: If there is no such node.
    """
    model = onnx.load(str(file))
    graph = model.graph
    node = named(graph, lookup)
    stored = next(one for one in graph.initializer if one.name == node.input[0])
    table = numpy_helper.to_array(stored)  # (rows, width)
    scales = np.abs(table).max(axis=1, keepdims=True) / FARTHEST
    scales[scales == 0] = 1.0
    whole = np.rint(table / scales).astype(np.int8)
    graph.initializer.append(numpy_helper.from_array(whole, f"{stored.name}{ROWS}"))
    graph.initializer.append(numpy_helper.from_array(scales, f"{stored.name}{ROW_SCALES}"))
    graph.initializer.remove(stored)
    at = list(graph.node).index(node)
    graph.node.remove(node)
    for offset, one in enumerate(_nodes(node, stored.name)):
        graph.node.insert(at + offset, one)
    onnx.save(model, str(file))


def _nodes(lookup: NodeProto, table: str) -> list[NodeProto]:
    """Make the nodes that look up rows and their scales, and multiply them."""
    name, numbers, result = lookup.name, lookup.input[1], lookup.output[0]
    whole, floating, scale = f"{name}_whole", f"{name}_floating", f"{name}_scale"
    return [
        helper.make_node("Gather", [f"{table}{ROWS}", numbers], [whole], name=name),
        helper.make_node("Cast", [whole], [floating], name=f"{name}_Cast", to=TensorProto.FLOAT),
        helper.make_node("Gather", [f"{table}{ROW_SCALES}", numbers], [scale], name=f"{name}_scales"),
        helper.make_node("Mul", [floating, scale], [result], name=f"{name}_Mul"),
    ]
