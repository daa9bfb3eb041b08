"""A few extraction processes, each watched: a page that takes too long or too much is given up, and reported."""

import asyncio
import multiprocessing
import socket
from multiprocessing.process import BaseProcess

from core.errors import LooksyError
from scraper.extraction.workers.messages import receive_soon, send_soon
from scraper.extraction.workers.start import serve_pages
from scraper.extraction.workers.tasks import PageLimits, PageResult, PageTask
from scraper.publishers import Publisher
from scraper.rejection import Rejection, RejectionReason

_START_S = 60.0
"""Time that a new process gets on top, to load its libraries."""


class AbandonedError(Exception):
    """The crawl was stopped before the page was extracted."""


class ExtractionWorker:
    """
    One process, replaced when it breaks or has served its number of pages.

    :param publisher: Whose pages.
    :param limits: What one page may cost.
    """

    def __init__(self, publisher: Publisher, limits: PageLimits) -> None:
        self.publisher = publisher
        self.limits = limits
        self._process: BaseProcess | None = None
        self._connection: socket.socket | None = None
        self._served = 0

    def start(self) -> socket.socket:
        """
        Start the process, if it is not running; return the connection to it.

        :raises LooksyError: If the system starts no further process.
        """
        if self._connection is not None:
            return self._connection
        try:
            self._connection, self._process = self._spawn()
        except OSError as error:
            raise LooksyError(
                f"no process that extracts articles could be started: {error.strerror or error}",
                field="workers",
                hint="Free memory or allow more processes and open files, then run the same command again to go on.",
            ) from error
        self._served = 0
        return self._connection

    def _spawn(self) -> tuple[socket.socket, BaseProcess]:
        ours, theirs = socket.socketpair()
        with theirs:
            ours.setblocking(False)
            process = multiprocessing.get_context("spawn").Process(
                target=serve_pages, args=(theirs, self.publisher, self.limits), name="looksy-extract", daemon=True
            )
            process.start()
        return ours, process

    async def run(self, task: PageTask) -> PageResult:
        """Extract one page; takes no longer than the time limit. One page at a time."""
        if self._served >= self.limits.pages_per_process:
            self.stop()
        connection = self.start()
        allowed = self.limits.seconds + (_START_S if self._served == 0 else 0.0)
        self._served += 1
        try:
            async with asyncio.timeout(allowed):
                await send_soon(connection, task)
                result = await receive_soon(connection)
        except TimeoutError:
            return self._give_up(task, RejectionReason.TIMED_OUT, f"extraction took over {self.limits.seconds:g} s")
        except (EOFError, OSError):
            return self._give_up(task, RejectionReason.CRASHED, "the extraction process died on this page")
        except asyncio.CancelledError:
            self.stop()  # it may be in the middle of a message
            raise
        if not isinstance(result, PageResult):
            return self._give_up(task, RejectionReason.CRASHED, "the extraction process sent no result")
        if isinstance(result.found, Rejection) and result.found.reason is RejectionReason.OUT_OF_MEMORY:
            self.stop()  # its memory is fragmented, if not lost
        return result

    def interrupt(self) -> None:
        """End the process; a call of `run` that is waiting for it returns."""
        if self._process is not None:
            self._process.kill()

    def stop(self) -> None:
        """End the process at once."""
        if self._connection is not None:
            self._connection.close()
        if self._process is not None:
            self._process.kill()
            self._process.join()
        self._process = self._connection = None

    def _give_up(self, task: PageTask, reason: RejectionReason, detail: str) -> PageResult:
        self.stop()
        return PageResult(Rejection(url=task.url, reason=reason, detail=detail))


class ExtractionPool:
    """
    Several workers behind one awaitable call; a process is started when its first page comes, or before.

    :param publisher: Whose pages.
    :param workers: Number of processes.
    :param limits: What one page may cost.
    """

    def __init__(self, publisher: Publisher, *, workers: int = 1, limits: PageLimits | None = None) -> None:
        self.workers = [ExtractionWorker(publisher, limits or PageLimits()) for _ in range(workers)]
        self._free: asyncio.Queue[ExtractionWorker] = asyncio.Queue()
        for worker in self.workers:
            self._free.put_nowait(worker)
        self._abandoned = False
        self._has_processes = False

    def start_processes(self) -> None:
        """Let the processes load their libraries while the first pages are fetched; does nothing the second time."""
        if self._has_processes:
            return
        self._has_processes = True
        for worker in self.workers:
            worker.start()

    def abandon(self) -> None:
        """Give up the pages that are waiting or being read; their calls raise `AbandonedError`."""
        self._abandoned = True
        for worker in self.workers:
            worker.interrupt()

    async def run(self, task: PageTask) -> PageResult:
        """
        Extract one page as soon as a worker is free.

        :raises AbandonedError: If the pool gave up in the meantime.
        """
        self.start_processes()
        worker = await self._free.get()
        try:
            if self._abandoned:
                raise AbandonedError
            result = await worker.run(task)
            if self._abandoned:
                raise AbandonedError
            return result
        finally:
            self._free.put_nowait(worker)

    def stop(self) -> None:
        """End all processes at once."""
        for worker in self.workers:
            worker.stop()
