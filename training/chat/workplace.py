"""The folder that an adapter is built in: what lies where, and that it goes on with the same things only."""

import shutil
from pathlib import Path

from pydantic import ValidationError

from core.errors import ConfigError
from training.chat.record import Origin

ORIGIN = "origin.json"
SUPERVISED, PREFERENCE, MODEL = "supervised", "preference", "model"
CANDIDATES, PAIRS = "candidates.jsonl", "pairs.jsonl"
_FREE = {"recipe": {"name", "title", "limits", "save_every"}}
"""What may change while a build goes on."""


def is_begun(folder: Path) -> bool:
    """Whether a build left something to go on from."""
    return (folder / ORIGIN).is_file()


def discard(folder: Path) -> None:
    """Forget a build that was not finished; a finished `model` stays until the next one replaces it."""
    for name in (SUPERVISED, PREFERENCE):
        shutil.rmtree(folder / name, ignore_errors=True)
    for name in (ORIGIN, CANDIDATES, PAIRS):
        (folder / name).unlink(missing_ok=True)


def begin(folder: Path, origin: Origin) -> None:
    """
    Note what a build comes from, or make sure that it is what it came from before.

    :raises ConfigError: If recipe, base, data, prompt or judges are others; the message names which.
    """
    file = folder / ORIGIN
    if is_begun(folder):
        try:
            before = Origin.model_validate_json(file.read_text(encoding="utf-8"))
        except ValidationError as error:
            raise ConfigError(
                f"{file} does not tell the origin of a build", field="out", hint="Begin anew with --fresh."
            ) from error
        was, now = before.model_dump(exclude=_FREE), origin.model_dump(exclude=_FREE)
        others = [name for name in now if was[name] != now[name]]
        if others:
            raise ConfigError(
                f"{folder} was begun with another {', another '.join(others)}",
                field="out",
                hint="Begin anew with --fresh, or build into another folder with --out.",
            )
    folder.mkdir(parents=True, exist_ok=True)
    file.write_text(origin.model_dump_json(indent=2) + "\n", encoding="utf-8")
