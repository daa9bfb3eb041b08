"""
What one run keeps while it lasts: times, progress, model calls, pipelines inside pipelines.

One context variable holds it, for what Haystack stands between. Outside a run every function here does nothing.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import Any

from haystack import Pipeline

from core.errors import GeneratorError
from core.progress import Progress, ProgressEvent, Stage, ignore_progress
from core.types import Failure, ModelCall

NOT_RECORDED = "not_recorded"


class RecordedReplies:
    """
    Gives out recorded calls, each once.

    :param calls: Of a run record.
    """

    def __init__(self, calls: Sequence[ModelCall]) -> None:
        self._left = list(calls)

    def take(self, purpose: str, generator: str, messages: tuple[dict[str, str], ...]) -> ModelCall:
        """Return the first unused call with this purpose, generator and messages; a failed one if there is none."""
        for index, call in enumerate(self._left):
            if (call.purpose, call.generator, call.messages) == (purpose, generator, messages):
                return self._left.pop(index)
        message = "the model was asked something else then, so there is no recorded reply"
        return ModelCall(
            purpose=purpose,
            generator=generator,
            messages=messages,
            reply=None,
            failure=Failure(code=f"generator_failed.{NOT_RECORDED}", message=message, hint="Replay with --fresh."),
            duration_ms=0.0,
        )


_MILLISECONDS = 1000.0


@dataclass
class RunContext:
    """The state of one run, in one thread."""

    progress: Progress = ignore_progress
    recorded: RecordedReplies | None = None
    """Replies to answer from; None: models are asked."""
    started: float = field(default_factory=time.perf_counter)
    timings: dict[str, float] = field(default_factory=dict)
    """Milliseconds by stage."""
    stage: Stage | None = None
    stages: Mapping[str, Stage] = field(default_factory=dict)
    """Component to stage, of the pipeline that runs now."""
    outputs: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Component to what it gave, of those that have finished; of several runs of one, the last."""
    calls: list[ModelCall] = field(default_factory=list)
    silent: dict[int, GeneratorError] = field(default_factory=dict)
    """Generators that let their time run out, by identity: two servers may serve one model."""
    inner: dict[str, Pipeline] = field(default_factory=dict)
    """Pipelines that ran inside another one, by name."""

    def finish(self) -> dict[str, float]:
        """Return the timings with their total."""
        return self.timings | {"total": (time.perf_counter() - self.started) * _MILLISECONDS}


_current: ContextVar[RunContext | None] = ContextVar("run", default=None)


def current_run() -> RunContext | None:
    """Return the run that this code is part of; None outside a run."""
    return _current.get()


@contextmanager
def run_context(progress: Progress = ignore_progress) -> Iterator[RunContext]:
    """Begin a run in this thread; it answers from recorded replies where `recorded_replies` is around it."""
    around = _current.get()
    with _entered(RunContext(progress, recorded=around.recorded if around else None)) as run:
        yield run


@contextmanager
def recorded_replies(calls: Sequence[ModelCall]) -> Iterator[None]:
    """Answer from recorded calls inside this context, in this thread; no model is asked."""
    replies = RecordedReplies(calls)
    around = _current.get()
    with _entered(replace(around, recorded=replies) if around else RunContext(recorded=replies)):
        yield


@contextmanager
def _entered(run: RunContext) -> Iterator[RunContext]:
    token = _current.set(run)
    try:
        yield run
    finally:
        _current.reset(token)


@contextmanager
def running_pipeline(stages: Mapping[str, Stage]) -> Iterator[None]:
    """Count the time of components for these stages, while a pipeline runs."""
    run = _current.get()
    if run is None:
        yield
        return
    around, run.stages = run.stages, stages
    try:
        yield
    finally:
        run.stages = around


@contextmanager
def stage(name: Stage) -> Iterator[None]:
    """Report the stage, and add its time to the run's."""
    run = _current.get()
    if run is None:
        yield
        return
    run.stage = name
    run.progress(ProgressEvent(stage=name))
    started = time.perf_counter()
    try:
        yield
    finally:
        spent = (time.perf_counter() - started) * _MILLISECONDS
        run.timings[name] = run.timings.get(name, 0.0) + spent


def report(*, done: int, unit: str, message: str = "") -> None:
    """
    Report progress inside the current stage.

    :param done: How much of it is done.
    :param unit: What is counted; `token` for the words of a model, with the words themselves as the message. They are a
        draft: nothing of it has been checked yet.
    :raises CancelledError: If whoever listens wants the work to stop.
    """
    run = _current.get()
    if run is not None and run.stage is not None:
        run.progress(ProgressEvent(stage=run.stage, done=done, unit=unit, message=message))


def note_pipeline(name: str, pipeline: Pipeline) -> None:
    """Note a pipeline that runs inside another one."""
    if (run := _current.get()) is not None:
        run.inner[name] = pipeline


def current_replies() -> RecordedReplies | None:
    """Return the recorded replies to answer from; None: ask the model."""
    run = _current.get()
    return run.recorded if run is not None else None


def log_call(call: ModelCall) -> None:
    """Add a call of a model to the run's."""
    if (run := _current.get()) is not None:
        run.calls.append(call)


def spent_tokens() -> int:
    """Return the tokens of all calls so far, as the servers count them."""
    run = _current.get()
    return sum((call.tokens_in or 0) + (call.tokens_out or 0) for call in run.calls) if run is not None else 0


def note_silence(generator: object, error: GeneratorError) -> None:
    """Remember that a generator let its time run out."""
    if (run := _current.get()) is not None:
        run.silent.setdefault(id(generator), error)


def silence_of(generator: object) -> GeneratorError | None:
    """Return what a generator's time ran out with in this run; None: it has not."""
    run = _current.get()
    return run.silent.get(id(generator)) if run is not None else None
