"""Pipelines inside pipelines: what asks the same thing several times runs another pipeline for each time."""

from typing import Any, Protocol, runtime_checkable

from core.errors import InputError
from core.types import Request
from pipelines.systems.system import System


class Runner(Protocol):
    """Runs pipelines by name; `pipelines.engine.Engine` is one."""

    def run_pipeline(self, name: str, inputs: dict[str, Any], *, options: dict[str, Any]) -> dict[str, Any]:
        """Return component to outputs."""
        ...


@runtime_checkable
class NeedsRunner(Protocol):
    """A component that runs other pipelines; set before the first run."""

    runner: Runner | None


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
