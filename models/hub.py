"""Models of the Hugging Face hub: fetched once into the data folder, with what was fetched written beside them."""

import json
from collections.abc import Mapping
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

    :param name: `owner/name` on the hub.
    :param revision: Branch, tag or commit.
    :raises ConfigError: If the library that speaks with the hub is not installed.
    :raises NotFoundError: If the hub has no such model or revision.
    :raises UnavailableError: If the hub cannot be reached.
    """
    folder = pulled_folder(name, data_dir)
    resolved = _fetch(name, folder, revision)
    files = {
        str(path.relative_to(folder)): file_hash(path)
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != RECORD and ".cache" not in path.parts
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
        import huggingface_hub as hub  # noqa: PLC0415 - an extra
        from huggingface_hub.errors import RepositoryNotFoundError, RevisionNotFoundError  # noqa: PLC0415
    except ImportError as error:
        raise ConfigError(
            "looksy models pull needs huggingface_hub, which is not installed",
            field="extra",
            hint="Install the extra: pip install 'looksy[models]'",
        ) from error
    try:
        resolved = str(hub.HfApi().model_info(name, revision=revision).sha)
        hub.snapshot_download(name, revision=resolved, local_dir=folder, allow_patterns=_WANTED)
    except (RepositoryNotFoundError, RevisionNotFoundError, ValueError) as error:
        raise NotFoundError(
            f"the hub has no model {name!r} at revision {revision!r}: {error}",
            field="name",
            hint="Write owner/name as the hub shows it.",
        ) from error
    except Exception as error:  # whatever the library's transport raises; it has changed between versions
        raise UnavailableError(
            f"the hub cannot be reached for {name!r}: {error}",
            field="name",
            hint=f"Copy the model's files to {folder} by hand, or set HF_ENDPOINT to a mirror.",
        ) from error
    return resolved
