"""Checks that run beside the requests of the service: started, followed, stopped."""

import contextvars
import logging
import queue
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

from core.errors import BusyError, CancelledError, LooksyError
from core.progress import ProgressEvent
from pipelines.systems.check import CheckedClaim, CheckedText, CheckRequest
from service.checks.run import CheckRunner
from service.checks.store import StoredCheck

logger = logging.getLogger(__name__)
AT_ONCE = 1
"""Texts that are checked at one time: each takes all cores."""
WAITING = 8
"""Texts that may wait beside those."""
Event = ProgressEvent | CheckedText | CheckedClaim | LooksyError
"""What is told of a check: its stage; the text with its claims found, and again at the end; each claim; its failure."""
_UNFORESEEN = "Something went wrong in the service."


class _Running:
    """A check on its way and who listens to it."""

    def __init__(self) -> None:
        self.stop = threading.Event()
        self.listeners: list[queue.Queue[Event | None]] = []

    def tell(self, event: Event | None) -> None:
        for listener in list(self.listeners):
            listener.put(event)


class BackgroundChecks:
    """
    Run checks in a thread beside the requests.

    :param runner: Checks texts and keeps what settles.
    """

    def __init__(self, runner: CheckRunner) -> None:
        self.runner = runner
        self._threads = ThreadPoolExecutor(max_workers=AT_ONCE, thread_name_prefix="check")
        self._running: dict[str, _Running] = {}
        self._lock = threading.Lock()

    def start(self, request: CheckRequest) -> StoredCheck:
        """
        Begin a check, or go on with a stopped one of the same text and options.

        :raises BusyError: If as many are waiting as may.
        :raises InputError: If the text cannot be checked.
        """
        with self._lock:
            if len(self._running) >= AT_ONCE + WAITING:
                raise BusyError(f"{len(self._running)} texts are being checked", hint="Try again in a few minutes.")
        stored = self.runner.begin(request)
        self._submit(stored)
        return stored

    def is_running(self, check_id: str) -> bool:
        """Say whether a check is on its way or waits to be."""
        return check_id in self._running

    def follow(self, stored: StoredCheck) -> Iterator[Event | None]:
        """
        Yield what is told of a check until it ends; None where nothing was told for ten seconds.

        :param stored: As `start` or the store gave it.
        """
        listener: queue.Queue[Event | None] = queue.Queue()
        with self._lock:
            running = self._running.get(stored.checked.id)
            if running is not None:
                running.listeners.append(listener)
        current = self.runner.store.get(stored.checked.id)
        yield current.checked
        if running is None:
            return
        try:
            while True:
                try:
                    event = listener.get(timeout=KEEP_ALIVE_S)
                except queue.Empty:
                    yield None
                    continue
                if event is None:
                    return
                yield event
        finally:
            running.listeners.remove(listener)

    def stop(self, check_id: str) -> None:
        """Stop a check after its batch; what has settled is kept."""
        running = self._running.get(check_id)
        if running is not None:
            running.stop.set()

    def close(self) -> None:
        """Stop everything."""
        for running in list(self._running.values()):
            running.stop.set()
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _submit(self, stored: StoredCheck) -> None:
        with self._lock:
            if stored.checked.id in self._running:
                return
            running = self._running[stored.checked.id] = _Running()
        context = contextvars.copy_context()
        self._threads.submit(context.run, self._run, stored, running)

    def _run(self, stored: StoredCheck, running: _Running) -> None:
        try:
            running.tell(self.runner.finish(stored, progress=_reporter(running), told=running.tell))
        except LooksyError as error:
            running.tell(error)
        except Exception:
            logger.exception("check failed", extra={"check_id": stored.checked.id})
            running.tell(LooksyError(_UNFORESEEN, hint="Report it with the request id."))
        finally:
            with self._lock:
                del self._running[stored.checked.id]
            running.tell(None)


KEEP_ALIVE_S = 10.0


def _reporter(running: _Running) -> Callable[[ProgressEvent], None]:
    def report(event: ProgressEvent) -> None:
        if running.stop.is_set():
            raise CancelledError("the check was stopped", hint="Send the same text again; it goes on where it stopped.")
        running.tell(event)

    return report
