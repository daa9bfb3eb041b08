"""Agent: a claim investigated by one search after the other."""

from pipelines.systems.agent.system import SYSTEM

__all__ = ["SYSTEM"]
