"""Progress of long work: one event type, reported to one callable."""

from collections.abc import Callable
from enum import StrEnum

from core.types import Model


class Stage(StrEnum):
    """A part of a job or of an answer that takes time of its own."""

    CRAWL = "crawl"
    INDEX = "index"
    EMBED = "embed"
    RETRIEVE = "retrieve"
    READ = "read"
    ANSWER = "answer"
    CHECK = "check"
    VERDICT = "verdict"
    RENDER = "render"
    EVALUATE = "evaluate"


class ProgressEvent(Model):
    """How far one stage has come."""

    stage: Stage
    done: int = 0
    total: int | None = None
    """None: not known yet."""
    unit: str = ""
    """What is counted, in the plural: pages, articles, passages."""
    message: str = ""


Progress = Callable[[ProgressEvent], None]
"""Receives events in order, in the thread that works. Raising `core.errors.CancelledError` from it stops the work."""


def ignore_progress(event: ProgressEvent) -> None:
    """Drop the event."""
