"""Passages read a second, and how many times as many as 32-bit torch reads on the same cores."""

import importlib.util
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import numpy.typing as npt

from core.errors import LooksyError
from evaluation.measures.values import MeasureValue
from models.onnx_runtime import OnnxModel
from training.measure.readings import Say
from training.recipe import EncoderShape

BATCH, TOKENS = 8, 200
_ROUNDS = 6
_NEEDED = ("torch", "transformers", "safetensors", "onnx")
Feeds = dict[str, npt.NDArray[np.int64]]


def measure_speed(folder: Path, *, say: Say = lambda line: None) -> dict[str, MeasureValue]:
    """
    Time passages of 200 tokens, eight at a time.

    The rate is by the clock, on all cores, and needs a quiet machine. The ratio is of processor time on one core each,
    which other work on the machine hardly changes.

    :param folder: With `model.onnx`, and for the comparison `weights.safetensors`; without torch, or without these
        weights, there is none; where they are of another shape than the shipped model's, `say` is told.
    """
    feeds = _feeds()
    everywhere, alone = (OnnxModel(folder / "model.onnx", threads=threads) for threads in (0, 1))
    quickest = _fastest({"int8": lambda: everywhere.run(feeds)}, time.perf_counter)
    figures = {"passages of 200 tokens a second, int8": _figure(BATCH / quickest["int8"])}
    weights = folder / "weights.safetensors"
    if weights.is_file() and all(importlib.util.find_spec(name) for name in _NEEDED):
        try:
            runs = {"int8": lambda: alone.run(feeds), "torch": _torch_run(weights, feeds)}
        except LooksyError as error:
            say(f"no comparison with 32-bit torch: {error.message}")
            return figures
        seconds = _fastest(runs, time.process_time)
        figures["int8 to 32-bit torch, passages a second of one core"] = _figure(seconds["torch"] / seconds["int8"])
    return figures


def _feeds() -> Feeds:
    ids = np.random.default_rng(7).integers(1000, 30000, (BATCH, TOKENS))
    types = np.zeros_like(ids)
    types[:, 20:] = 1
    return {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": types}


def _figure(value: float) -> MeasureValue:
    return MeasureValue(value=value, n=BATCH * _ROUNDS)


def _fastest(runs: Mapping[str, Callable[[], object]], clock: Callable[[], float]) -> dict[str, float]:
    """Take turns, so that what else the machine does hits all alike; keep the fastest round of each, in seconds."""
    best = dict.fromkeys(runs, float("inf"))
    for round_number in range(_ROUNDS + 1):
        for name, run in runs.items():
            begun = clock()
            run()
            if round_number:  # the first one warms up
                best[name] = min(best[name], clock() - begun)
    return best


def _torch_run(weights: Path, feeds: Feeds) -> Callable[[], object]:
    """Load the network but for its word embeddings, which only look numbers up: any take the same time."""
    import torch

    from training.evidence.network import EvidenceNetwork, load_trained

    torch.set_num_threads(1)
    network = EvidenceNetwork(EncoderShape()).eval()
    load_trained(network, weights)
    inputs = {name: torch.from_numpy(value) for name, value in feeds.items()}

    def run() -> object:
        with torch.inference_mode():
            return network(**inputs)

    return run
