"""A Ray cluster of worker processes on this machine, one for each core, and the end of one of them."""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path

import pytest

needs_ray = [
    pytest.mark.slow,
    pytest.mark.timeout(300),
    pytest.mark.skipif(find_spec("ray") is None, reason="no Ray: pip install 'looksy[ray]' to test work on a cluster"),
]


class LocalCluster:
    def __init__(self, address: str) -> None:
        self.address = address

    def busy_workers(self) -> list[int]:
        """List the processes that work on a part now; Ray writes what they do into their title."""
        return [pid for pid in self._children() if "Map" in _title(pid)]

    def kill_a_busy_worker(self, *, patience: float = 60.0) -> int:
        """End a process in the middle of a part, as a crash would; return its id."""
        deadline = time.monotonic() + patience
        while time.monotonic() < deadline:
            for pid in self.busy_workers():
                os.kill(pid, signal.SIGKILL)
                return pid
            time.sleep(0.01)
        raise AssertionError("no worker was busy")

    def _children(self) -> list[int]:
        """List the workers: the children of Ray's own process on this machine, which is a child of this one."""
        raylets = [pid for pid in _children_of(os.getpid()) if "/raylet" in _title(pid)]
        return [pid for raylet in raylets for pid in _children_of(raylet)]


def _children_of(parent: int) -> list[int]:
    found: list[int] = []
    for task in Path(f"/proc/{parent}/task").iterdir():
        with suppress(FileNotFoundError, ProcessLookupError):  # threads come and go
            found += map(int, (task / "children").read_text().split())
    return found


def _title(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return ""


@contextmanager
def local_cluster() -> Iterator[LocalCluster]:
    """Name a cluster that is started when a job connects to it, and ends with the job."""
    yield LocalCluster("local")
