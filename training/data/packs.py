"""The data packs: where each file lies under the data root, its content by hash, and its licence."""

import gzip
import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from core.errors import ConfigError, NotFoundError
from core.types import Model
from models.hashes import file_hash

_LIST = Path(__file__).parent.parent / "recipes" / "packs.yaml"
_BUNDLED = Path(__file__).parent / "shipped"


class Pack(Model):
    """One file of data."""

    file: str
    """Below the data root, or, if `bundled`, below `training/data/shipped`."""
    bundled: bool = False
    """Whether it ships with Looksy."""
    sha256: str
    licence: str
    origin: str
    """Who made it, in words."""


@cache
def known_packs() -> Mapping[str, Pack]:
    """Return every pack by name."""
    rows: dict[str, Any] = yaml.safe_load(_LIST.read_text(encoding="utf-8"))
    return {name: Pack.model_validate(row) for name, row in rows.items()}


def pack(name: str) -> Pack:
    """
    Return a pack's description.

    :raises ConfigError: If there is none of this name.
    """
    try:
        return known_packs()[name]
    except KeyError:
        raise ConfigError(
            f"there is no data pack {name!r}", field="pack", hint=f"Name one of: {', '.join(sorted(known_packs()))}."
        ) from None


def read_pack(root: Path, name: str) -> list[dict[str, Any]]:
    """
    Read a pack of JSON lines.

    :param root: The data root.
    :returns: Its rows in order; for SQuAD's one document, its articles.
    :raises NotFoundError: If the file is not below the root.
    :raises ConfigError: If its content is not the one that the recipe names.
    """
    wanted = pack(name)
    path = (_BUNDLED if wanted.bundled else root) / wanted.file
    if not path.is_file():
        raise NotFoundError(
            f"{path} is not there", field="data", hint=f"Give the folder that holds {wanted.file} with --data."
        )
    found = file_hash(path)
    if found != wanted.sha256:
        raise ConfigError(
            f"{path} has SHA-256 {found}, the recipe was written for {wanted.sha256}",
            field="data",
            hint="Fetch the file again, or state the new hash in training/recipes/packs.yaml.",
        )
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        if path.name.endswith(".json.gz"):
            articles: list[dict[str, Any]] = json.load(lines)["data"]
            return articles
        return [json.loads(line) for line in lines]
