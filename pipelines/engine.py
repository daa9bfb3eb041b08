"""The one function that everyone asks: `Engine.run(system, request)` gives a result."""

import hashlib
import logging
import threading
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from haystack import Pipeline, default_to_dict
from haystack.core.errors import PipelineRuntimeError

from core import __version__
from core.errors import CancelledError, InputError, LooksyError, StoreMissingError, StoreVersionError
from core.progress import Progress, Stage, ignore_progress
from core.settings import Settings
from core.types import Failure, Notice, Request, Result, RunRecord, Searched, Status
from indexing.stores.contract import EvidenceStore
from pipelines.contracts.system import Divided, RunFacts, System
from pipelines.pipeline_file import PipelineFile, build_pipeline, read_pipeline_file
from pipelines.query.coverage import fit_request, fitting_counts, searched
from pipelines.query.kind import detect_kind
from pipelines.resources import Resources, identity_of
from pipelines.runs.context import RunContext, note_pipeline, run_context, running_pipeline
from pipelines.runs.record import digests_of, retrieved_of, verdict_inputs_of
from pipelines.runs.stage_tracer import trace_stages
from pipelines.systems.registry import check_length, get_system, list_systems

logger = logging.getLogger(__name__)

_NOT_FAILURES = (InputError, StoreMissingError, StoreVersionError, CancelledError)
"""Raised to the caller, who can do something about them; everything else becomes a failed result."""


class Engine:
    """
    Run systems. Thread-safe; models and store are opened when first needed and shared.

    :param settings: How this installation runs.
    :param store: Use this store instead of the one that the settings name.
    """

    def __init__(self, settings: Settings, *, store: EvidenceStore | None = None) -> None:
        self.settings = settings
        self.resources = Resources(settings, store=store)
        self._given_store = store
        self._pipelines: dict[tuple[str, str], Pipeline] = {}
        self._files: dict[str, PipelineFile] = {}
        self._lock = threading.RLock()

    def to_dict(self) -> dict[str, Any]:
        """Return the constructor's arguments as Haystack writes them into a pipeline file."""
        return default_to_dict(self, settings=self.settings, store=self._given_store)

    def run(
        self,
        system: str,
        request: Request,
        *,
        progress: Progress = ignore_progress,
    ) -> Result:
        """
        Answer a request.

        :param system: Name of a system, see `list_systems`.
        :param progress: Told of each stage, and of each word that a chat model writes (unit `token`); may raise
            `CancelledError`.
        :returns: The result. When a part fails, its status is failed and it has a reason and no verdict.
        :raises InputError: If the system or an option does not exist, or no indexed article is within the bounds.
        :raises StoreError: If there is no index yet, or it is another version's.
        """
        chosen = get_system(system)
        check_length(chosen, request)
        options = chosen.check_options(request)
        kind = request.kind or detect_kind(request.text)
        run_id = uuid4().hex
        coverage: Searched | None = None
        notices: tuple[Notice, ...] = ()

        def facts(*outputs: dict[str, Any]) -> RunFacts:
            record = self._record(chosen, request, outputs, coverage, run_id=run_id, context=context)
            return RunFacts(
                request=request, kind=kind, searched=coverage, timings=record.timings, run_id=run_id, run=record
            )

        with run_context(progress) as context:
            try:
                pipeline = self._pipeline(chosen.pipeline, options)
                if not _asks_elsewhere(pipeline):
                    store = self.resources.store()
                    counts = fitting_counts(store, request)
                    request, notices = fit_request(request, counts)
                    coverage = searched(request, counts, snapshot_id=store.snapshot_id())
                stages, top_k = self._files[chosen.pipeline].stages, self._top_k(request)
                parts = chosen.part_inputs(request, kind=kind, top_k=top_k) if isinstance(chosen, Divided) else ()
                if isinstance(chosen, Divided) and parts:
                    runs = [(part, _execute(pipeline, inputs, stages)) for part, inputs in parts]
                    whole = facts(*(outputs for _, outputs in runs))
                    found = [chosen.result(outputs, _part_facts(whole, part)) for part, outputs in runs]
                    result = chosen.joined(found, whole)
                else:
                    outputs = _execute(pipeline, chosen.inputs(request, kind=kind, top_k=top_k), stages)
                    result = chosen.result(outputs, facts(outputs))
                result = _timed(result, context.finish())
                return result.model_copy(update={"warnings": (*notices, *result.warnings)})
            except _NOT_FAILURES:
                raise
            except Exception as error:
                logger.exception("run failed", extra={"run_id": run_id, "system": system})
                return _failed(system, facts(context.outputs), error)

    def warm_up(self) -> None:
        """
        Open the store and load the models of every system, so that the first request is as fast as the rest.

        :raises LooksyError: If any of them cannot be used.
        """
        self.resources.store()
        for info in list_systems():
            system = get_system(info.name)
            self._pipeline(system.pipeline, system.check_options(Request(text="warm up")))

    def close(self) -> None:
        """Give back the store; closing twice is harmless."""
        with self._lock:
            self._pipelines.clear()
            self.resources.close()

    def run_pipeline(self, name: str, inputs: dict[str, Any], *, options: dict[str, Any]) -> dict[str, Any]:
        """
        Run a pipeline inside another one; its time counts for its own stages.

        :param name: Of a file in `configs/pipelines/`.
        :param inputs: Component to parameter to value.
        :param options: Of the request, for the file's choices.
        :returns: Component to outputs.
        """
        pipeline = self._pipeline(name, options)
        note_pipeline(name, pipeline)
        return _execute(pipeline, inputs, self._files[name].stages)

    def _top_k(self, request: Request) -> int:
        return request.top_k or self.settings.top_k

    def _pipeline(self, name: str, options: dict[str, Any]) -> Pipeline:
        """Return the pipeline for these options, built and warmed up once."""
        with self._lock:
            if name not in self._files:
                self._files[name] = read_pipeline_file(name)
            key = self._key(name, options)
            if key not in self._pipelines:
                self._pipelines[key] = self._build(self._files[name], self.settings.model_dump(mode="json") | options)
            return self._pipelines[key]

    def _key(self, name: str, options: dict[str, Any]) -> tuple[str, str]:
        """Name a pipeline by its file and what its choices come to."""
        file = self._files.get(name)
        values = self.settings.model_dump(mode="json") | options
        return name, str([values.get(choice["setting"]) for choice in file.choices.values()] if file else [])

    def _build(self, file: PipelineFile, values: dict[str, Any]) -> Pipeline:
        pipeline = build_pipeline(file, values, slots=self.resources.slots() | {"runner": lambda: self})
        pipeline.warm_up()
        return pipeline

    def _record(
        self,
        system: System,
        request: Request,
        outputs: Sequence[dict[str, Any]],
        coverage: Searched | None,
        *,
        run_id: str,
        context: RunContext,
    ) -> RunRecord:
        """
        Make the run record.

        :param outputs: Of the components that finished; not all of them where the run failed. Several where the
            request was taken apart.
        :param coverage: None: the run failed before the store was opened, or does not search it.
        """
        timings = context.finish()
        own = self._pipelines.get(self._key(system.pipeline, request.options))
        models = _component_models(own) if own else {}
        for name, pipeline in context.inner.items():
            models |= {f"{name}.{part}": model for part, model in _component_models(pipeline).items()}
        return RunRecord(
            run_id=run_id,
            created_at=datetime.now(UTC),
            version=__version__,
            system=system.info.name,
            request=request,
            settings=self.settings.public(),
            snapshot_id=coverage.snapshot_id if coverage else None,
            models=self.resources.model_identities() | models,
            pipeline_hash=self._pipeline_hash(system.pipeline, *context.inner),
            retrieved=retrieved_of(outputs),
            digests=digests_of(outputs),
            calls=tuple(context.calls),
            verdict_inputs=verdict_inputs_of(outputs),
            timings=timings,
        )

    def _pipeline_hash(self, *names: str) -> str:
        """Return the hash of a pipeline's file; of several, one of theirs; empty: none was read."""
        hashes = [self._files[name].content_hash for name in names if name in self._files]
        return hashlib.sha256(" ".join(hashes).encode()).hexdigest()[:16] if len(hashes) > 1 else "".join(hashes)


