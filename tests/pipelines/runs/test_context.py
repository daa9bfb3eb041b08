"""The one context of a run, and the tracer that fills it."""

import threading
from typing import Any

from haystack import Pipeline, component, tracing

from core.progress import ProgressEvent, Stage
from core.types import ModelCall
from pipelines.runs.context import (
    current_run,
    log_call,
    recorded_replies,
    report,
    run_context,
    running_pipeline,
    spent_tokens,
    stage,
)
from pipelines.runs.stage_tracer import StageTracer, trace_stages


@component
class Doubler:
    @component.output_types(value=int)
    def run(self, value: int) -> dict[str, int]:
        report(done=value, unit="number")
        return {"value": 2 * value}


def call(tokens: int) -> ModelCall:
    return ModelCall(
        purpose="answer", generator="g", messages=(), reply="x", failure=None, duration_ms=1.0, tokens_in=tokens
    )


def doubling() -> Pipeline:
    pipeline = Pipeline()
    pipeline.add_component("first", Doubler())
    pipeline.add_component("second", Doubler())
    pipeline.connect("first.value", "second.value")
    return pipeline


def test_components_count_for_their_stages_without_being_touched() -> None:
    events: list[ProgressEvent] = []
    pipeline = doubling()
    before = {name: dict(vars(made)) for name, made in pipeline.walk()}
    trace_stages()
    with run_context(events.append) as run, running_pipeline({"first": Stage.READ}):
        assert pipeline.run({"first": {"value": 1}}) == {"second": {"value": 4}}
    assert set(run.timings) == {Stage.READ}
    assert run.outputs == {"first": {"value": 2}}
    assert [(event.stage, event.done) for event in events] == [(Stage.READ, 0), (Stage.READ, 1), (Stage.READ, 2)]
    assert {name: dict(vars(made)) for name, made in pipeline.walk()} == before


def test_outside_a_run_nothing_is_kept() -> None:
    trace_stages()
    assert doubling().run({"first": {"value": 1}}) == {"second": {"value": 4}}
    log_call(call(3))
    with stage(Stage.READ):
        report(done=1, unit="x")
    assert (current_run(), spent_tokens()) == (None, 0)


def test_threads_have_runs_of_their_own() -> None:
    seen: list[Any] = []
    with run_context():
        log_call(call(5))
        thread = threading.Thread(target=lambda: seen.append(current_run()))
        thread.start()
        thread.join()
        assert (seen, spent_tokens()) == ([None], 5)


def test_a_run_inside_recorded_replies_answers_from_them() -> None:
    with recorded_replies([call(1)]), run_context() as run:
        assert run.recorded is not None
        assert run.recorded.take("answer", "g", ()).reply == "x"
    with run_context() as run:
        assert run.recorded is None


def test_the_tracer_that_was_there_still_sees_everything() -> None:
    below = tracing.tracer.actual_tracer
    trace_stages()
    trace_stages()
    found = tracing.tracer.actual_tracer
    assert isinstance(found, StageTracer)
    assert not isinstance(found.below, StageTracer)
    assert below in {found, found.below}
