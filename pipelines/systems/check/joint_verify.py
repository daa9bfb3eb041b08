"""Several statements judged at once by `verify`, so that the models read for all of them in full batches."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Protocol

from core.progress import Progress, ignore_progress
from core.types import Request, Result
from models.joint_batches import JointBatches

SYSTEM = "verify"
AT_ONCE = 12
"""Statements that are judged together. Each waits for the slowest reading of the others."""


class Answerer(Protocol):
    """Answers requests; `pipelines.engine.Engine` is one."""

    def run(self, system: str, request: Request, *, progress: Progress = ...) -> Result:
        """Return the result of a system for a request."""
        ...


def verify_jointly(answerer: Answerer, requests: Sequence[Request]) -> list[Result]:
    """
    Judge statements, each by verify's own path.

    :param requests: At most `AT_ONCE` or so: as many threads are started.
    :returns: One result a request, in order. What `Answerer.run` raises for one is raised.
    """
    if len(requests) == 1:
        return [answerer.run(SYSTEM, requests[0])]
    group = JointBatches(len(requests))

    def judge(number: int) -> Result:
        with group.member(number):
            return answerer.run(SYSTEM, requests[number], progress=ignore_progress)

    with ThreadPoolExecutor(max_workers=max(1, len(requests)), thread_name_prefix="claim") as pool:
        running = [pool.submit(copy_context().run, judge, number) for number in range(len(requests))]
        return [one.result() for one in running]
