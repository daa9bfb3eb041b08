"""Where to train, and in which numbers."""

import ctypes
import math
import sys
import time
from collections.abc import Callable
from functools import cache

import torch

_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8
"""Parameters of glibc's `mallopt`."""
_ROWS, _INNER, _HIDDEN = 3072, 1536, 384
"""Shape of the product that is timed."""
_TRIES, _MOST_TRIES = 25, 250
"""Tries without a faster one after which timing ends, and tries in all."""
_FASTER = 0.98
"""Share of the fastest time so far that counts as faster."""
_WORTH = 0.7
"""Share of the time in 32 bits from which on the conversions pay."""


def pick_device() -> str:
    """Return `cuda` where there is a GPU, else `cpu`."""
    return "cuda" if torch.cuda.is_available() else "cpu"


@cache
def uses_bfloat16(device: str) -> bool:
    """
    Whether the device computes faster in bfloat16 than in 32 bits.

    Of processors with bfloat16 instructions for AVX-512 alone some do (AMD's: a step took .39 s for 1.30) and some do
    not (Intel's: 1.8 s for 1.15), so those are timed, once a process.
    """
    if device == "cuda":
        return bool(torch.cuda.is_bf16_supported())
    if torch.cpu._is_amx_tile_supported():
        return True
    if not torch.cpu._is_avx512_bf16_supported():
        return False
    return _pays(_seconds)


def _pays(seconds: Callable[[torch.dtype], float]) -> bool:
    """
    Compare the fastest product in bfloat16 with the fastest in 32 bits.

    Other programs can make a product slower and never faster. Tries of both kinds take turns, so that a busy minute
    meets both, and go on while the fastest still get faster.
    """
    half, whole, since = math.inf, math.inf, 0
    for _ in range(_MOST_TRIES):
        first, second = seconds(torch.bfloat16), seconds(torch.float32)
        since = 0 if first < _FASTER * half or second < _FASTER * whole else since + 1
        half, whole = min(half, first), min(whole, second)
        if since >= _TRIES:
            break
    return half < _WORTH * whole


def _seconds(numbers: torch.dtype) -> float:
    """Time a feed-forward layer's product once."""
    rows, weights = torch.ones(_ROWS, _INNER, dtype=numbers), torch.ones(_INNER, _HIDDEN, dtype=numbers)
    begun = time.perf_counter()
    torch.mm(rows, weights)
    return time.perf_counter() - begun


def arithmetic(device: str) -> str:
    """Say in words which numbers training computes with."""
    return "bfloat16" if uses_bfloat16(device) else "32 bits"


def keep_memory() -> bool:
    """
    Tell the C library not to give memory back between steps, which takes up to a third of their time.

    :returns: Whether it could be told; only glibc can.
    """
    if not sys.platform.startswith("linux"):
        return False
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is None:
        return False
    wanted = {_MMAP_THRESHOLD: 1 << 30, _TRIM_THRESHOLD: (1 << 31) - 1, _ARENA_MAX: 1}
    return all(mallopt(name, value) == 1 for name, value in wanted.items())
