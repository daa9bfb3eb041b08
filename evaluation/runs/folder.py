"""
The folder of a run: `<data_dir>/runs/<run id>/`.

- `manifest.json`: what it is (`Manifest`)
- `items.jsonl`: the items with their gold, so that scoring needs nothing else
- `predictions.jsonl`: one line a prediction, appended as they come; a torn last line is dropped on reading
- `records/`: the run record of each answer, where a system was asked
- `report.json`, `report.md`, `report.html`, `per_query.jsonl`: the scores
- `making.lock`: held by the process that makes it
"""

import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from core.errors import InputError, NotFoundError
from core.files import replacing
from core.types import Model, Result
from evaluation.runs.models import Item, ItemT, Manifest, OutputT, Prediction

MANIFEST, ITEMS, PREDICTIONS, RECORDS = "manifest.json", "items.jsonl", "predictions.jsonl", "records"
LOCK = "making.lock"
ModelT = TypeVar("ModelT", bound=Model)
REPORT = "report.json"


class RunFolder:
    """
    Reads and writes one run.

    :param path: The folder; it need not be there yet.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def create(self, manifest: Manifest, items: Iterable[Item]) -> None:
        """Write items and manifest, the manifest last: a folder with a manifest is whole, also after a power cut."""
        self.path.mkdir(parents=True, exist_ok=True)
        with replacing(self.path / ITEMS) as part, part.open("w", encoding="utf-8") as handle:
            for item in items:
                handle.write(item.model_dump_json() + "\n")
        with replacing(self.path / MANIFEST) as part:
            part.write_text(manifest.model_dump_json(indent=2), encoding="utf-8")

    def manifest(self) -> Manifest:
        """
        Read the manifest.

        :raises NotFoundError: If there is no run here.
        :raises InputError: If another version wrote it.
        """
        file = self.path / MANIFEST
        if not file.is_file():
            raise NotFoundError(
                f"{self.path} holds no run", field="run", hint="'looksy evaluate runs' lists those that are there."
            )
        try:
            return Manifest.model_validate_json(file.read_text(encoding="utf-8"))
        except ValidationError as error:
            raise InputError(f"{file} was written by another version", field="run", hint="Run it again.") from error

    def readable_manifest(self) -> Manifest | None:
        """Read the manifest; None: there is none, or another version wrote it."""
        try:
            return self.manifest()
        except InputError:
            return None

    def open_in_report(self) -> int | None:
        """
        Return how many predictions had failed or were missing when the run was scored.

        :returns: None if there is no report, or none that can be read.
        """
        file = self.path / REPORT
        if not file.is_file():
            return None
        try:
            found = json.loads(file.read_text(encoding="utf-8"))
            return int(found["failed"]) + int(found.get("missing", 0))
        except (ValueError, KeyError, TypeError):
            return None

    def items(self, kind: type[ItemT]) -> list[ItemT]:
        """
        Read the items.

        :raises InputError: If another version wrote them.
        """
        file = self.path / ITEMS
        return [_read(kind, line, f"{file}, line {number}") for number, line in enumerate(_raw_lines(file), 1)]

    def predictions(self, kind: type[OutputT]) -> Iterator[Prediction[OutputT]]:
        """
        Yield what was predicted so far; the later of two lines for the same item and repeat replaces the earlier.

        :raises InputError: If a line is broken, or another version wrote it.
        """
        latest: dict[tuple[str, int], Prediction[OutputT]] = {}
        for line, place in self._whole_lines():
            prediction = _read(Prediction[kind], line, place)  # type: ignore[valid-type]
            latest[prediction.id, prediction.repeat] = prediction
        yield from latest.values()

    def keep_record(self, record: Result) -> str:
        """Write one answer with its run record, for `looksy replay`; return its file's name below this folder."""
        name = f"{RECORDS}/{record.run_id}.json"
        (self.path / RECORDS).mkdir(exist_ok=True)
        (self.path / name).write_text(record.model_dump_json(indent=1), encoding="utf-8")
        return name

    def append(self) -> "PredictionLog":
        """Open the predictions for appending, after cutting off a torn last line."""
        file = self.path / PREDICTIONS
        if file.exists():
            whole = sum(len(line) for line in _raw_lines(file) if line.endswith(b"\n"))
            os.truncate(file, whole)
        return PredictionLog(file)

    def _whole_lines(self) -> Iterator[tuple[bytes, str]]:
        """Yield each line of the predictions, and where it stands."""
        file = self.path / PREDICTIONS
        if not file.exists():
            return
        for number, line in enumerate(_raw_lines(file), 1):
            if not line.endswith(b"\n"):
                return
            yield line, f"{file}, line {number}"


class PredictionLog:
    """Appends predictions to a file; each is on disk before the next."""

    def __init__(self, file: Path) -> None:
        self._handle = file.open("ab")

    def write(self, prediction: Prediction[Any]) -> None:
        """Append one line."""
        self._handle.write(prediction.model_dump_json().encode() + b"\n")
        self._handle.flush()

    def __enter__(self) -> "PredictionLog":
        return self

    def __exit__(self, *_: object) -> None:
        self._handle.close()


def _read(kind: type[ModelT], line: bytes, place: str) -> ModelT:
    try:
        return kind.model_validate_json(line)
    except ValidationError as error:
        if error.errors()[0]["type"] == "json_invalid":
            raise InputError(f"{place} is broken", field="run", hint="Delete the line and resume the run.") from error
        raise InputError(f"{place} was written by another version", field="run", hint="Run it again.") from error


def _raw_lines(file: Path) -> Iterator[bytes]:
    with file.open("rb") as handle:
        yield from handle


def find_run(data_dir: Path, name: str) -> RunFolder:
    """
    Return a run by its id, or by its folder.

    :raises NotFoundError: If there is none.
    """
    for path in (data_dir / "runs" / name, Path(name)):
        if (path / MANIFEST).is_file():
            return RunFolder(path)
    raise NotFoundError(
        f"there is no run {name!r} in {data_dir / 'runs'}",
        field="run",
        hint="'looksy evaluate runs' lists those that are there.",
    )


def list_runs(data_dir: Path) -> list[Manifest]:
    """Return the runs that are there, newest first; those that another version wrote are left out."""
    folders = [RunFolder(path.parent) for path in (data_dir / "runs").glob(f"*/{MANIFEST}")]
    manifests = [manifest for folder in folders if (manifest := folder.readable_manifest()) is not None]
    return sorted(manifests, key=lambda one: one.created_at, reverse=True)
