"""Benchmarks: lists of evaluations in `configs/benchmarks/*.yaml`, with the published figures beside ours."""
