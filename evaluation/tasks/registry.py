"""The tasks that there are, by name."""

from typing import Any

from core.errors import NotFoundError
from evaluation.session import Task
from evaluation.tasks import extraction, rag, reader, retrieval, verdict


def get_task(name: str) -> Task[Any, Any]:
    """
    Return a task.

    :raises NotFoundError: If there is none of this name.
    """
    tasks: dict[str, Task[Any, Any]] = {
        task.name: task for task in (retrieval.TASK, reader.TASK, rag.TASK, verdict.TASK, extraction.TASK)
    }
    if name not in tasks:
        raise NotFoundError(f"there is no task {name!r}", field="task", hint=f"Use one of: {', '.join(tasks)}.")
    return tasks[name]
