"""Where to train, and in which numbers."""

import os

import torch

_MALLOC = {"MALLOC_MMAP_THRESHOLD_": "1073741824", "MALLOC_TRIM_THRESHOLD_": "4294967296", "MALLOC_ARENA_MAX": "1"}


def pick_device() -> str:
    """Return `cuda` where there is a GPU, else `cpu`."""
    return "cuda" if torch.cuda.is_available() else "cpu"


def uses_bfloat16(device: str) -> bool:
    """Whether the device computes bfloat16 in hardware."""
    if device == "cuda":
        return bool(torch.cuda.is_bf16_supported())
    return bool(torch.ops.mkldnn._is_mkldnn_bf16_supported())


def memory_hints() -> dict[str, str]:
    """Return what of the allocator's settings is not set: memory that is not given back saves a third of the time."""
    return {name: value for name, value in _MALLOC.items() if name not in os.environ}