def _component_models(pipeline: Pipeline) -> dict[str, str]:
    """Return component to the models that it has of its own: a reader's, an embedder."""
    components: dict[str, Any] = dict(pipeline.walk())
    models = {name: identity_of(made) for name, made in components.items() if hasattr(type(made), "identity")}
    return {name: identity for name, identity in models.items() if identity}


def _asks_elsewhere(pipeline: Pipeline) -> bool:
    """Say whether a pipeline asks another search engine than our index."""
    return any(getattr(made, "elsewhere", False) for _, made in pipeline.walk())


def _execute(pipeline: Pipeline, inputs: dict[str, Any], stages: Mapping[str, Stage]) -> dict[str, Any]:
    """Run a pipeline, and raise what a component raised instead of Haystack's wrapping."""
    trace_stages()
    try:
        with running_pipeline(stages):
            return pipeline.run(inputs, include_outputs_from={name for name, _ in pipeline.walk()})
    except PipelineRuntimeError as error:
        if error.__cause__ is not None:
            raise error.__cause__ from error
        raise


def _part_facts(whole: RunFacts, part: Request) -> RunFacts:
    """Return what is known of a run, for a part of its request; the record is of the whole."""
    return whole.model_copy(update={"request": part, "timings": {}, "run": None})


def _timed(result: Result, timings: dict[str, float]) -> Result:
    """Note the times once all is done: writing result and record down is part of the run."""
    record = result.run.model_copy(update={"timings": timings}) if result.run else None
    return result.model_copy(update={"timings": timings, "run": record})


def _failed(system: str, facts: RunFacts, error: Exception) -> Result:
    """Make the result of a run that failed; the words of an error that nobody foresaw are for the log alone."""
    if isinstance(error, LooksyError):
        failure = Failure(code=error.code, message=error.message, field=error.field, hint=error.hint)
    else:
        failure = Failure(
            code="internal_error",
            message="Something went wrong that Looksy did not foresee",
            hint=f"The log tells more about run {facts.run_id}.",
        )
    return Result(
        system=system,
        request=facts.request,
        kind=facts.kind,
        status=Status.FAILED,
        verdict=None,
        answer="",
        failure=failure,
        searched=facts.searched,
        timings=facts.timings,
        run_id=facts.run_id,
        run=facts.run,
    )
