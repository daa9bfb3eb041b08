"""Where answers are made: a few threads behind a bounded queue, with a time limit, stopped when the client goes."""

import asyncio
import contextlib
import contextvars
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

from fastapi import Request as HttpRequest

from core.errors import BusyError, CancelledError, TimeLimitError
from core.progress import Progress, ProgressEvent, ignore_progress

T = TypeVar("T")


class Workshop:
    """
    Runs blocking work for requests.

    :param workers: Pieces of work at one time.
    :param queue_size: Pieces that may wait beyond those; one more is refused.
    :param time_limit_s: Seconds from asking to answer, waiting included.
    """

    def __init__(self, *, workers: int, queue_size: int, time_limit_s: float) -> None:
        self.workers = workers
        self.queue_size = queue_size
        self.time_limit_s = time_limit_s
        self.pending = 0
        self._lock = threading.Lock()
        self._threads = ThreadPoolExecutor(max_workers=workers, thread_name_prefix="work")

    async def do(
        self, work: Callable[[Progress], T], *, request: HttpRequest | None = None, progress: Progress = ignore_progress
    ) -> T:
        """
        Do one piece of work and return what it gives.

        :param work: Called in a thread with a progress callback, through which it is stopped.
        :param request: Whose client is watched; None: nobody's.
        :raises BusyError: If the queue is full.
        :raises TimeLimitError: If it took too long.
        :raises CancelledError: If the client went away.
        """
        if self.pending >= self.workers + self.queue_size:
            raise BusyError(
                f"{self.pending} requests are being answered or waiting, which is all there is room for",
                hint="Try again in a moment.",
            )
        stop = threading.Event()
        with self._lock:
            self.pending += 1
        context = contextvars.copy_context()  # the logs of the work name the request
        job = self._threads.submit(context.run, _stoppable(work, stop=stop, progress=progress))
        job.add_done_callback(self._done)
        try:
            return await self._await(asyncio.wrap_future(job), request)
        finally:
            stop.set()

    def close(self) -> None:
        """Refuse further work; what has begun is finished."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _done(self, job: "Future[T]") -> None:
        with self._lock:
            self.pending -= 1

    async def _await(self, future: "asyncio.Future[T]", request: HttpRequest | None) -> T:
        watcher = asyncio.ensure_future(_client_gone(request)) if request is not None else None
        waited: list[asyncio.Future[Any]] = [future] if watcher is None else [future, watcher]
        try:
            done, _ = await asyncio.wait(waited, timeout=self.time_limit_s, return_when=asyncio.FIRST_COMPLETED)
        finally:
            if watcher is not None:
                watcher.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await watcher
        if future in done:
            return future.result()
        future.cancel()
        if done:
            raise CancelledError("the client went away")
        raise TimeLimitError(
            f"There was no answer within {self.time_limit_s:g} s", hint="Ask something narrower, or try again later."
        )


def _stoppable(work: Callable[[Progress], T], *, stop: threading.Event, progress: Progress) -> Callable[[], T]:
    def report(event: ProgressEvent) -> None:
        if stop.is_set():
            raise CancelledError("nobody waits for this answer any more")
        progress(event)

    def run() -> T:
        if stop.is_set():
            raise CancelledError("nobody waits for this answer any more")
        return work(report)

    return run


async def _client_gone(request: HttpRequest) -> None:
    while True:
        message = await request.receive()
        if message["type"] == "http.disconnect":
            return
