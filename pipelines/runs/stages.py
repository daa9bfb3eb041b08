"""Time, progress and cancellation around each component of a pipeline, without the components knowing."""

import functools
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from haystack import Pipeline

from core.progress import Progress, ProgressEvent, Stage, ignore_progress

_MILLISECONDS = 1000.0


@dataclass
class Stopwatch:
    """Milliseconds by stage of one run."""

    progress: Progress = ignore_progress
    timings: dict[str, float] = field(default_factory=dict)
    started: float = field(default_factory=time.perf_counter)
    current: Stage | None = None
    outputs: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Component to what it gave, of those that have finished; of several runs of one, the last."""

    def finish(self) -> dict[str, float]:
        """Return the timings with their total."""
        return self.timings | {"total": (time.perf_counter() - self.started) * _MILLISECONDS}


_current: ContextVar[Stopwatch | None] = ContextVar("stopwatch", default=None)


@contextmanager
def stopwatch(progress: Progress = ignore_progress) -> Iterator[Stopwatch]:
    """Time the stages that run inside this context, in this thread."""
    watch = Stopwatch(progress)
    token = _current.set(watch)
    try:
        yield watch
    finally:
        _current.reset(token)


@contextmanager
def stage(name: Stage) -> Iterator[None]:
    """Report the stage, and add its time to the run's; does nothing outside a `stopwatch`."""
    watch = _current.get()
    if watch is None:
        yield
        return
    watch.current = name
    watch.progress(ProgressEvent(stage=name))
    started = time.perf_counter()
    try:
        yield
    finally:
        spent = (time.perf_counter() - started) * _MILLISECONDS
        watch.timings[name] = watch.timings.get(name, 0.0) + spent


def report(*, done: int, unit: str, message: str = "") -> None:
    """
    Report progress inside the current stage; does nothing outside a `stopwatch`.

    :param done: How much of it is done.
    :param unit: What is counted; `token` for the words of a model, with the words themselves as the message. They are a
        draft: nothing of it has been checked yet.
    :raises CancelledError: If whoever listens wants the work to stop.
    """
    watch = _current.get()
    if watch is not None and watch.current is not None:
        watch.progress(ProgressEvent(stage=watch.current, done=done, unit=unit, message=message))


def watch_components(pipeline: Pipeline, stages: Mapping[str, Stage]) -> None:
    """Wrap `run` of each named component, so that its time counts for its stage and its outputs are kept."""
    for name, which in stages.items():
        component: Any = pipeline.get_component(name)
        component.run = _watched(component.run, name, which)


def _watched(run: Callable[..., dict[str, Any]], name: str, which: Stage) -> Callable[..., dict[str, Any]]:
    @functools.wraps(run)
    def watched(*args: object, **kwargs: object) -> dict[str, Any]:
        with stage(which):
            outputs = run(*args, **kwargs)
        if (watch := _current.get()) is not None:
            watch.outputs[name] = outputs
        return outputs

    return watched
