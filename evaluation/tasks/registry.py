"""The tasks that there are: every folder here whose `task.py` holds a `TASK`."""

import functools
import importlib
import pkgutil
from typing import Any

import evaluation.tasks
from core.errors import NotFoundError
from evaluation.runs.session import Task
from evaluation.tasks.system_task import SystemTask


@functools.cache
def tasks() -> dict[str, Task[Any, Any]]:
    """Return name to task, by name."""
    modules = [
        importlib.import_module(f"evaluation.tasks.{folder.name}.task")
        for folder in pkgutil.iter_modules(evaluation.tasks.__path__)
        if folder.ispkg
    ]
    found: list[Task[Any, Any]] = [module.TASK for module in modules if hasattr(module, "TASK")]
    return {task.name: task for task in sorted(found, key=lambda task: task.name)}


def system_tasks() -> dict[str, SystemTask[Any, Any]]:
    """Return name to task of those that ask a system, by name: each is a command and an entry of benchmarks."""
    return {name: task for name, task in tasks().items() if isinstance(task, SystemTask)}


def get_task(name: str) -> Task[Any, Any]:
    """
    Return a task.

    :raises NotFoundError: If there is none of this name.
    """
    if name not in tasks():
        raise NotFoundError(f"there is no task {name!r}", field="task", hint=f"Use one of: {', '.join(tasks())}.")
    return tasks()[name]


def get_system_task(name: str) -> SystemTask[Any, Any]:
    """
    Return a task that asks a system.

    :raises NotFoundError: If there is none of this name.
    """
    task = get_task(name)
    if not isinstance(task, SystemTask):
        known = ", ".join(system_tasks())
        raise NotFoundError(f"task {name} asks no system", field="task", hint=f"Use one of: {known}.")
    return task
