"""Crawls one publisher: one call from any thread, any number of times in a process."""

import contextlib
import json
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from core.errors import CancelledError, InputError, LooksyError, StoreError, StoreVersionError, UnavailableError
from core.paths import ROOT
from core.progress import Progress, ProgressEvent, Stage, ignore_progress
from scraper.crawling.archive_crawl import crawl_archives
from scraper.crawling.jobs import CrawlEvent, CrawlJob, check_counts
from scraper.extraction.workers.tasks import PageLimits
from scraper.publishers import Publisher
from scraper.publishers.site import check_home
from scraper.state.lock import CrawlLock
from scraper.state.report import CrawlReport

STOP_S = 10.0
"""A crawl that is stopped may finish the pages it has asked for within this time."""
_LINE_CHARS = 300
_LAST_WORDS_S = 2.0
"""For the rest of a dead worker's messages; extraction processes may hold their pipe open for longer."""
_RESUME = "Run the same command again; it goes on where it stopped."
_ERRORS: dict[str, type[LooksyError]] = {
    error.code: error for error in (UnavailableError, StoreError, StoreVersionError, InputError, LooksyError)
}


class LastWords:
    """
    Reads what a process says on standard error as it comes, so that the process never waits; keeps the last line.

    :param pipe: Closed once the process and its children have.
    """

    def __init__(self, pipe: IO[str]) -> None:
        self._pipe = pipe
        self._line = ""
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def hear(self) -> str:
        """Return the last line of a process that has ended; it is blank if there was none."""
        self._thread.join(_LAST_WORDS_S)
        return self._line

    def _read(self) -> None:
        with self._pipe:
            while line := self._pipe.readline(_LINE_CHARS):
                self._line = line.strip() or self._line


def crawl(
    publisher: Publisher,
    *,
    data_dir: Path,
    home: str | None = None,
    contact: str,
    workers: int = 1,
    limit: int | None = None,
    page_limits: PageLimits | None = None,
    progress: Progress = ignore_progress,
) -> CrawlReport:
    """
    Fetch a publisher's articles; an interrupted crawl is resumed, a finished one is followed by a re-check.

    Where the publisher's file names archives, they are read in place of the site.

    :param data_dir: Articles are appended to `articles/<publisher>/<run>.jsonl` in it; state is kept in `crawl/`.
    :param home: Scheme, host and port to fetch from in place of the publisher's own.
    :param contact: Address in the user agent, for site owners.
    :param workers: Processes that extract articles, > 0.
    :param limit: Stop after so many articles; the next crawl goes on. None: no limit.
    :param page_limits: What extraction of one page may cost; None: the usual.
    :param progress: May raise `CancelledError` to stop.
    :raises InputError: If `home`, `workers` or `limit` cannot be used.
    :raises StoreLockedError: If another crawl is using the data directory.
    :raises StoreError: If what was crawled cannot be written, as on a full disk; the next crawl goes on.
    :raises UnavailableError: If the host does not answer, or its robots.txt cannot be read.
    :raises CancelledError: If it was stopped; nothing is lost.
    """
    if publisher.archives and home is None:
        return crawl_archives(
            publisher, [Path(name) for name in publisher.archives], data_dir=data_dir, workers=workers, limit=limit,
            page_limits=page_limits, progress=progress,
        )  # fmt: skip
    check_counts(workers=workers, limit=limit)
    job = CrawlJob(
        publisher=publisher, data_dir=data_dir.resolve(), home=check_home(home), contact=contact, workers=workers,
        limit=limit, page_limits=page_limits or PageLimits(),
    )  # fmt: skip
    progress(ProgressEvent(stage=Stage.CRAWL, unit="pages", message=publisher.source))
    with CrawlLock(job.data_dir) as lock, _worker(job, lock) as worker:
        assert worker.stderr is not None  # noqa: S101 (a pipe was asked for)
        return _follow(worker, progress, last_words=LastWords(worker.stderr))


_WORKER = "from scraper.crawling.worker import main; main()"
"""Not by `-m`: each process that extracts pages would load that module again, and all of Scrapy with it."""


@contextlib.contextmanager
def _worker(job: CrawlJob, lock: CrawlLock) -> Iterator["subprocess.Popen[str]"]:
    """Run the crawling process; it holds the lock, too, and is gone when the block ends."""
    worker = subprocess.Popen(  # noqa: S603 - our own command
        [sys.executable, "-c", _WORKER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        errors="replace",
        cwd=ROOT,
        pass_fds=(lock.descriptor,),
        start_new_session=True,  # Ctrl-C reaches this process, which then stops the worker
    )
    try:
        assert worker.stdin is not None  # noqa: S101 (a pipe was asked for)
        with contextlib.suppress(BrokenPipeError):
            worker.stdin.write(job.model_dump_json() + "\n")
            worker.stdin.flush()
        yield worker
    finally:
        _stop(worker)


def _follow(worker: "subprocess.Popen[str]", progress: Progress, *, last_words: LastWords) -> CrawlReport:
    """Pass on events until the worker reports or fails."""
    last = CrawlEvent(kind="progress")
    try:
        assert worker.stdout is not None  # noqa: S101 (a pipe was asked for)
        for line in worker.stdout:
            event = CrawlEvent.model_validate(json.loads(line))
            if event.kind == "failed":
                raise _ERRORS.get(event.error or "", LooksyError)(event.message, field=event.field, hint=event.hint)
            if event.report is not None:
                report = event.report
                done = report.fetched + report.refused_by_robots
                progress(ProgressEvent(stage=Stage.CRAWL, done=done, total=done + report.remaining, unit="pages"))
                return report
            last = event
            progress(ProgressEvent(stage=Stage.CRAWL, done=event.done, total=event.total, unit="pages"))
    except (KeyboardInterrupt, CancelledError) as error:
        _stop(worker)
        raise CancelledError(
            f"The crawl was stopped after {last.done} pages; nothing is lost.", hint=_RESUME
        ) from error
    status = worker.wait()
    why = last_words.hear() or "it left no message"
    raise LooksyError(f"The crawling process ended unexpectedly (status {status}): {why}", hint=_RESUME)


def _stop(worker: "subprocess.Popen[str]") -> None:
    """Let the worker finish what it has begun, but not for long."""
    if worker.poll() is None:
        worker.send_signal(signal.SIGTERM)
        try:
            worker.wait(STOP_S)
        except subprocess.TimeoutExpired:
            worker.kill()
            worker.wait()
    for pipe in (worker.stdin, worker.stdout):  # its reader closes the third
        if pipe is not None:
            with contextlib.suppress(BrokenPipeError):
                pipe.close()
