"""What can go wrong with a file that is read, and writing one whole or not at all."""

import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

UNREADABLE = (OSError, EOFError, zlib.error)
"""Errors of a file that cannot be read, plain or gzip: not there or not gzip; cut off; damaged within."""


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give a temporary path that becomes `path`, flushed to disk, when the block ends well."""
    temporary = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    try:
        yield temporary
        flush(temporary)
        temporary.replace(path)
        flush(path.parent)
    finally:
        temporary.unlink(missing_ok=True)


def flush(path: Path) -> None:
    """Flush a file, or the entries of a folder, to the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
