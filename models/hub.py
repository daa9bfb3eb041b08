"""Models of the Hugging Face hub: fetched once into the data folder, with what was fetched written beside them."""

import json
from collections.abc import Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import yaml
from pydantic import Field

from core.errors import ConfigError, NotFoundError, UnavailableError
from core.types import Model
from models.hashes import file_hash

_LIST = Path(__file__).parent / "hub.yaml"
RECORD = "PULLED.json"
_WANTED = ["*.json", "*.safetensors", "*.txt", "*.model", "*.jinja", "LICENSE*", "README.md"]
"""No pickled weights: loading those can run code."""


class HubModel(Model):
    """A model that Looksy is documented to work with."""

    use: str = Field(alias="for")
    setting: str
    """Where its folder goes."""
    needs: dict[str, str] = Field(default_factory=dict)
    """Settings without which that one is not read, or read as something else: name to value."""
    licence: str


class Pulled(Model):
    """What was fetched."""

    name: str
    revision: str
    """Commit that it was resolved to."""
    files: dict[str, str]
    """File to SHA-256."""


def hub_models() -> Mapping[str, HubModel]:
    """Return the documented models by name."""
    rows: dict[str, Any] = yaml.safe_load(_LIST.read_text(encoding="utf-8"))
    return {name: HubModel.model_validate(row) for name, row in rows.items()}


def pulled_folder(name: str, data_dir: Path) -> Path:
    """Return where a model is put: `<data_dir>/models/<owner>--<name>`."""
    return data_dir / "models" / name.replace("/", "--")


def pull(name: str, data_dir: Path, *, revision: str = "main") -> Pulled:
    """
    Fetch a model's files, once; what is there already is not fetched again.

    Files of an earlier revision that this one lacks are removed: a library could read those instead.

    :param name: `owner/name` on the hub.
    :param revision: Branch, tag or commit.
    :raises ConfigError: If the library that speaks with the hub is not installed.
    :raises NotFoundError: If the hub has no such model or revision.
    :raises UnavailableError: If the hub cannot be reached, or not all of the model came.
    """
    folder = pulled_folder(name, data_dir)
    resolved = _fetch(name, folder, revision)
    present = [path.relative_to(folder) for path in sorted(folder.rglob("*")) if path.is_file()]
    files = {
        path.as_posix(): file_hash(folder / path)
        for path in present
        if ".cache" not in path.parts and _is_wanted(path.as_posix())
    }
    pulled = Pulled(name=name, revision=resolved, files=files)
    (folder / RECORD).write_text(json.dumps(pulled.model_dump(), indent=2) + "\n", encoding="utf-8")
    return pulled


def changed_files(folder: Path) -> list[str]:
    """
    Name the files of a pulled model that are missing or not as they were fetched.

    :raises NotFoundError: If nothing was pulled there.
    """
    record = folder / RECORD
    if not record.is_file():
        raise NotFoundError(f"{record} is not there", field="name", hint="Fetch it: looksy models pull NAME")
    pulled = Pulled.model_validate_json(record.read_text(encoding="utf-8"))
    return [
        name
        for name, digest in pulled.files.items()
        if not (folder / name).is_file() or file_hash(folder / name) != digest
    ]


def _fetch(name: str, folder: Path, revision: str) -> str:
    try:
        import huggingface_hub as hub
        from huggingface_hub.errors import RepositoryNotFoundError, RevisionNotFoundError
    except ImportError as error:
        raise ConfigError(
            "looksy models pull needs huggingface_hub, which is not installed",
            field="extra",
            hint="Install the extra: pip install 'looksy[models]'",
        ) from error
    try:
        info = hub.HfApi().model_info(name, revision=revision, files_metadata=True)
        hub.snapshot_download(
            name, revision=str(info.sha), local_dir=folder, allow_patterns=_WANTED, ignore_patterns=[RECORD]
        )
    except (RepositoryNotFoundError, RevisionNotFoundError, ValueError) as error:
        raise NotFoundError(
            f"the hub has no model {name!r} at revision {revision!r}: {error}",
            field="name",
            hint="Write owner/name as the hub shows it; for a gated model accept its terms there and set HF_TOKEN.",
        ) from error
    except Exception as error:  # whatever the library's transport raises; it has changed between versions
        raise UnavailableError(
            f"the hub cannot be reached for {name!r}: {error}",
            field="name",
            hint=f"Copy the model's files to {folder} by hand, or set HF_ENDPOINT to a mirror.",
        ) from error
    wanted = {
        one.rfilename: (one.size, one.lfs.sha256 if one.lfs else None)
        for one in info.siblings or ()
        if _is_wanted(one.rfilename)
    }
    _require_all(folder, wanted, what=f"{name!r} as it is at {info.sha}")
    _remove_others(folder, str(info.sha), wanted)
    return str(info.sha)


def _is_wanted(file: str) -> bool:
    return file != RECORD and any(fnmatchcase(file, pattern) for pattern in _WANTED)


def _require_all(folder: Path, wanted: Mapping[str, tuple[int | None, str | None]], *, what: str) -> None:
    """
    Make sure that everything came: where the hub fails midway, its library may give back what was there before.

    :param wanted: File to size and SHA-256 as the hub lists them; small files are listed without SHA-256.
    """
    wrong = [file for file, (size, sha256) in wanted.items() if not _is_right(folder / file, size=size, sha256=sha256)]
    if wrong:
        raise UnavailableError(
            f"{folder} does not hold {what}: missing or other content: {', '.join(wrong[:3])}",
            field="name",
            hint="Run the same command again; if that does not help, remove the folder first.",
        )


def _is_right(path: Path, *, size: int | None, sha256: str | None) -> bool:
    if not path.is_file() or size not in {None, path.stat().st_size}:
        return False
    return sha256 is None or file_hash(path) == sha256


def _remove_others(folder: Path, revision: str, wanted: Mapping[str, object]) -> None:
    """Remove what was fetched of another revision and is not among the files of this one."""
    try:
        before = Pulled.model_validate_json((folder / RECORD).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return
    if before.revision == revision:
        return
    for file in before.files.keys() - wanted.keys():
        path = folder / file
        if path.is_file() and path.resolve().is_relative_to(folder.resolve()):
            path.unlink()
