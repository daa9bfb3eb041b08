"""Waiting for what a test means, however busy the machine is."""

import time
from collections.abc import Callable
from typing import Any

from fastapi.testclient import TestClient

LONG_S = 120.0


def until(condition: Callable[[], object]) -> None:
    ends = time.monotonic() + LONG_S
    while not condition():
        assert time.monotonic() < ends, "it does not happen"
        time.sleep(0.02)


def wait_for(client: TestClient, job_id: str) -> dict[str, Any]:
    """Wait for the end of a job, and return the job."""

    def job() -> dict[str, Any]:
        return dict(client.get(f"/v1/jobs/{job_id}").json())

    until(lambda: job()["status"] not in {"queued", "running"})
    return job()
