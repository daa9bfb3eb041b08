"""Verify: a question answered or a statement judged, with quotes."""

from pipelines.systems.verify.system import SYSTEM

__all__ = ["SYSTEM"]
