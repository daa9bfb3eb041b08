"""The systems that there are: every folder here whose `__init__` names a `SYSTEM`."""

import functools
import importlib
import pkgutil
from collections.abc import Mapping
from typing import Any

import pipelines.systems
from core.errors import InputError, NotFoundError
from core.requests import parse_request
from core.types import Request
from pipelines.contracts.system import System, SystemInfo


@functools.cache
def systems() -> dict[str, System]:
    """Return name to system, by name."""
    modules = [
        importlib.import_module(f"pipelines.systems.{module.name}")
        for module in pkgutil.iter_modules(pipelines.systems.__path__)
        if module.name != "registry"
    ]
    found: list[System] = [module.SYSTEM for module in modules if hasattr(module, "SYSTEM")]
    return {system.info.name: system for system in sorted(found, key=lambda system: system.info.name)}


def get_system(name: str) -> System:
    """
    Return a system by name.

    :raises NotFoundError: If there is none.
    """
    try:
        return systems()[name]
    except KeyError as error:
        known = ", ".join(systems())
        raise NotFoundError(f"there is no system {name!r}", field="system", hint=f"Use one of: {known}.") from error


def request_for(name: str, fields: Mapping[str, Any]) -> Request:
    """
    Make a request to a system from untrusted fields.

    :raises NotFoundError: If there is no such system.
    :raises InputError: For the first field that cannot be used.
    """
    return parse_request(fields, max_chars=get_system(name).info.max_chars)


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


def list_systems() -> list[SystemInfo]:
    """Return what can be asked for, by name."""
    return [system.info for system in systems().values()]
