"""The body of an extraction process: pages in, articles out, one at a time."""

import contextlib
import resource
import signal
import socket
from datetime import UTC, datetime
from pathlib import Path

from scraper.extraction.extract import extract
from scraper.extraction.workers.messages import receive, send
from scraper.extraction.workers.tasks import PageLimits, PageResult, PageTask, hash_page
from scraper.publishers import Publisher
from scraper.rejection import Rejection, RejectionReason
from scraper.state.archive import make_record

_MEMORY = Path("/proc/self/statm")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def serve_pages(connection: socket.socket, publisher: Publisher, limits: PageLimits) -> None:
    """
    Answer tasks until the other end closes.

    :param connection: Receives `PageTask`, sends `PageResult`.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _warm_up(publisher)
    _limit_memory(limits.memory_mb)
    with contextlib.suppress(EOFError, BrokenPipeError, ConnectionResetError):
        while True:
            task = receive(connection)
            assert isinstance(task, PageTask)  # noqa: S101 (the crawling process sends nothing else)
            send(connection, _answer(task, publisher))


def _answer(task: PageTask, publisher: Publisher) -> PageResult:
    try:
        found = extract(
            task.content, headers=dict(task.headers), url=task.url, fetched_at=task.fetched_at, publisher=publisher,
            listed_at=task.listed_at, further=task.further,
        )  # fmt: skip
        return PageResult(found, make_record(task) if task.archive else None, hash_page(task.whole))
    except MemoryError:
        return PageResult(_broken(task, RejectionReason.OUT_OF_MEMORY, "extraction needed more memory than allowed"))
    except Exception as error:
        return PageResult(_broken(task, RejectionReason.CRASHED, f"{type(error).__name__}: {error}"[:300]))


def _broken(task: PageTask, reason: RejectionReason, detail: str) -> Rejection:
    return Rejection(url=task.url, reason=reason, detail=detail)


def _warm_up(publisher: Publisher) -> None:
    """Load what extraction loads on first use, before the memory limit is set."""
    page = b"<html><body><h1>Ready</h1><article><p>" + b"The extractor reads a page to get ready. " * 20
    task = PageTask(url=publisher.home, content=page, headers=(), fetched_at=_EPOCH)
    _answer(task, publisher)


def _limit_memory(megabytes: int) -> None:
    if not _MEMORY.exists():
        return  # not Linux: only the time limit holds here
    in_use = int(_MEMORY.read_text().split()[0]) * resource.getpagesize()
    most = in_use + megabytes * 1024 * 1024
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
