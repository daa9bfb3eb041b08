"""Where to train, and in which numbers."""

import ctypes
import sys

import torch

_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8
"""Parameters of glibc's `mallopt`."""


def pick_device() -> str:
    """Return `cuda` where there is a GPU, else `cpu`."""
    return "cuda" if torch.cuda.is_available() else "cpu"


def uses_bfloat16(device: str) -> bool:
    """
    Whether the device computes faster in bfloat16 than in 32 bits.

    Of processors, those with AMX do; with AVX-512 alone, whose bfloat16 instructions only help sums of products, a step
    took 1.8 s for 1.15.
    """
    if device == "cuda":
        return bool(torch.cuda.is_bf16_supported())
    return bool(torch.cpu._is_amx_tile_supported())


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
