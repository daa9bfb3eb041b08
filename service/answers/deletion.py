"""Deletes runs everywhere: in the database, and in the kept results of batches."""

import contextlib
import json
import os
from collections.abc import Iterable
from pathlib import Path

from core.settings import Settings
from service.answers.archive import Archive, Deletion
from service.answers.run_files import FOLDER as OLD_FOLDER
from service.jobs.batches import FOLDER as BATCH_FOLDER


def delete_run(settings: Settings, archive: Archive, run_id: str) -> Deletion:
    """
    Delete one run for good.

    :raises NotFoundError: If there is no such run.
    :raises ConflictError: If it is on the desk.
    """
    done = archive.delete(run_id)
    return done.model_copy(update={"batch_lines": _forget(settings, [run_id])})


def delete_person(settings: Settings, archive: Archive, person: str) -> Deletion:
    """Delete all that a person asked; runs on the desk stay there without the name."""
    run_ids = archive.run_ids(person)
    done = archive.delete_person(person)
    return done.model_copy(update={"batch_lines": _forget(settings, run_ids)})


def _forget(settings: Settings, run_ids: Iterable[str]) -> int:
    """Take runs out of the files that hold them; return how many lines of batch results went."""
    gone = set(run_ids)
    if not gone:
        return 0
    for run_id in gone:
        with contextlib.suppress(OSError):
            (settings.data_dir / OLD_FOLDER / f"{run_id}.json").unlink(missing_ok=True)
    return sum(_rewrite(path, gone) for path in (settings.data_dir / BATCH_FOLDER).glob("*.jsonl"))


def _rewrite(path: Path, gone: set[str]) -> int:
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    kept = [line for line in lines if _run_id(line) not in gone]
    if len(kept) == len(lines):
        return 0
    partial = path.with_suffix(".tmp")
    with open(partial, "w", encoding="utf-8", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
        file.writelines(kept)
    partial.replace(path)
    return len(lines) - len(kept)


def _run_id(line: str) -> str | None:
    try:
        row = json.loads(line)
    except ValueError:
        return None
    return row.get("run_id") if isinstance(row, dict) else None
