"""Weights read back from an exported graph, so that training can go on from a model that ships."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor

from core.errors import ModelError
from training.quantisation.embedding_quantisation import ROW_SCALES, ROWS
from training.quantisation.onnx_files import MPNET_ATTENTION, QUANTISED, SCALE, ZERO_POINT

Floats = npt.NDArray[np.float32]
_DISTANCES = "enc.encoder.relative_attention_bias.weight"
"""A table that an MPNet alone has."""


def weights_of_graph(file: Path) -> dict[str, Tensor]:
    """
    Read the weights of `model.onnx`, as `training/evidence/export.py` writes it, but for the word embeddings.

    A layer's are within some steps of its channel's 8-bit scale of what was exported, and together they give nearly the
    same (`training/quantisation/gptq.py`).

    :returns: By their names in `EvidenceNetwork`.
    :raises ModelError: If the file is no such graph.
    """
    try:
        graph = onnx.load(str(file)).graph
        weights = _Graph(graph).weights()
    except Exception as error:  # onnx and protobuf raise what they like, and another graph lacks any name
        raise ModelError(
            f"{file} is not a graph that Looksy's training has written: {error!r}",
            field="weights",
            hint="Give model.onnx of an evidence model, or weights.safetensors.",
        ) from error
    return {name: torch.tensor(value) for name, value in weights.items()}


class _Graph:
    def __init__(self, graph: onnx.GraphProto) -> None:
        self._stored = {one.name: numpy_helper.to_array(one) for one in graph.initializer}
        self._nodes = {node.name: node for node in graph.node}

    def weights(self) -> dict[str, Floats]:
        found = {
            name: value
            for name, value in self._stored.items()
            if name.startswith(("enc.", "span.", "rel."))
            and value.dtype == np.float32
            and not name.endswith((SCALE, ROW_SCALES))
        }
        mpnet = _DISTANCES in self._stored
        for table in ("position_embeddings",) if mpnet else ("position_embeddings", "token_type_embeddings"):
            found[f"enc.embeddings.{table}.weight"] = self._value(f"enc.embeddings.{table}.weight")
        for number in range(sum(name.endswith(("_qkv_bias", "/qkv/bias")) for name in self._stored)):
            found |= self._mpnet_layer(number) if mpnet else self._bert_layer(number)
        for layer in ("rel.0", "rel.3"):
            found[f"{layer}.weight"] = self._factor(f"/rel/{layer}/Gemm_MatMul").T
        found["span.weight"] = self._factor("/span/MatMul").T
        return found

    def _bert_layer(self, number: int) -> dict[str, Floats]:
        name, path = f"enc.encoder.layer.{number}", f"/enc/encoder/layer.{number}"
        own = [f"{name}.attention.self.{part}" for part in ("query", "key", "value")]
        found = self._attention(own, f"Attention_{number}", f"Attention_{number}_qkv_bias", path)
        found[f"{name}.attention.output.dense.weight"] = self._factor(f"{path}/attention/output/dense/MatMul").T
        return found | self._feed_forward(name, path)

    def _mpnet_layer(self, number: int) -> dict[str, Floats]:
        name, path = f"enc.encoder.layer.{number}", f"/enc/layer.{number}"
        own = [f"{name}.attention.attn.{part}" for part in "qkv"]
        found = self._attention(own, MPNET_ATTENTION.format(layer=path), f"{path}/attention/qkv/bias", path)
        found[f"{name}.attention.attn.o.weight"] = self._factor(f"{path}/attention/attn/o/MatMul").T
        return found | self._feed_forward(name, path)

    def _attention(self, names: Sequence[str], product: str, bias: str, path: str) -> dict[str, Floats]:
        """Take query, key and value apart, which one node makes."""
        even = self._even(f"{path}/smoothing/attention")
        weights = np.split((self._factor(product) * even).T, len(names))
        biases = np.split(self._stored[bias], len(names))
        found = {f"{name}.weight": value for name, value in zip(names, weights, strict=True)}
        return found | {f"{name}.bias": value for name, value in zip(names, biases, strict=True)}

    def _feed_forward(self, name: str, path: str) -> dict[str, Floats]:
        wide, bias, narrow = (self._value(f"{path}/outliers/{one}_rest") for one in ("wide", "bias", "narrow"))
        apart = np.flatnonzero((wide == 0).all(0) & (bias == 0) & (narrow == 0).all(1))  # rising, as they were taken
        wide[:, apart], bias[apart], narrow[apart] = (
            self._stored[f"{path}/outliers/{one}"] for one in ("wide", "bias", "narrow")
        )
        return {
            f"{name}.intermediate.dense.weight": (wide * self._even(f"{path}/smoothing/wide")).T,
            f"{name}.intermediate.dense.bias": bias,
            f"{name}.output.dense.weight": narrow.T,
        }

    def _even(self, name: str) -> Floats:
        """Return what the channels of a node's input were multiplied with, (hidden, 1); 1 if they were not."""
        factors: Floats = self._stored.get(name, np.ones(1, dtype=np.float32))
        return factors[:, None]

    def _factor(self, name: str) -> Floats:
        """Return the matrix that a node multiplies with."""
        return self._value(self._nodes[f"{name}_quant"].input[1].removesuffix(QUANTISED))

    def _value(self, name: str) -> Floats:
        """Return a tensor, or what its 8-bit form stands for; one scale for all, for each column or each row."""
        if name in self._stored:
            return np.array(self._stored[name], dtype=np.float32)
        if f"{name}{ROWS}" in self._stored:
            return np.asarray(self._stored[f"{name}{ROWS}"] * self._stored[f"{name}{ROW_SCALES}"], dtype=np.float32)
        whole = self._stored[f"{name}{QUANTISED}"].astype(np.float32)
        zero = self._stored[f"{name}{ZERO_POINT}"].astype(np.float32)
        return np.asarray((whole - zero) * self._stored[f"{name}{SCALE}"], dtype=np.float32)
