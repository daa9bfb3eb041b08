"""Files of JSON lines that grow as a reading goes on."""

import os
from collections.abc import Sequence
from pathlib import Path

from core.settings import Settings
from evaluation.runs.fingerprints import fingerprint, hash_code, hash_files

_READERS = ("answer_readings.py", "relation_readings.py", "statement_readings.py")
"""Modules here that read with the product's code."""


def kept_file(
    work: Path, name: str, *, model: str, data: Sequence[Path], settings: Settings | None = None, **further: object
) -> Path:
    """
    Name a file of readings after all that they come from, so that no others are taken for them.

    :param model: Identity of the model that read.
    :param data: Files that are read.
    :param settings: Of the product that reads; None if the model reads alone.
    :param further: JSON values that readings depend on, too.
    """
    readers = hash_files(Path(__file__).with_name(module) for module in _READERS)
    public = settings.public() if settings else {}
    mark = fingerprint(data=hash_files(data), code=[hash_code(), readers], settings=public, **further)
    return work / f"{name}-{model}-{mark}.jsonl"


def kept_lines(path: Path) -> list[str]:
    """Return the lines that are there; half a line at the end, which a kill has left, is cut off the file."""
    if not path.is_file():
        return []
    content = path.read_bytes()
    whole = content[: content.rfind(b"\n") + 1]
    if len(whole) < len(content):
        os.truncate(path, len(whole))
    return whole.decode().split("\n")[:-1]
