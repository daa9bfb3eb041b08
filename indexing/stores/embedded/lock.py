"""One writer at a time, across processes."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from core.errors import StoreLockedError


@contextmanager
def writer_lock(
    path: Path,
    *,
    doing: str = "writing to the index",
    hint: str = "Wait until it has finished; reading goes on meanwhile.",
) -> Iterator[None]:
    """
    Hold the lock for as long as the block runs. The system gives it back when the process ends, however it ends.

    :param path: Lock file; holds the process id of the writer.
    :param doing: What the writer does with the file's folder, for the error; as `hint`.
    :raises StoreLockedError: If another writer holds it.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            owner = os.read(handle, 32).decode(errors="replace").strip() or "unknown"
            raise StoreLockedError(
                f"process {owner} is {doing} in {path.parent}",
                field="data_dir",
                hint=hint,
            ) from error
        os.truncate(handle, 0)
        os.write(handle, str(os.getpid()).encode())
        yield
    finally:
        os.close(handle)
