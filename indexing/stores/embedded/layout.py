"""Where the files of an embedded index lie, and which of them are valid."""

import json
import secrets
import shutil
from collections.abc import Iterable
from pathlib import Path

from pydantic import ValidationError

from core.errors import StoreError, StoreMissingError, StoreVersionError
from core.files import replacing
from core.types import Model
from indexing.stores.hints import UNREADABLE_HINT

FORMAT_VERSION = 1
"""Raised whenever an older Looksy could no longer read what a newer one writes."""


class Pointer(Model):
    """Content of `index.json`: which folder is the index."""

    format: int
    folder: str


class Layout:
    """
    The folder of an index.

    `index.json` points to the folder in use; a rebuild fills another one and then swaps the pointer.

    :param root: For example `var/index`.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.pointer_file = root / "index.json"
        self.lock_file = root / "writer.lock"

    def exists(self) -> bool:
        """Say whether anything was ever committed here."""
        return self.pointer_file.exists()

    def current(self) -> Path:
        """
        Return the folder in use.

        :raises StoreMissingError: If nothing has been indexed.
        :raises StoreVersionError: If the index is of another format, or the pointer is broken.
        """
        try:
            text = self.pointer_file.read_text()
        except FileNotFoundError as error:
            raise StoreMissingError(
                f"there is no index in {self.root}",
                field="data_dir",
                hint="Run 'looksy index' first, or name another folder with --data-dir.",
            ) from error
        try:
            version = json.loads(text)["format"]
            if version == FORMAT_VERSION:
                return self.root / Pointer.model_validate_json(text).folder
        except (ValueError, KeyError, TypeError, ValidationError) as error:
            raise StoreVersionError(f"{self.pointer_file} is broken", field="data_dir", hint=UNREADABLE_HINT) from error
        raise StoreVersionError(
            f"the index in {self.root} has format {version!r}; this version of Looksy reads format {FORMAT_VERSION}",
            field="data_dir",
            hint=UNREADABLE_HINT,
        )

    def new_folder(self) -> Path:
        """Make an empty folder beside the one in use."""
        folder = self.root / f"data-{secrets.token_hex(4)}"
        text_folder(folder).mkdir(parents=True)
        vector_folder(folder).mkdir()
        return folder

    def point_to(self, folder: Path, *, set_aside: bool = False) -> None:
        """
        Make a folder the index, in one step, and remove the others; nothing happens if it is the index already.

        :param set_aside: Keep the others under the name `unreadable-…` until a folder becomes the index again.
        """
        if self._is_current(folder):
            return
        write_atomically(self.pointer_file, Pointer(format=FORMAT_VERSION, folder=folder.name).model_dump_json())
        _remove_all(self.root.glob("unreadable-*"))
        if set_aside:
            for other in self._others(folder):
                other.rename(self.root / f"unreadable-{other.name}")
        self.remove_strays(folder)

    def _is_current(self, folder: Path) -> bool:
        try:
            return self.current() == folder
        except StoreError:
            return False

    def remove_strays(self, keep: Path) -> None:
        """Remove folders that the pointer does not name: earlier indexes, and what interrupted rebuilds have left."""
        _remove_all(self._others(keep))

    def _others(self, keep: Path) -> list[Path]:
        return [folder for folder in self.root.glob("data-*") if folder != keep]


def _remove_all(folders: Iterable[Path]) -> None:
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)


FileState = tuple[int, ...]
"""Changes whenever a file is replaced; empty: there is no file."""


def file_state(path: Path) -> FileState:
    """Return what tells one content of an atomically replaced file from the next."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return ()
    return found.st_mtime_ns, found.st_ino, found.st_size


def text_folder(folder: Path) -> Path:
    """Return where tantivy keeps its files."""
    return folder / "text"


def vector_folder(folder: Path) -> Path:
    """Return where the vectors lie."""
    return folder / "vectors"


def bytes_on_disk(folder: Path) -> int:
    """Return the size of all files; one that vanishes meanwhile does not count."""
    return sum(_size(path) for path in folder.rglob("*"))


def _size(path: Path) -> int:
    try:
        return path.stat().st_size if path.is_file() else 0
    except FileNotFoundError:
        return 0


def write_atomically(path: Path, text: str) -> None:
    """Replace a file so that a reader sees the old text or the new, also after a crash."""
    with replacing(path) as handle_path:
        handle_path.write_text(text)
