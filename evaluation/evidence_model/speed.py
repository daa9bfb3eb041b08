"""Passages read a second, and how many times as many as 32-bit torch reads on the same cores."""

import importlib.util
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt

from evaluation.values import MeasureValue
from models.onnx_runtime import OnnxModel
from models.training.files import installed_base
from models.training.recipe import EncoderShape

BATCH, TOKENS = 8, 200
_ROUNDS = 6
_NEEDED = ("torch", "transformers", "safetensors")


def measure_speed(folder: Path, *, threads: int = 0) -> dict[str, MeasureValue]:
    """
    Time passages of 200 tokens, eight at a time.

    :param folder: With `model.onnx`, and for the comparison `weights.safetensors`; without torch, or without these
        weights, there is none.
    """
    ids = np.random.default_rng(7).integers(1000, 30000, (BATCH, TOKENS))
    types = np.zeros_like(ids)
    types[:, 20:] = 1
    feeds = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": types}
    model = OnnxModel(folder / "model.onnx", threads=threads)
    runs: dict[str, Callable[[], object]] = {"int8": lambda: model.run(feeds)}
    weights = folder / "weights.safetensors"
    if weights.is_file() and all(importlib.util.find_spec(name) for name in _NEEDED):
        runs["torch"] = _torch_run(weights, feeds)
    seconds = _fastest(runs)
    count = BATCH * _ROUNDS
    figures = {"passages of 200 tokens a second, int8": MeasureValue(value=BATCH / seconds["int8"], n=count)}
    if "torch" in seconds:
        figures["passages of 200 tokens a second, 32-bit torch"] = MeasureValue(value=BATCH / seconds["torch"], n=count)
        figures["int8 to 32-bit torch"] = MeasureValue(value=seconds["torch"] / seconds["int8"], n=count)
    return figures


def _fastest(runs: dict[str, Callable[[], object]]) -> dict[str, float]:
    """Take turns, so that what else the machine does hits all alike; keep the fastest round of each, in seconds."""
    best = dict.fromkeys(runs, float("inf"))
    for round_number in range(_ROUNDS + 1):
        for name, run in runs.items():
            begun = time.perf_counter()
            run()
            if round_number:  # the first one warms up
                best[name] = min(best[name], time.perf_counter() - begun)
    return best


def _torch_run(weights: Path, feeds: dict[str, npt.NDArray[np.int64]]) -> Callable[[], object]:
    import torch  # noqa: PLC0415 - the extra [train]

    from models.training.network import EvidenceNetwork, load_base, load_trained  # noqa: PLC0415 - as above

    network = EvidenceNetwork(EncoderShape()).eval()
    load_base(network, installed_base())
    load_trained(network, weights)
    inputs = {name: torch.from_numpy(value) for name, value in feeds.items()}

    def run() -> object:
        with torch.inference_mode():
            return network(**inputs)

    return run
