"""A disk that runs full while a file is written."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest


@contextmanager
def full_disk(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let `Path.write_text` write the first bytes and fail."""

    def fill(path: Path, text: str, **_: Any) -> None:
        path.write_bytes(text.encode()[:9])
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(Path, "write_text", fill)
        yield
