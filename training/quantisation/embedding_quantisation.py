"""
Tables of embeddings in 8 or 4 bits, with a scale for each row: a few rows reach ten times as far as most.

In 4 bits the scale of a row is the one that keeps it nearest, though what lies beyond is cut. A table that was rounded
once stays as it is when it is rounded again, so that training can read words as they will be exported. Two numbers
share a byte: the first half of a row its lower bits, the second half its upper ones.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
from onnx import NodeProto, TensorProto, helper, numpy_helper

from training.quantisation.onnx_files import FARTHEST, make_named, named

ROWS, ROW_SCALES, NIBBLES = "_rows", "_row_scales", "_nibbles"
"""Appended to the name of a table."""
Floats = npt.NDArray[np.float32]
_MIDDLE, _FARTHEST_OF_FOUR, _LIFT = 8, 7, 16
"""Of 4 bits: what stands for 0, the reach on both sides of it, and what the upper half of a byte counts."""
_CUTS = (0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1.0)
"""Shares of a row's reach that are tried as its reach in 4 bits."""
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
    node, stored, table = _looked_up(model.graph, lookup)
    scales = np.abs(table).max(axis=1, keepdims=True) / FARTHEST
    scales[scales == 0] = 1.0
    whole = np.rint(table / scales).astype(np.int8)
    added = {ROWS: whole, ROW_SCALES: scales}
    _exchange(model.graph, node, _nodes(node, stored.name), stored, added)
    onnx.save(model, str(file))


def store_in_four_bits(file: Path, lookup: str) -> None:
    """
    Store the table that a node looks rows up in as 4-bit integers, in place.

    :param lookup: As for `store_by_row`; the table has an even number of columns.
    :raises ModelError: If there is no such node.
    """
    model = onnx.load(str(file))
    node, stored, table = _looked_up(model.graph, lookup)
    nibbles, scales = four_bits(table)
    added: dict[str, npt.NDArray[Any]] = {NIBBLES: nibbles, ROW_SCALES: scales}
    _exchange(model.graph, node, _four_bit_nodes(node, stored.name), stored, added)
    onnx.save(model, str(file))


def four_bits(table: Floats) -> tuple[npt.NDArray[np.uint8], Floats]:
    """
    Round a table to 4 bits.

    :param table: (rows, width), width even.
    :returns: Two numbers a byte, (rows, width / 2); scales of rows, (rows, 1).
    """
    reach = np.abs(table).max(axis=1, keepdims=True)  # (rows, 1)
    reach[reach == 0] = 1.0
    nearest = np.full_like(reach, np.inf)
    whole, scales = np.zeros(table.shape, np.int8), np.ones_like(reach)
    for cut in _CUTS:
        scale = reach * np.float32(cut / _FARTHEST_OF_FOUR)
        tried = np.rint(table / scale).clip(-_FARTHEST_OF_FOUR, _FARTHEST_OF_FOUR)
        error = np.square(tried * scale - table).sum(axis=1, keepdims=True)
        better = error < nearest
        whole, scales = np.where(better, tried, whole).astype(np.int8), np.where(better, scale, scales)
        nearest = np.minimum(nearest, error)
    shifted = (whole + _MIDDLE).astype(np.uint8)  # 1 to 15
    half = table.shape[1] // 2
    return shifted[:, :half] + shifted[:, half:] * _LIFT, scales


def from_four_bits(nibbles: npt.NDArray[np.uint8], scales: Floats) -> Floats:
    """Return the table that `four_bits` made these of, as near as they hold it; (rows, width)."""
    whole = np.concatenate([nibbles % _LIFT, nibbles // _LIFT], axis=1).astype(np.float32) - _MIDDLE
    return np.asarray(whole * scales, dtype=np.float32)


def _looked_up(graph: onnx.GraphProto, lookup: str) -> tuple[NodeProto, TensorProto, Floats]:
    """Find a lookup, and the table that it reads."""
    node = named(graph, lookup)
    stored = next(one for one in graph.initializer if one.name == node.input[0])
    return node, stored, numpy_helper.to_array(stored)


def _exchange(
    graph: onnx.GraphProto,
    node: NodeProto,
    others: Sequence[NodeProto],
    stored: TensorProto,
    added: Mapping[str, npt.NDArray[Any]],
) -> None:
    """Exchange a node for others, and its table for tensors, named by what is appended to the table's name."""
    for suffix, value in added.items():
        graph.initializer.append(numpy_helper.from_array(value, f"{stored.name}{suffix}"))
    graph.initializer.remove(stored)
    at = list(graph.node).index(node)
    graph.node.remove(node)
    for offset, one in enumerate(others):
        graph.node.insert(at + offset, one)


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


def _four_bit_nodes(lookup: NodeProto, table: str) -> list[NodeProto]:
    """Make the nodes that look up rows of bytes, take them apart, and multiply with the scales of the rows."""
    name, numbers, result = lookup.name, lookup.input[1], lookup.output[0]
    lift, share, middle = (
        helper.make_tensor(f"{name}_{part}", TensorProto.FLOAT, [], [value])
        for part, value in (("lift", float(_LIFT)), ("share", 1 / _LIFT), ("middle", float(_MIDDLE)))
    )
    both, upper, lower = f"{name}_both", f"{name}_upper", f"{name}_lower"
    return [
        *(helper.make_node("Constant", [], [one.name], name=one.name, value=one) for one in (lift, share, middle)),
        helper.make_node("Gather", [f"{table}{NIBBLES}", numbers], [f"{name}_bytes"], name=name),
        helper.make_node("Cast", [f"{name}_bytes"], [both], name=both, to=TensorProto.FLOAT),
        make_named("Mul", [both, share.name], f"{name}_shared"),
        make_named("Floor", [f"{name}_shared"], upper),
        make_named("Mul", [upper, lift.name], f"{name}_lifted"),
        make_named("Sub", [both, f"{name}_lifted"], lower),
        helper.make_node("Concat", [lower, upper], [f"{name}_whole"], name=f"{name}_whole", axis=-1),
        make_named("Sub", [f"{name}_whole", middle.name], f"{name}_centred"),
        make_named("Gather", [f"{table}{ROW_SCALES}", numbers], f"{name}_scale"),
        helper.make_node("Mul", [f"{name}_centred", f"{name}_scale"], [result], name=f"{name}_Mul"),
    ]
