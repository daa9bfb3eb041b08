"""Pipelines inside pipelines: what asks the same thing several times runs another pipeline for each time."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Protocol

from haystack import Pipeline

from core.errors import InputError
from core.types import Request
from pipelines.contracts.system import System


class Runner(Protocol):
    """Runs pipelines by name; `pipelines.engine.Engine` is one."""

    def run_pipeline(self, name: str, inputs: dict[str, Any], *, options: dict[str, Any]) -> dict[str, Any]:
        """Return component to outputs."""
        ...


_inner: ContextVar[dict[str, Pipeline] | None] = ContextVar("inner_pipelines", default=None)


@contextmanager
def inner_pipelines() -> Iterator[dict[str, Pipeline]]:
    """Collect the pipelines that are run inside another one, by name, in this context and thread."""
    found: dict[str, Pipeline] = {}
    token = _inner.set(found)
    try:
        yield found
    finally:
        _inner.reset(token)


def note_pipeline(name: str, pipeline: Pipeline) -> None:
    """Add a pipeline to the collection, if one is kept."""
    found = _inner.get()
    if found is not None:
        found[name] = pipeline


def check_length(system: System, request: Request) -> None:
    """
    Make sure that a system takes a text of this length.

    :raises InputError: If it does not.
    """
    if len(request.text) > system.info.max_chars:
        raise InputError(
            f"text has {len(request.text)} characters; {system.info.name} takes at most {system.info.max_chars}",
            field="text",
            hint="Send less of it.",
        )
