"""Backup of the data folder into one file, and the way back."""

import contextlib
import errno
import hashlib
import io
import json
import os
import shutil
import sqlite3
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from core import __version__
from core.errors import InputError, StoreError, StoreMissingError
from core.files import UNREADABLE
from core.settings import Settings
from core.types import Model
from service.state.database import FILE_NAME, Database
from service.state.jobs import Jobs

MANIFEST = "MANIFEST.json"
FORMAT = 1
_LEFT_OUT = (".lock", "-wal", "-shm", "-journal", ".tmp")
_DATABASES = frozenset({".sqlite", ".sqlite3"})
_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS})
_CHUNK = 1024 * 1024
_OF_THE_DISK = "lost+found"
"""What a file system keeps in its top folder, where the data folder is a mount of its own."""


class BackupReport(Model):
    """What a backup holds."""

    file: str
    files: int
    bytes: int
    """Of the files, before compression."""


class _Manifest(Model):
    format: int
    version: str
    hashes: dict[str, str]
    """Path in the data folder to SHA-256."""


def back_up(settings: Settings, target: Path) -> BackupReport:
    """
    Write articles, crawl state, index, runs, keys and jobs into one `.tar.gz` that its owner alone can read.

    Readers are not disturbed. What links in the data folder lead to is in it as if it lay there.

    :raises StoreLockedError: If a crawl or an index job is writing.
    :raises UnavailableError: If the index is in Elasticsearch, which does not say whether one is.
    :raises InputError: If there is nothing to back up, or the file is there already.
    :raises StoreError: If a database is damaged, or there is no room to copy it.
    """
    folder = settings.data_dir
    if not folder.is_dir() or not any(folder.iterdir()):
        raise InputError(f"{folder} holds nothing to back up", field="data_dir", hint="Name another --data-dir.")
    if target.exists():
        raise InputError(f"{target} is there already", field="file", hint="Name a new file.")
    if folder.resolve() in target.resolve().parents:
        raise InputError(f"{target} lies in the data folder", field="file", hint="Name a file outside of it.")
    if not target.absolute().parent.is_dir():
        raise InputError(f"there is no folder {target.absolute().parent}", field="file", hint="Make it first.")
    with _quiet(settings):
        return _write(folder, target)


def restore(source: Path, data_dir: Path) -> BackupReport:
    """
    Bring a backup back. Every file is checked before any is in place.

    :param data_dir: Must be empty, or not there. One that is there is filled, not replaced: it may be a mount.
    :raises InputError: If it is not empty, or the file is not a whole backup.
    :raises StoreVersionError: If a newer Looksy wrote the backup's service database.
    """
    is_there = data_dir.exists()
    if is_there and (not data_dir.is_dir() or any(path.name != _OF_THE_DISK for path in data_dir.iterdir())):
        raise InputError(f"{data_dir} is not empty", field="data_dir", hint="Name a new folder with --data-dir.")
    data_dir.parent.mkdir(parents=True, exist_ok=True)
    within = data_dir if is_there else data_dir.parent
    partial = Path(tempfile.mkdtemp(prefix=f".{data_dir.name}-", dir=within))
    try:
        report = _unpack(source, partial)
        _end_jobs(partial / FILE_NAME)
        if is_there:
            _move_up(partial, data_dir)
        else:
            os.replace(partial, data_dir)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return report


def _end_jobs(file: Path) -> None:
    """Note that the jobs that went on while the backup was made have ended: where it is restored, nothing does them."""
    if file.is_file():
        with contextlib.closing(Database(file)) as database:
            Jobs(database).interrupt()


def _move_up(partial: Path, data_dir: Path) -> None:
    """Move all that a folder holds into the one above it; if that fails, back."""
    moved: list[str] = []
    try:
        for path in sorted(partial.iterdir()):
            os.replace(path, data_dir / path.name)
            moved.append(path.name)
    except BaseException:
        for name in moved:
            os.replace(data_dir / name, partial / name)
        raise


@contextlib.contextmanager
def _quiet(settings: Settings) -> Iterator[None]:
    """Keep crawls and index jobs from writing meanwhile."""
    from indexing.stores.embedded.layout import Layout
    from indexing.stores.embedded.lock import writer_lock
    from indexing.stores.open import INDEX_FOLDER, open_store
    from scraper.state.lock import CrawlLock

    with contextlib.ExitStack() as stack:
        stack.enter_context(CrawlLock(settings.data_dir))
        if settings.store_url is None:  # the lock alone: a writer would make an index where there is none yet
            stack.enter_context(writer_lock(Layout(settings.data_dir / INDEX_FOLDER).lock_file))
        else:
            with contextlib.suppress(StoreMissingError):  # a job that writes makes the index first
                store = open_store(settings)
                stack.callback(store.close)
                stack.enter_context(store.writer())
        yield


