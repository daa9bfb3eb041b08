"""The systems that there are: every module of this folder that holds a `SYSTEM`."""

import functools
import importlib
import pkgutil

import pipelines.systems
from core.errors import NotFoundError
from pipelines.systems.system import System, SystemInfo


@functools.cache
def systems() -> dict[str, System]:
    """Return name to system, by name."""
    modules = [
        importlib.import_module(f"pipelines.systems.{module.name}")
        for module in pkgutil.iter_modules(pipelines.systems.__path__)
        if module.name not in {"registry", "system"}
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


def list_systems() -> list[SystemInfo]:
    """Return what can be asked for, by name."""
    return [system.info for system in systems().values()]
