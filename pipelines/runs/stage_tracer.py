"""Time, progress and outputs of each component, seen through Haystack's tracing: no component knows of it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from haystack.tracing.tracer import Span, Tracer, enable_tracing, tracer

from pipelines.runs.context import RunContext, current_run, stage

_OPERATION = "haystack.component.run"
_NAME = "haystack.component.name"
_OUTPUT = "haystack.component.output"


class StageTracer(Tracer):
    """
    Count the time of components for the stages of their run; outside a run, do nothing.

    :param below: The tracer that was there before; it sees everything, too.
    """

    def __init__(self, below: Tracer) -> None:
        self.below = below

    @contextmanager
    def trace(
        self, operation_name: str, tags: dict[str, Any] | None = None, parent_span: Span | None = None
    ) -> Iterator[Span]:
        """Trace an operation of Haystack."""
        run, name = current_run(), str((tags or {}).get(_NAME))
        counts_for = run.stages.get(name) if run is not None and operation_name == _OPERATION else None
        with self.below.trace(operation_name, tags, parent_span) as span:
            if run is None or counts_for is None:
                yield span
                return
            with stage(counts_for):
                yield _ComponentSpan(span, name, run)

    def current_span(self) -> Span | None:
        """Return the innermost span of the tracer below."""
        return self.below.current_span()


class _ComponentSpan(Span):
    """Keeps what a component gave, and hands everything to the span below."""

    def __init__(self, below: Span, component: str, run: RunContext) -> None:
        self._below = below
        self._component = component
        self._run = run

    def set_tag(self, key: str, value: Any) -> None:
        self._below.set_tag(key, value)

    def set_content_tag(self, key: str, value: Any) -> None:
        if key == _OUTPUT:
            self._run.outputs[self._component] = value
        self._below.set_content_tag(key, value)

    def raw_span(self) -> Any:
        return self._below.raw_span()

    def get_correlation_data_for_logs(self) -> dict[str, Any]:
        found: dict[str, Any] = self._below.get_correlation_data_for_logs()
        return found


def trace_stages() -> None:
    """Let Haystack tell of each component that runs; doing it again changes nothing."""
    below = tracer.actual_tracer
    if not isinstance(below, StageTracer):
        enable_tracing(StageTracer(below))
