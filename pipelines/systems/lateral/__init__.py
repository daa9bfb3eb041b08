"""Lateral reading: what to ask about a text, and what other articles answer."""

from pipelines.systems.lateral.system import SYSTEM

__all__ = ["SYSTEM"]
