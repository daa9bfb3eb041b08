"""Perspectives: the sides that articles take on a question, side by side."""

from pipelines.systems.perspectives.system import SYSTEM

__all__ = ["SYSTEM"]
