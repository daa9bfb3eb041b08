"""A Ray cluster of two worker processes on this machine, and the end of one of them."""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from unittest.mock import patch

import pytest

CORES = 2

needs_ray = [
    pytest.mark.slow,
    pytest.mark.timeout(300),
    pytest.mark.skipif(find_spec("ray") is None, reason="no Ray: pip install 'looksy[ray]' to test work on a cluster"),
]


class LocalCluster:
    def __init__(self, address: str, raylet: int) -> None:
        self.address = address
        self._raylet = raylet

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
        tasks = Path(f"/proc/{self._raylet}/task")
        return [int(pid) for task in tasks.iterdir() for pid in (task / "children").read_text().split()]


def _title(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return ""


@contextmanager
def local_cluster() -> Iterator[LocalCluster]:
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    from ray.cluster_utils import Cluster

    cluster = Cluster(
        initialize_head=True,
        head_node_args={
            "node_ip_address": "127.0.0.1",
            "num_cpus": CORES,
            "object_store_memory": 200 << 20,
            "include_dashboard": False,
        },
    )
    raylet = cluster.head_node.all_processes["raylet"][0].process.pid
    try:
        # Ray listens on this machine's outer address, which the tests' guard against the network refuses.
        with patch("indexing.cluster.session._require_listening"):
            yield LocalCluster(cluster.address, raylet)
    finally:
        cluster.shutdown()
