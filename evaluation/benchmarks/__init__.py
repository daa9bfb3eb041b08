"""Benchmarks: lists of evaluations in `configs/benchmarks/*.yaml`, with the published figures beside ours."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
