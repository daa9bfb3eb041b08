"""Several statements judged at once by `verify`, so that the models read for all of them in full batches."""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from typing import Protocol

from core.progress import Progress, ignore_progress
from core.types import Request, Result
from models.joint_batches import JointBatches

SYSTEM = "verify"
AT_ONCE = 12
"""Statements that are judged together. Each waits for the slowest reading of the others."""
IN_FLIGHT = 2
"""Batches on their way at one time: where the model reads for one, words are compared for the other."""


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
    group = JointBatches(len(requests))

    def judge(number: int) -> Result:
        with group.member(number):
            return answerer.run(SYSTEM, requests[number], progress=ignore_progress)

    with ThreadPoolExecutor(max_workers=max(1, len(requests)), thread_name_prefix="claim") as pool:
        running = [pool.submit(copy_context().run, judge, number) for number in range(len(requests))]
        return [one.result() for one in running]


class BatchesInFlight:
    """
    Judge batches of statements, some of them at one time, and give their results in order.

    :param answerer: Judges each.
    :param batches: Each is judged jointly.
    """

    def __init__(self, answerer: Answerer, batches: Iterable[Sequence[Request]]) -> None:
        self._answerer = answerer
        self._batches = iter(batches)

    def __iter__(self) -> Iterator[list[Result]]:
        """Yield the results of each batch."""
        running: deque[Future[list[Result]]] = deque()
        with ThreadPoolExecutor(max_workers=IN_FLIGHT, thread_name_prefix="batch") as pool:
            while True:
                while len(running) < IN_FLIGHT and (batch := next(self._batches, None)) is not None:
                    running.append(pool.submit(copy_context().run, verify_jointly, self._answerer, batch))
                if not running:
                    return
                yield running.popleft().result()

    def stop(self) -> None:
        """Begin no further batch; those on their way still come."""
        self._batches = iter(())
