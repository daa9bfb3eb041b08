"""Where answers are made: a few threads behind a bounded queue, with a time limit, stopped when the client goes."""

import asyncio
import contextvars
import functools
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

from fastapi import Request as HttpRequest

from core.errors import BusyError, CancelledError, TimeLimitError
from core.progress import Progress, ProgressEvent, ignore_progress

T = TypeVar("T")
_SURE = 0.75
"""Share of the time limit in which an answer is to be expected: some take longer than usual."""
_WEIGHT = 0.2
"""Of the latest piece in `WorkerPool.usual_s`."""


class WorkerPool:
    """
    Runs blocking work for requests.

    :param workers: Pieces of work at one time.
    :param queue_size: Pieces that may wait beyond those; one more is refused.
    :param time_limit_s: Seconds from asking to answer, waiting included. What would have to wait longer is refused.
    :param clock: Seconds; monotonic.
    """

    def __init__(
        self, *, workers: int, queue_size: int, time_limit_s: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.workers = workers
        self.queue_size = queue_size
        self.time_limit_s = time_limit_s
        self.clock = clock
        self.pending = 0
        self.usual_s = 0.0
        """What one piece has taken lately; 0: not known yet."""
        self._lock = threading.Lock()
        self._threads = ThreadPoolExecutor(max_workers=workers, thread_name_prefix="work")

    async def do(
        self, work: Callable[[Progress], T], *, request: HttpRequest | None = None, progress: Progress = ignore_progress
    ) -> T:
        """
        Do one piece of work and return what it gives.

        :param work: Called in a thread with a progress callback, through which it is stopped.
        :param request: Whose client is watched; None: nobody's.
        :raises BusyError: If the queue is full, or so long that the answer would come too late.
        :raises TimeLimitError: If it took too long.
        :raises CancelledError: If the client went away.
        """
        stop, deadline = threading.Event(), self.clock() + self.time_limit_s
        with self._lock:
            self.check_room()
            self.pending += 1
        context = contextvars.copy_context()  # the logs of the work name the request
        run = functools.partial(self._run, work, stop=stop, progress=progress, deadline=deadline)
        job: Future[T] = self._threads.submit(context.run, run)
        job.add_done_callback(self._done)
        try:
            return await self._await(job, request)
        finally:
            stop.set()

    def close(self) -> None:
        """Refuse further work; what has begun is finished."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    def wait_s(self) -> float:
        """Return how long one more piece would take, waiting included; 0 where that is not known."""
        return self.usual_s * (1 + self.pending / self.workers)

    def check_room(self) -> None:
        """
        See whether one more piece would be taken.

        :raises BusyError: If not.
        """
        if self.pending >= self.workers + self.queue_size:
            raise BusyError(
                f"{self.pending} requests are being answered or waiting, which is all there is room for",
                hint="Try again in a moment.",
            )
        if self.pending >= self.workers and self.wait_s() > self.time_limit_s * _SURE:
            raise BusyError(
                f"{self.pending} requests are being answered or waiting; one more would wait over"
                f" {self.time_limit_s:g} s",
                hint="Try again in a moment.",
            )

    def _run(self, work: Callable[[Progress], T], *, stop: threading.Event, progress: Progress, deadline: float) -> T:
        """Do one piece in a thread of the pool, unless nobody waits for it or it could not be ready in time."""

        def report(event: ProgressEvent) -> None:
            if stop.is_set():
                raise CancelledError("nobody waits for this answer any more")
            progress(event)

        started = self.clock()
        if stop.is_set():
            raise CancelledError("nobody waits for this answer any more")
        if started + self.usual_s / _SURE > deadline:
            raise BusyError("There was no room to answer in time", hint="Try again in a moment.")
        try:
            return work(report)
        finally:
            took = min(self.clock() - started, self.time_limit_s / 2)  # so that a free worker is always enough
            with self._lock:
                self.usual_s += (took - self.usual_s) * (_WEIGHT if self.usual_s else 1.0)

    def _done(self, job: "Future[T]") -> None:
        with self._lock:
            self.pending -= 1

    async def _await(self, job: "Future[T]", request: HttpRequest | None) -> T:
        future = asyncio.wrap_future(job)
        future.add_done_callback(_note_outcome)
        watcher = asyncio.ensure_future(_client_gone(request)) if request is not None else None
        waited: list[asyncio.Future[Any]] = [future] if watcher is None else [future, watcher]
        try:
            done, _ = await asyncio.wait(waited, timeout=self.time_limit_s, return_when=asyncio.FIRST_COMPLETED)
        finally:
            if watcher is not None:
                watcher.cancel()
        if future in done:
            return future.result()
        never_begun = job.cancel()
        if done:
            raise CancelledError("the client went away")
        if never_begun:
            raise BusyError(f"There was no room within {self.time_limit_s:g} s", hint="Try again in a moment.")
        raise TimeLimitError(
            f"There was no answer within {self.time_limit_s:g} s", hint="Ask something narrower, or try again later."
        )


def _note_outcome(future: "asyncio.Future[Any]") -> None:
    """Look at how work ended that nobody may wait for any more; asyncio would log that it had failed unseen."""
    if not future.cancelled():
        future.exception()


async def _client_gone(request: HttpRequest) -> None:
    while True:
        message = await request.receive()
        if message["type"] == "http.disconnect":
            return
