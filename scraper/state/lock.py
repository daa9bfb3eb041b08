"""One crawl at a time on a data directory."""

import fcntl
import os
import time
from pathlib import Path
from types import TracebackType
from typing import Self

from core.errors import StoreLockedError

LOCK_FILE = Path("crawl") / "lock"
GRACE_S = 1.0
"""A crawl that was just killed lets go within this time."""
GRACE_AFTER_DEATH_S = 5.0


class CrawlLock:
    """
    Held by the process that crawls and, through an inherited file descriptor, by its worker.

    The kernel lets go when both have ended, however they ended.

    :param data_dir: What is locked.
    """

    def __init__(self, data_dir: Path) -> None:
        self.path = data_dir / LOCK_FILE
        self.descriptor = -1

    def __enter__(self) -> Self:
        """
        Take the lock.

        :raises StoreLockedError: If another process holds it; the message names its pid.
        """
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            self._take()
        except BaseException:
            os.close(self.descriptor)
            raise
        os.ftruncate(self.descriptor, 0)
        os.pwrite(self.descriptor, str(os.getpid()).encode(), 0)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        os.close(self.descriptor)

    def _take(self) -> None:
        started = time.monotonic()
        while True:
            try:
                fcntl.flock(self.descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                holder = os.pread(self.descriptor, 20, 0).decode(errors="replace").strip()
                if time.monotonic() - started > (GRACE_S if _is_alive(holder) else GRACE_AFTER_DEATH_S):
                    raise StoreLockedError(
                        f"another crawl is using {self.path.parent.parent} (process {holder or 'unknown'})",
                        field="data_dir",
                        hint="Wait until it has finished, or give another --data-dir.",
                    ) from error
                time.sleep(0.05)
            else:
                return


def _is_alive(pid: str) -> bool:
    try:
        os.kill(int(pid), 0)
    except (ValueError, ProcessLookupError):
        return False
    except PermissionError:
        return True
    return True
