"""Servers that a test starts for itself: one that asks for a login, one of two nodes."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

TOOLS = os.environ.get("ELASTICSEARCH_TOOLS", "")
"""Folder with the commands `start` and `stop`, see docs/cluster.md."""

needs_own_server = [
    pytest.mark.integration,
    pytest.mark.slow,
    pytest.mark.timeout(300),
    pytest.mark.skipif(
        not TOOLS,
        reason="no commands to start Elasticsearch: set ELASTICSEARCH_TOOLS to test logins and the loss of a node",
    ),
]


class OwnServer:
    """Nodes of one test, started and stopped by its commands."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.folder = folder
        self.options = options
        self.url = ""

    def start(self, *more: str) -> None:
        command = [f"{TOOLS}/start", "--dir", str(self.folder), "--heap", "512m", *self.options, *more]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=180)
        assert done.returncode == 0, f"Elasticsearch is there and does not start: {done.stderr}"
        self.url = done.stdout.strip().rsplit("=", 1)[1]

    def stop(self, *more: str) -> None:
        subprocess.run([f"{TOOLS}/stop", str(self.folder), *more], check=True, timeout=60)


@contextmanager
def own_server(*options: str) -> Iterator[OwnServer]:
    """Run a server until the test is over; its account must be able to reach the folder."""
    folder = Path(tempfile.mkdtemp(prefix="looksy-es-"))
    folder.chmod(0o755)
    server = OwnServer(folder, *options)
    try:
        server.start()
        yield server
    finally:
        subprocess.run([f"{TOOLS}/stop", str(folder)], check=False, capture_output=True, timeout=60)
        shutil.rmtree(folder, ignore_errors=True)
