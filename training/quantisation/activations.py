"""What a graph's inner values are while it reads texts."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx

from models.onnx_runtime import OnnxModel

Feeds = Mapping[str, npt.NDArray[Any]]
"""Inputs of a graph by their names."""
Floats = npt.NDArray[np.float32]
MASK = "attention_mask"
"""The input that is 1 for tokens and 0 for padding, (rows, tokens)."""


def inner_values(file: Path, names: Sequence[str], feeds: Sequence[Feeds]) -> Iterator[dict[str, Floats]]:
    """
    Run a graph, and return for each input what some of its values are at all tokens, (tokens, channels).

    :param names: Of values of shape (rows, tokens, channels), each once.
    :raises ModelError: If the graph has no such value, or does not take the inputs.
    """
    model = onnx.load(str(file))
    model.graph.output.extend(onnx.ValueInfoProto(name=name) for name in names)
    with TemporaryDirectory() as scratch:
        shown = Path(scratch) / file.name
        onnx.save(model, str(shown))
        graph = OnnxModel(shown)
        for fed in feeds:
            tokens = fed[MASK] > 0
            yield {name: value[tokens] for name, value in zip(names, graph.run(fed)[-len(names) :], strict=True)}


def reach(file: Path, names: Sequence[str], feeds: Sequence[Feeds]) -> dict[str, Floats]:
    """
    Find the largest absolute value that each channel of some values reaches.

    :param names: As for `inner_values`.
    :returns: (channels,) each; empty if there are no inputs.
    """
    farthest: dict[str, Floats] = {}
    for values in inner_values(file, names, feeds):
        for name, value in values.items():
            reached = np.abs(value).max(axis=0)
            farthest[name] = np.maximum(farthest.get(name, reached), reached)
    return farthest
