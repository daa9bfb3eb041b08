"""
Traces of requests and their stages for OpenTelemetry: optional, and off unless `telemetry_url` is set.

A span says which route, system and stage ran, how long, and how it ended. What users ask, addresses as they were typed
and words of errors are in none: names and values come from fixed sets.
"""

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from core import __version__
from core.errors import ConfigError, LooksyError
from core.progress import Progress, ProgressEvent, Stage
from core.settings import Settings
from core.types import Result
from service.api.metrics_middleware import method_of, route_of

if TYPE_CHECKING:
    from opentelemetry.trace import Span, Tracer

NAME = "looksy"
SERVER_ERROR = 500


class Telemetry:
    """
    Makes spans; without a tracer it does nothing.

    :param tracer: Of OpenTelemetry; None: no traces.
    """

    def __init__(self, tracer: "Tracer | None" = None) -> None:
        self.tracer = tracer

    @contextlib.contextmanager
    def answer(self, system: str, progress: Progress) -> Iterator["AnswerSpan"]:
        """
        Trace one answer; its stages are spans within.

        :param system: Name of the system, once it is known to exist.
        :param progress: Told what the span's own progress is told.
        """
        if self.tracer is None:
            yield AnswerSpan(None, None, progress)
            return
        with _span(self.tracer, f"answer {system}", {"looksy.system": system}) as span:
            answer = AnswerSpan(self.tracer, span, progress)
            try:
                yield answer
            finally:
                answer.end_stage()


@contextlib.contextmanager
def _span(tracer: "Tracer", name: str, attributes: dict[str, str]) -> Iterator["Span"]:
    with tracer.start_as_current_span(
        name, attributes=attributes, record_exception=False, set_status_on_exception=False
    ) as span:
        try:
            yield span
        except BaseException as error:
            span.set_attribute("error.type", error.code if isinstance(error, LooksyError) else type(error).__name__)
            _mark_failed(span)
            raise


class AnswerSpan:
    """The span of one answer; `progress` opens a span for each stage that begins."""

    def __init__(self, tracer: "Tracer | None", span: "Span | None", progress: Progress) -> None:
        self._tracer = tracer
        self._span = span
        self._progress = progress
        self._stage: Stage | None = None
        self._stage_span: Span | None = None

    def progress(self, event: ProgressEvent) -> None:
        """Note that a stage began, and pass the event on."""
        if self._tracer is not None and event.stage is not self._stage:
            self.end_stage()
            self._stage = event.stage
            self._stage_span = self._tracer.start_span(event.stage.value)
        self._progress(event)

    def end_stage(self) -> None:
        """End the span of the stage that runs."""
        if self._stage_span is not None:
            self._stage_span.end()
            self._stage, self._stage_span = None, None

    def note(self, result: Result) -> None:
        """Say on the span what came out."""
        if self._span is None:
            return
        self._span.set_attribute("looksy.run_id", result.run_id)
        self._span.set_attribute("looksy.status", result.status.value)
        if result.verdict is not None:
            self._span.set_attribute("looksy.verdict", result.verdict.value)
        if result.failure is not None:
            self._span.set_attribute("error.type", result.failure.code)
            _mark_failed(self._span)


class TracingMiddleware:
    """Trace each request by method, route and status."""

    def __init__(self, app: ASGIApp, *, telemetry: Telemetry) -> None:
        self.app = app
        self.telemetry = telemetry

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        tracer = self.telemetry.tracer
        if tracer is None or scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        from opentelemetry.trace import SpanKind

        with tracer.start_as_current_span(
            "request", kind=SpanKind.SERVER, record_exception=False, set_status_on_exception=False
        ) as span:
            status = SERVER_ERROR

            async def send_noted(message: Message) -> None:
                nonlocal status
                if message["type"] == "http.response.start":
                    status = message["status"]
                await send(message)

            try:
                await self.app(scope, receive, send_noted)
            finally:
                _describe(span, scope, status)


def make_telemetry(settings: Settings) -> Telemetry:
    """
    Make the telemetry that the settings ask for; spans are sent in the background.

    :raises ConfigError: If `telemetry_url` is set and the extra is not installed.
    """
    if settings.telemetry_url is None:
        return Telemetry()
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError as error:
        raise ConfigError(
            "telemetry_url is set, and OpenTelemetry is not installed",
            field="telemetry_url",
            hint="pip install 'looksy[telemetry]'",
        ) from error
    provider = TracerProvider(resource=Resource.create({"service.name": NAME, "service.version": __version__}))
    endpoint = f"{settings.telemetry_url.rstrip('/')}/v1/traces"
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(endpoint=endpoint)))
    return Telemetry(provider.get_tracer(NAME, __version__))


def _describe(span: "Span", scope: Scope, status: int) -> None:
    """Name a request's span by its route: the pattern, never the address as it was typed."""
    method, route = method_of(scope), route_of(scope)
    span.update_name(f"{method} {route}")
    values: dict[str, Any] = {"http.request.method": method, "http.route": route, "http.response.status_code": status}
    span.set_attributes(values | {"looksy.request_id": scope.get("state", {}).get("request_id", "")})
    if status >= SERVER_ERROR:
        _mark_failed(span)


def _mark_failed(span: "Span") -> None:
    from opentelemetry.trace import StatusCode

    span.set_status(StatusCode.ERROR)
