"""Results with their run records as files: `<data_dir>/runs/<run_id>.json`."""

import contextlib
import os
import tempfile
from pathlib import Path

from pydantic import ValidationError

from core.errors import InputError, NotFoundError
from core.types import Result

FOLDER = "runs"
MAX_BYTES = 64 * 1024 * 1024


def save_run(result: Result, data_dir: Path, *, keep: int) -> Path | None:
    """
    Write a result with its record; the oldest files beyond `keep` are removed.

    :param keep: 0: nothing is written.
    :returns: The file, whole or not there; None if nothing was written.
    :raises OSError: If it cannot be kept: the disk is full, the folder is somebody else's.
    """
    if not keep:
        return None
    folder = data_dir / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{result.run_id}.json"
    handle, temporary = tempfile.mkstemp(dir=folder, suffix=".part")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(result.model_dump_json(indent=1))
        Path(temporary).replace(path)
    finally:
        Path(temporary).unlink(missing_ok=True)
    _prune(folder, keep)
    return path


def load_run(name_or_path: str, data_dir: Path) -> Result:
    """
    Read a result with its record.

    :param name_or_path: A run id, its first letters, or the path of a file.
    :raises NotFoundError: If there is none, or more than one.
    :raises InputError: If the file is not a result with a record.
    """
    path = Path(name_or_path)
    if path.suffix != ".json":
        found = sorted((data_dir / FOLDER).glob(f"{path.name}*.json")) if path.name.isalnum() else []
        if len(found) != 1:
            raise NotFoundError(
                f"{len(found) or 'no'} runs begin with {name_or_path!r}",
                field="run",
                hint=f"Use a run id or a file of {data_dir / FOLDER}.",
            )
        path = found[0]
    try:
        if path.stat().st_size > MAX_BYTES:
            raise InputError(f"{path} is larger than any run", field="run", hint="Use a file that looksy wrote.")
        result = Result.model_validate_json(path.read_bytes())
    except OSError as error:
        raise NotFoundError(f"{path} cannot be read: {error.strerror}", field="run", hint="Check its name.") from error
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "file"
        raise InputError(
            f"{path} is not a result of looksy: {where}: {first['msg']}", field="run", hint="Use 'looksy ask --json'."
        ) from error
    if result.run is None:
        raise InputError(f"{path} holds no run record", field="run", hint=f"Use a file of {data_dir / FOLDER}.")
    return result


def _prune(folder: Path, keep: int) -> None:
    files: list[tuple[int, Path]] = []
    for path in folder.glob("*.json"):
        with contextlib.suppress(FileNotFoundError):  # another process prunes, too
            files.append((path.stat().st_mtime_ns, path))
    for _, path in sorted(files)[: max(0, len(files) - keep)]:
        path.unlink(missing_ok=True)
