"""Ask for every item once, several at a time, and save each prediction as it comes."""

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from functools import partial
from itertools import islice
from typing import Any

from core.errors import CancelledError, ConfigError, LooksyError, NotFoundError, StoreError
from core.progress import Progress, ProgressEvent, Stage, ignore_progress
from core.types import Failure, Model, Result, Status
from evaluation.runs.folder import PredictionLog, RunFolder
from evaluation.runs.models import ItemT, OutputT, Prediction

_STOPS = (CancelledError, ConfigError, NotFoundError, StoreError)
"""No fault of the item: every other one would meet it too."""


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


class Answered(Model):
    """What a predictor gives back beside its output."""

    output: Any
    """An `Output` of the task."""
    tokens_in: int | None = None
    tokens_out: int | None = None
    duration_ms: float | None = None
    """What the system took; None: as long as the predictor; 0: it has no time of its own."""
    run_record: Result | None = None
    """The answer with its run record, kept as a file of its own beside the predictions."""


class PredictionFailedError(LooksyError):
    """One item could not be predicted; the run goes on and lists it."""

    code = "prediction_failed"


Predict = Callable[[ItemT], Answered]


def execute(
    folder: RunFolder,
    items: Sequence[ItemT],
    predict: Predict[ItemT],
    *,
    output_type: type[OutputT],
    repeats: int = 1,
    workers: int = 1,
    progress: Progress = ignore_progress,
) -> int:
    """
    Predict what is not predicted yet. Failed items are asked again.

    :param predict: Called from `workers` threads. A `LooksyError` is a failure of that item, unless it says that
        nothing can be asked at all (no index, a wrong setting): then it ends the run.
    :returns: How many predictions were made now.
    :raises CancelledError: If the user stops it; everything so far is saved.
    """
    done = {
        (prediction.id, prediction.repeat)
        for prediction in folder.predictions(output_type)
        if prediction.status is Status.OK
    }
    open_items = [(item, repeat) for repeat in range(repeats) for item in items if (item.id, repeat) not in done]
    total = len(items) * repeats
    meter = Meter(total - len(open_items), total, progress)
    try:
        with folder.append() as log, ThreadPoolExecutor(workers) as pool:
            jobs = (partial(_one, predict, item, repeat, folder) for item, repeat in open_items)
            _work_through(jobs, pool, log, most=2 * workers, meter=meter)
    except KeyboardInterrupt as error:
        raise CancelledError(
            f"stopped after {meter.done} of {total} items", hint="The same command goes on where it stopped."
        ) from error
    return len(open_items)


def _work_through(
    jobs: Iterator[Callable[[], Prediction[Any]]],
    pool: ThreadPoolExecutor,
    log: PredictionLog,
    *,
    most: int,
    meter: Meter,
) -> None:
    """Keep `most` jobs with the pool, and save each result as it comes. When stopped, what has begun is still saved."""
    running: list[Future[Prediction[Any]]] = []
    try:
        while True:
            running += [pool.submit(job) for job in islice(jobs, most - len(running))]
            if not running:
                return
            finished, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in [one for one in running if one in finished]:  # in their order: one worker saves in the items'
                prediction = future.result()
                log.write(prediction)
                running.remove(future)
                meter.count(prediction)
    finally:
        for future in [future for future in running if not future.cancel()]:
            if future.exception() is None:  # waits for it: nothing that was paid for is lost
                prediction = future.result()
                log.write(prediction)
                meter.count(prediction)


def _one(predict: Predict[ItemT], item: ItemT, repeat: int, folder: RunFolder) -> Prediction[Any]:
    started = time.perf_counter()
    try:
        answered = predict(item)
    except _STOPS:
        raise
    except LooksyError as error:
        failure = Failure(code=error.code, message=error.message, field=error.field, hint=error.hint)
        return Prediction[Any](
            id=item.id, repeat=repeat, status=Status.FAILED, failure=failure, duration_ms=_elapsed(started)
        )
    return Prediction[Any](
        id=item.id,
        repeat=repeat,
        status=Status.OK,
        output=answered.output,
        duration_ms=_elapsed(started) if answered.duration_ms is None else answered.duration_ms,
        tokens_in=answered.tokens_in,
        tokens_out=answered.tokens_out,
        run_record=folder.keep_record(answered.run_record) if answered.run_record else None,
    )


def _elapsed(started: float) -> float:
    return round((time.perf_counter() - started) * 1000, 3)
