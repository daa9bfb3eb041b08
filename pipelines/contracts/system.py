"""What a system is: a name, its options, and how a request goes into its pipeline and a result comes out."""

from collections.abc import Sequence
from typing import Any, Protocol, TypeVar, runtime_checkable

from pydantic import ValidationError

from core.requests import input_error
from core.types import MAX_QUERY_CHARS, Model, QueryKind, Request, Result, RunRecord, Searched

OptionsT = TypeVar("OptionsT", bound=Model)


def read_options(options: type[OptionsT], request: Request, *, system: str) -> OptionsT:
    """
    Read the options of a request.

    :param system: Its name, for the message.
    :raises InputError: For an option or value that the system does not have.
    """
    try:
        return options.model_validate(request.options)
    except ValidationError as error:
        raise input_error(error, hint=f"Options of {system}: {', '.join(options.model_fields)}.") from error


class SystemInfo(Model):
    """A thing that a user can ask for, as REST, command line and web page list it."""

    name: str
    title: str
    summary: str
    """One sentence."""
    options: dict[str, Any]
    """JSON schema of `Request.options`."""
    max_chars: int = MAX_QUERY_CHARS
    """Longest text that it takes."""


class RunFacts(Model):
    """What the engine knows about a run, whatever the system."""

    request: Request
    kind: QueryKind
    searched: Searched | None
    timings: dict[str, float]
    run_id: str
    run: RunRecord | None = None


class Runner(Protocol):
    """Runs pipelines by name; `pipelines.engine.Engine` is one."""

    def run_pipeline(self, name: str, inputs: dict[str, Any], *, options: dict[str, Any]) -> dict[str, Any]:
        """Return component to outputs."""
        ...


@runtime_checkable
class Divided(Protocol):
    """A system that takes some requests apart, runs its pipeline for each part, and joins what comes out."""

    def part_inputs(self, request: Request, *, kind: QueryKind, top_k: int) -> Sequence[tuple[Request, dict[str, Any]]]:
        """Return each part as a request of its own, with the pipeline's inputs; empty: the request stays whole."""
        ...

    def joined(self, parts: Sequence[Result], facts: RunFacts) -> Result:
        """Make the result of the request of those of its parts."""
        ...


class System(Protocol):
    """One file in `pipelines/systems/` holds one of these as `SYSTEM`."""

    info: SystemInfo
    pipeline: str
    """Name of the file in `configs/pipelines/`."""

    def check_options(self, request: Request) -> dict[str, Any]:
        """
        Return the request's options, checked.

        :raises InputError: For an option or value that this system does not have.
        """
        ...

    def inputs(self, request: Request, *, kind: QueryKind, top_k: int) -> dict[str, Any]:
        """Return the pipeline's inputs: component to parameter to value."""
        ...

    def result(self, outputs: dict[str, Any], facts: RunFacts) -> Result:
        """Make the result of the pipeline's outputs."""
        ...