def _write(folder: Path, target: Path) -> BackupReport:
    partial = target.with_name(target.name + ".partial")
    partial.unlink(missing_ok=True)  # of a backup that was killed
    paths = sorted(_walk(folder))  # before the new file is there: a link may lead to where it will be
    try:
        descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with (
            os.fdopen(descriptor, "wb") as file,
            tarfile.open(fileobj=file, mode="w:gz", compresslevel=6, dereference=True) as archive,  # no hard links
        ):
            report = _pack(folder, paths, archive, target)
        os.replace(partial, target)
    finally:
        partial.unlink(missing_ok=True)
    return report


def _walk(folder: Path, above: frozenset[tuple[int, int]] = frozenset()) -> Iterator[Path]:
    """
    Yield what is not a folder, links followed.

    :param above: Device and inode of the folders that led here; a link back to one of them is not entered.
    """
    facts = folder.stat()
    here = (facts.st_dev, facts.st_ino)
    if here in above:
        return
    for path in folder.iterdir():
        if not path.is_dir():
            yield path
        elif path.name != _OF_THE_DISK:
            yield from _walk(path, above | {here})


def _pack(folder: Path, paths: list[Path], archive: tarfile.TarFile, target: Path) -> BackupReport:
    hashes: dict[str, str] = {}
    size = 0
    for path in paths:
        name = path.relative_to(folder).as_posix()
        if not path.is_file() or name.endswith(_LEFT_OUT) or path.name == "lock":
            continue
        with _snapshot(path, beside=target) as copy, copy.open("rb") as file:
            info, hashed = archive.gettarinfo(arcname=name, fileobj=file), _Hashed(file)
            archive.addfile(info, hashed)
        hashes[name] = hashed.digest.hexdigest()
        size += info.size
    manifest = _Manifest(format=FORMAT, version=__version__, hashes=hashes).model_dump_json().encode()
    info = tarfile.TarInfo(MANIFEST)
    info.size = len(manifest)
    archive.addfile(info, io.BytesIO(manifest))
    return BackupReport(file=str(target), files=len(hashes), bytes=size)


class _Hashed:
    """
    Hashes a file as it is read, once: the hash is of what the archive got, also of a file that grows meanwhile.

    :param file: At its beginning.
    """

    def __init__(self, file: BinaryIO) -> None:
        self.file = file
        self.digest = hashlib.sha256()

    def read(self, size: int = -1, /) -> bytes:
        """Read as the file does."""
        data = self.file.read(size)
        self.digest.update(data)
        return data


@contextlib.contextmanager
def _snapshot(path: Path, *, beside: Path) -> Iterator[Path]:
    """
    Yield the file; of a database in use, a copy as of one moment.

    :param beside: In whose folder the copy is made: there is room for the backup, which the system's own need not have.
    :raises StoreError: If the database cannot be copied.
    """
    if path.suffix not in _DATABASES:
        yield path
        return
    with tempfile.TemporaryDirectory(prefix=f".{beside.name}-", dir=beside.parent) as folder:
        copy = Path(folder) / path.name
        try:
            with contextlib.closing(sqlite3.connect(path)) as source, contextlib.closing(sqlite3.connect(copy)) as to:
                source.backup(to)
        except sqlite3.Error as error:
            raise StoreError(
                f"{path} cannot be copied: {error}",
                hint="If it is damaged, bring an earlier backup back; if the disk is full, make room.",
            ) from error
        shutil.copymode(path, copy)
        yield copy


def _unpack(source: Path, folder: Path) -> BackupReport:
    try:
        with tarfile.open(source, "r:gz") as archive:
            archive.extractall(folder, filter="data")
        manifest = _Manifest.model_validate(json.loads((folder / MANIFEST).read_text(encoding="utf-8")))
    except (tarfile.TarError, ValueError, *UNREADABLE) as error:
        if isinstance(error, OSError) and error.errno in _NO_ROOM:
            raise InputError(
                f"{source} cannot be unpacked in {folder.parent}: {error.strerror}",
                field="data_dir",
                hint="Make room there, or name a folder on another disk with --data-dir; the backup is not to blame.",
            ) from error
        raise InputError(
            f"{source} is not a backup of Looksy: {error}", field="file", hint="Name a file that 'looksy backup' wrote."
        ) from error
    _check(folder, manifest, source)
    (folder / MANIFEST).unlink()
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    return BackupReport(file=str(source), files=len(manifest.hashes), bytes=size)


def _check(folder: Path, manifest: _Manifest, source: Path) -> None:
    if manifest.format > FORMAT:
        raise InputError(f"{source} was written by Looksy {manifest.version}", field="file", hint="Use that version.")
    for name, expected in manifest.hashes.items():
        path = folder / PurePosixPath(name)
        if ".." in PurePosixPath(name).parts or not path.is_file() or _sha256(path) != expected:
            raise InputError(f"{source} is damaged: {name} is not as it was", field="file", hint="Use another backup.")


def _sha256(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()
