"""One evaluation from beginning to end: find or begin the run, predict what is missing, score, write the report."""

import secrets
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Generic

from core import __version__
from core.errors import CancelledError, InputError
from core.locks import process_lock
from core.progress import Progress, ignore_progress
from core.settings import Settings
from evaluation.reports.build import build_report
from evaluation.reports.models import Report, Scores
from evaluation.reports.write import write_report
from evaluation.runs.fingerprints import fingerprint, hash_code, hash_models
from evaluation.runs.folder import LOCK, RunFolder
from evaluation.runs.models import DataInfo, ItemT, Manifest, OutputT, Prediction
from evaluation.runs.predictions import Predict, execute
from evaluation.runs.repeats import score_repeats


@dataclass(frozen=True)
class Task(Generic[ItemT, OutputT]):
    """One kind of evaluation: its items, its predictions, and how they are scored."""

    name: str
    item_type: type[ItemT]
    output_type: type[OutputT]
    score: Callable[[Sequence[ItemT], Sequence[Prediction[OutputT]]], Scores]
    """A pure function of saved items and predictions."""


@dataclass(frozen=True)
class RunPlan(Generic[ItemT]):
    """What to predict, with what."""

    title: str
    data: DataInfo
    items: Sequence[ItemT]
    system: str
    predict: Predict[ItemT]
    options: dict[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    repeats: int = 1
    workers: int = 1


def run_task(
    task: Task[ItemT, OutputT],
    plan: RunPlan[ItemT],
    settings: Settings,
    *,
    fresh: bool = False,
    progress: Progress = ignore_progress,
) -> tuple[RunFolder, Report]:
    """
    Predict, score and report.

    A run of the same data, system, settings, models and code that was stopped, or in which items failed, is gone on
    with.

    :param fresh: Begin anew even so.
    :raises InputError: If there is nothing to predict for, or an id stands twice.
    :raises StoreLockedError: If another process is making the same run.
    :raises CancelledError: If the user stops it; the message says how to go on.
    """
    if not plan.items:
        raise InputError("there are no items to evaluate", field="data", hint="Check the data and the split.")
    name, count = Counter(item.id for item in plan.items).most_common(1)[0]
    if count > 1:
        raise InputError(f"item {name} stands {count} times in {plan.data.path}", field="data")
    manifest = _manifest(task.name, plan, settings)
    begun = None if fresh else _resumable(settings.data_dir, manifest)
    folder = begun or RunFolder(settings.data_dir / "runs" / manifest.run_id)
    # Two that go on with one run would ask for every item twice, and each cut off what the other is writing.
    with process_lock(folder.path / LOCK, doing="making the run", hint="Wait for it, or begin another with --fresh."):
        if begun is None:
            folder.create(manifest, plan.items)
        try:
            execute(
                folder,
                plan.items,
                plan.predict,
                output_type=task.output_type,
                repeats=plan.repeats,
                workers=plan.workers,
                progress=progress,
            )
        except CancelledError as error:
            raise CancelledError(f"{error.message} (run {folder.path.name})", hint=error.hint) from error
        return folder, score_run(task, folder)


def score_run(task: Task[ItemT, OutputT], folder: RunFolder) -> Report:
    """Score saved predictions and write the report beside them. No model is asked."""
    items = folder.items(task.item_type)
    place = {item.id: at for at, item in enumerate(items)}
    # In the order of the items, not in that of arrival: nothing computed may depend on who answered first.
    predictions = sorted(folder.predictions(task.output_type), key=lambda one: (one.repeat, place[one.id]))
    manifest = folder.manifest()
    report = build_report(manifest, predictions, score_repeats(task.score, items, predictions, manifest.repeats))
    report = report.model_copy(update={"missing": len(place) * manifest.repeats - len(predictions)})
    write_report(report, folder.path)
    return report


def _manifest(task: str, plan: RunPlan[Any], settings: Settings) -> Manifest:
    now = datetime.now(UTC)
    public = {name: value for name, value in settings.public().items() if name not in {"host", "port"}}
    mark = fingerprint(
        task=task,
        data=[plan.data.sha256, plan.data.index_snapshot],
        items=[item.model_dump(mode="json") for item in plan.items],
        system=plan.system,
        options=plan.options,
        settings=public,
        repeats=plan.repeats,
        models=hash_models(settings),
        code=hash_code(),
    )
    return Manifest(
        run_id=f"{task}-{now:%Y%m%d-%H%M%S}-{secrets.token_hex(2)}",
        task=task,
        title=plan.title,
        created_at=now,
        version=__version__,
        data=plan.data,
        system=plan.system,
        options=plan.options,
        settings=public,
        repeats=plan.repeats,
        notes=plan.notes,
        fingerprint=mark,
    )


def _resumable(data_dir: Path, wanted: Manifest) -> RunFolder | None:
    """Return the newest run with this fingerprint that has no whole report yet, or one with failed or missing items."""
    for path in sorted((data_dir / "runs").glob(f"{wanted.task}-*/manifest.json"), reverse=True):
        folder = RunFolder(path.parent)
        found = folder.readable_manifest()
        if found is not None and found.fingerprint == wanted.fingerprint and folder.open_in_report() != 0:
            return folder
    return None
