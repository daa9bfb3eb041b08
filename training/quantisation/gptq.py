"""
8-bit weights that are rounded together: what rounding one does to the output, those after it make up for.

After Frantar et al. 2023, "GPTQ: Accurate Post-Training Quantization for Generative Pre-trained Transformers".
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor

from training.quantisation.activations import Feeds, inner_values
from training.quantisation.onnx_files import FARTHEST, QUANTISED, SCALE

_DAMPING = 0.01
"""Added to each channel's mean square, as a share of the mean over channels: keeps the inverse within reach."""


def round_together(exact: Path, small: Path, feeds: Sequence[Feeds]) -> None:
    """
    Choose the 8-bit weights of a graph anew, in place, so that its layers give more nearly what the exact ones give.

    Scales stay as they are: the graph stays as large and as fast as it was. Only layers that read values of shape
    (rows, tokens, channels) are changed.

    :param exact: The graph with 32-bit weights that `small` was quantised from.
    :param feeds: Inputs like those that the model will get; none: nothing is changed.
    """
    if not feeds:
        return
    plain, model = onnx.load(str(exact)).graph, onnx.load(str(small))
    weights = {one.name: one for one in plain.initializer}
    stored = {one.name: one for one in model.graph.initializer}
    readers = [
        (node.input[0], node.input[1])
        for node in plain.node
        if node.op_type in ("Attention", "MatMul") and f"{node.input[1]}{QUANTISED}" in stored
    ]
    products = channel_products(exact, sorted({value for value, _ in readers}), feeds)
    for value, name in readers:
        scale = _tensor(stored[f"{name}{SCALE}"])
        rounded = rounded_weights(_tensor(weights[name]), scale, products[value]).numpy().astype(np.int8)
        stored[f"{name}{QUANTISED}"].CopyFrom(numpy_helper.from_array(rounded, f"{name}{QUANTISED}"))
    onnx.save(model, str(small))


def rounded_weights(weights: Tensor, scale: Tensor, products: Tensor) -> Tensor:
    """
    Round a matrix so that what it makes of its inputs changes little.

    :param weights: (inputs, outputs).
    :param scale: Width of a step, of each output (outputs,) or one for all.
    :param products: Of the inputs' channels with each other, summed over examples, (inputs, inputs).
    :returns: Whole numbers from -127 to 127, (inputs, outputs); times `scale` they stand for the weights.
    """
    loudest = products.diagonal().argsort(descending=True)  # first, while there are others to make up for them
    squares = products.double()[loudest][:, loudest]
    damping = _DAMPING * squares.diagonal().mean().clamp(min=torch.finfo(torch.float32).tiny)
    squares.diagonal().add_(damping)
    inverse = torch.linalg.cholesky(torch.cholesky_inverse(torch.linalg.cholesky(squares)), upper=True)
    left, steps = weights.double()[loudest], scale.double()
    rounded = torch.empty_like(left)
    for row in range(len(left)):
        rounded[row] = (left[row] / steps).round().clamp(-FARTHEST, FARTHEST)
        error = (left[row] - rounded[row] * steps) / inverse[row, row]
        left[row + 1 :] -= inverse[row, row + 1 :, None] * error
    return rounded[loudest.argsort()]


def channel_products(file: Path, names: Sequence[str], feeds: Sequence[Feeds]) -> dict[str, Tensor]:
    """
    Return the products of some inner values' channels with each other, summed over all tokens.

    :param names: Of values of shape (rows, tokens, channels).
    :returns: (channels, channels) each.
    """
    found: dict[str, Tensor] = {}
    for values in inner_values(file, names, feeds):
        for name, value in values.items():
            seen = torch.from_numpy(value)  # (tokens, channels)
            found[name] = found.get(name, 0) + (seen.T @ seen).double()
    return found


def _tensor(stored: onnx.TensorProto) -> Tensor:
    return torch.from_numpy(numpy_helper.to_array(stored).copy())
