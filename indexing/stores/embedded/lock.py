"""One writer to an index at a time."""

from contextlib import AbstractContextManager
from pathlib import Path

from core.locks import process_lock


def writer_lock(path: Path) -> AbstractContextManager[None]:
    """
    Hold the lock of an index for as long as the block runs.

    :param path: The layout's `lock_file`.
    :raises StoreLockedError: If another process writes.
    """
    return process_lock(
        path, doing="writing to the index", hint="Wait until it has finished; reading goes on meanwhile."
    )
