"""How far a run has come: items, and the time and tokens that one takes."""

import time
from typing import Any

from core.progress import Progress, ProgressEvent, Stage
from core.types import Status
from evaluation.runs.models import Prediction


class Meter:
    """
    Counts predictions and reports them.

    :param done: Predictions that an earlier sitting made.
    :param total: Predictions wanted.
    :param progress: Told at once, and after each prediction.
    """

    def __init__(self, done: int, total: int, progress: Progress) -> None:
        self.done = done
        self.total = total
        self.progress = progress
        self._started = time.perf_counter()
        self._now = self._failed = self._tokens = 0
        self._tell("")

    def count(self, prediction: Prediction[Any]) -> None:
        """Take in one prediction."""
        self.done += 1
        self._now += 1
        self._failed += prediction.status is Status.FAILED
        self._tokens += (prediction.tokens_in or 0) + (prediction.tokens_out or 0)
        elapsed_ms = (time.perf_counter() - self._started) * 1000
        parts = [f"{elapsed_ms / self._now:,.0f} ms an item"]
        if self._tokens:
            parts.append(f"{self._tokens / self._now:,.0f} tokens an item")
        if self._failed:
            parts.append(f"{self._failed} failed")
        self._tell(", ".join(parts))

    def _tell(self, message: str) -> None:
        self.progress(
            ProgressEvent(stage=Stage.EVALUATE, done=self.done, total=self.total, unit="items", message=message)
        )
