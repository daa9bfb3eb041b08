"""Counter: a polite reply to a claim that checked quotes refute."""

from pipelines.systems.counter.system import SYSTEM

__all__ = ["SYSTEM"]
