"""The one place that runs ONNX models, on the CPU."""

import threading
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import onnxruntime
from tokenizers import Tokenizer

from core.errors import ModelError
from models.hashes import file_hash
from models.onnx_bytes import integer_product, with_output

_QUIET = 3  # ONNX Runtime logs errors only
_SLOW_FUSIONS = ["SkipLayerNormFusion"]
"""Make graphs slower: that operator takes six times as long as the sum and the layer norm that it replaces."""
_FARTHEST = 255, 127
"""Of unsigned and signed 8 bits; two products of these are more than 16 bits can hold."""
_INNER = 64


class OnnxModel:
    """
    An ONNX model that is loaded when it is first needed, once, whichever thread comes first.

    :param file: The `.onnx` file.
    :param threads: Threads for one run; 0: one per core.
    :param inner: Name of a tensor inside the model to give as well, after its own outputs; None: no such.
    """

    def __init__(self, file: Path, *, threads: int = 0, inner: str | None = None) -> None:
        self.file = file
        self.threads = threads
        self.inner = inner
        self._lock = threading.Lock()
        self._session: Any = None
        self._hash: str | None = None

    @property
    def sha256(self) -> str:
        """Hash of the model file."""
        if self._hash is None:
            self._hash = file_hash(self.file)
        return self._hash

    def load(self) -> None:
        """
        Load the model; loading twice is harmless.

        :raises ModelError: If the file is missing or is not a model.
        """
        with self._lock:
            if self._session is None:
                self._session = self._open()

    @property
    def inputs(self) -> frozenset[str]:
        """Names of the inputs that the model takes; loads it."""
        if self._session is None:
            self.load()
        return frozenset(given.name for given in self._session.get_inputs())

    def run(self, feeds: Mapping[str, npt.NDArray[Any]]) -> list[npt.NDArray[Any]]:
        """
        Run one batch.

        :param feeds: Input name to array.
        :returns: The outputs in the model's order.
        :raises ModelError: If the model does not take these inputs.
        """
        if self._session is None:
            self.load()
        try:
            outputs: list[npt.NDArray[Any]] = self._session.run(None, dict(feeds))
        except Exception as error:  # ONNX Runtime raises its own classes, without a common base
            raise ModelError(f"{self.file} could not be run: {error}", field="model") from error
        return outputs

    def _open(self) -> onnxruntime.InferenceSession:
        if not self.file.is_file():
            raise ModelError(
                f"{self.file} is not there",
                field="model",
                hint="Give a folder with model.onnx and tokenizer.json.",
            )
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = self.threads
        options.inter_op_num_threads = 1
        options.add_session_config_entry(
            "session.intra_op.allow_spinning", "0"
        )  # waiting threads would burn a core each
        if sums_overflow():
            options.add_session_config_entry("session.x64quantprecision", "1")  # exact, but slow where it was before
        options.log_severity_level = _QUIET
        try:
            model = str(self.file) if self.inner is None else with_output(self.file.read_bytes(), self.inner)
            return onnxruntime.InferenceSession(
                model, options, providers=["CPUExecutionProvider"], disabled_optimizers=_SLOW_FUSIONS
            )
        except Exception as error:
            raise ModelError(
                f"{self.file} is not an ONNX model that can be run here: {error}", field="model"
            ) from error


@cache
def sums_overflow() -> bool:
    """
    Whether this processor adds up products of 8 bits in 16, so that large sums come out too small; multiplies, to see.

    Those without VNNI do: before 2019, and AMD's before 2022.
    """
    session = onnxruntime.InferenceSession(integer_product(), providers=["CPUExecutionProvider"])
    unsigned, signed = _FARTHEST
    feeds = {"a": np.full((4, _INNER), unsigned, np.uint8), "b": np.full((_INNER, 16), signed, np.int8)}
    return bool((session.run(None, feeds)[0] != unsigned * signed * _INNER).any())


def load_tokenizer(file: Path) -> Tokenizer:
    """
    Load a `tokenizer.json` without truncation or padding; "[SEP]" in a text is text like any other.

    :raises ModelError: If the file is missing or is not a tokenizer.
    """
    try:
        tokenizer = Tokenizer.from_file(str(file))
    except Exception as error:  # the library raises plain Exception
        raise ModelError(
            f"{file} is not a tokenizer: {error}", field="model", hint="Give a folder that holds tokenizer.json."
        ) from error
    tokenizer.no_truncation()
    tokenizer.no_padding()
    tokenizer.encode_special_tokens = True
    return tokenizer


def pad_rows(rows: list[list[int]], *, value: int = 0) -> npt.NDArray[np.int64]:
    """
    Make a rectangle of rows of different lengths.

    :returns: Shape (rows, longest row), filled up with `value` on the right.
    """
    table = np.full((len(rows), max(map(len, rows), default=0)), value, dtype=np.int64)
    for index, row in enumerate(rows):
        table[index, : len(row)] = row
    return table


def length_buckets(lengths: list[int], *, batch_size: int, max_waste: float = 0.25) -> list[list[int]]:
    """
    Group rows of like length, so that little is spent on padding.

    :param lengths: Tokens of each row.
    :param batch_size: Rows in a group at most.
    :param max_waste: A row joins a group only if it is at least this share shorter at most than the group's longest.
    :returns: Indexes of rows by group, longest first; every row once.
    """
    groups: list[list[int]] = []
    for index in sorted(range(len(lengths)), key=lambda row: (-lengths[row], row)):
        fits = groups and len(groups[-1]) < batch_size
        if fits and lengths[index] >= (1 - max_waste) * lengths[groups[-1][0]]:
            groups[-1].append(index)
        else:
            groups.append([index])
    return groups
