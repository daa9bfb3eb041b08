"""A task that asks one of the systems, and its evaluation from beginning to end (`looksy evaluate NAME`)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic

from core.errors import InputError
from core.progress import Progress, ignore_progress
from core.requests import parse_request
from core.settings import Settings
from evaluation.reports.models import Report
from evaluation.runs.ask_system import open_engine
from evaluation.runs.folder import RunFolder
from evaluation.runs.models import ItemT, OutputT
from evaluation.runs.predictions import Predict
from evaluation.runs.session import RunPlan, Task, run_task
from pipelines.engine import Engine
from pipelines.systems.registry import get_system


@dataclass(frozen=True)
class Pool(Generic[ItemT]):
    """Further items of a task, which parts of a system are compared on and no system is asked for."""

    items: Sequence[ItemT]
    """Their ids differ from those of the task's other items."""
    predict: Predict[ItemT]
    files: tuple[Path, ...]
    """All that was read."""
    note: str
    """What was read, for the report."""


@dataclass(frozen=True)
class SystemTask(Task[ItemT, OutputT]):
    """
    A task whose predictions come from a system of `pipelines/systems`.

    A folder of `evaluation/tasks` whose `task.py` holds one as `TASK` is a command, `looksy evaluate NAME`, and may be
    named in the benchmark files; nothing has to be registered.
    """

    system: str
    """Name of the system."""
    summary: str
    """One sentence: what is measured, and what the data looks like; the help of the command."""
    read: Callable[[Path, str | None], Sequence[ItemT]]
    """From a data file and a split (None: all of it) to items; errors name file and line."""
    predictor: Callable[[Engine, Mapping[str, str]], Predict[ItemT]]
    """From an engine and the options of the system to what is asked for each item."""
    sample: Path | None = None
    """Data to use when none is named; None: some must be named."""
    read_pool: Callable[[Path, str | None], Pool[ItemT]] | None = None
    """From `--pool` and `--pool-split` to further items; None: the task takes none."""
    searches: Callable[[Sequence[ItemT]], bool] = field(default=lambda items: True)
    """Whether articles are searched for these items, so that a corpus or an index is needed."""


@dataclass(frozen=True)
class SystemOptions:
    """How to run a system task."""

    split: str | None = None
    corpus: Path | None = None
    """Articles to search; None: the corpus beside the data, or else the user's own index."""
    options: Mapping[str, str] = field(default_factory=dict)
    """Of the system, as `looksy ask --option` takes them."""
    pool: Path | None = None
    """Further data, for a task that takes some."""
    pool_split: str | None = None
    workers: int = 1
    repeats: int = 1
    fresh: bool = False


def evaluate_system(
    task: SystemTask[ItemT, OutputT],
    path: Path | None,
    settings: Settings,
    options: SystemOptions,
    *,
    progress: Progress = ignore_progress,
) -> tuple[RunFolder, Report]:
    """
    Ask the system for each item and score what came back.

    :param path: The data; None: the task's sample.
    :raises InputError: If the data or the pool cannot be read, no data is named and the task has no sample, a pool is
        named that the task does not take, or the system has no such option.
    """
    file = path or task.sample
    if file is None:
        raise InputError("no data is named, and none ships with Looksy", field="data", hint="Give --data PATH.")
    pool = _read_pool(task, options)
    get_system(task.system).check_options(parse_request({"text": task.system, "options": dict(options.options)}))
    items = task.read(file, options.split)
    retriever = options.options.get("retriever")
    searches = task.searches(items)
    with open_engine(
        file, settings, corpus=options.corpus, retriever=retriever, searches=searches, progress=progress
    ) as opened:
        plan = RunPlan(
            title=f"{task.name.capitalize()} on {file.name}" + (f", {options.split}" if options.split else ""),
            data=opened.data(len(items) + len(pool.items if pool else ()), task.name, pool.files if pool else ()),
            items=[*items, *(pool.items if pool else ())],
            system=task.system,
            predict=_with_pool(task.predictor(opened.engine, options.options), pool),
            options={"split": options.split, **options.options},
            notes=(pool.note,) if pool else (),
            repeats=options.repeats,
            workers=options.workers,
        )
        return run_task(task, plan, settings, fresh=options.fresh, progress=progress)


def _read_pool(task: SystemTask[ItemT, OutputT], options: SystemOptions) -> Pool[ItemT] | None:
    if options.pool is None:
        if options.pool_split is not None:
            raise InputError("a split of a pool is named, and no pool", field="pool_split", hint="Give --pool PATH.")
        return None
    if task.read_pool is None:
        raise InputError(f"{task.name} takes no pool", field="pool", hint="Leave it out.")
    return task.read_pool(options.pool, options.pool_split)


def _with_pool(predict: Predict[ItemT], pool: Pool[ItemT] | None) -> Predict[ItemT]:
    """Predict the items of the pool by the pool."""
    if pool is None:
        return predict
    names = {item.id for item in pool.items}
    return lambda item: pool.predict(item) if item.id in names else predict(item)
