"""One process at a time."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from core.errors import StoreLockedError


@contextmanager
def process_lock(path: Path, *, doing: str, hint: str) -> Iterator[None]:
    """
    Hold the lock for as long as the block runs. The system gives it back when the process ends, however it ends.

    :param path: Lock file; holds the process id of the holder.
    :param doing: What the holder does in the file's folder, for the error; as `hint`.
    :raises StoreLockedError: If another one holds it.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            owner = os.read(handle, 32).decode(errors="replace").strip() or "unknown"
            raise StoreLockedError(
                f"process {owner} is {doing} in {path.parent}", field="data_dir", hint=hint
            ) from error
        os.truncate(handle, 0)
        os.write(handle, str(os.getpid()).encode())
        yield
    finally:
        os.close(handle)
