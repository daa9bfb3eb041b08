"""Crawls web archives and saved pages, with the extraction and state of a crawl; nothing is asked of the site."""

import asyncio
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

from core.progress import Progress, ProgressEvent, Stage, ignore_progress
from scraper.archives.captures import Capture
from scraper.archives.page_source import PageSource
from scraper.crawling.jobs import check_counts
from scraper.crawling.page_recorder import PageRecorder, Reply
from scraper.extraction.workers.pool import ExtractionPool
from scraper.extraction.workers.tasks import PageLimits, PageTask
from scraper.publishers import Publisher
from scraper.publishers.site import Site
from scraper.rejection import RejectionReason
from scraper.sitemaps.selection import Selection, config_hash
from scraper.state.crawls import Crawls
from scraper.state.database import Database, written_to
from scraper.state.frontier import PAGE_COLUMNS, Listed, Outcome, Page
from scraper.state.lock import CrawlLock
from scraper.state.report import CrawlReport, keep_report
from scraper.state.summary import summarise

_TAKEN = frozenset({Outcome.NEW, Outcome.CHANGED, Outcome.RETURNED})
_SETTLED = frozenset({"article", "rejected", "duplicate", "gone"})
_BROKEN_OFF = frozenset({RejectionReason.TIMED_OUT, RejectionReason.OUT_OF_MEMORY, RejectionReason.CRASHED})


def crawl_archives(
    publisher: Publisher,
    paths: Iterable[Path],
    *,
    data_dir: Path,
    workers: int = 1,
    limit: int | None = None,
    page_limits: PageLimits | None = None,
    progress: Progress = ignore_progress,
) -> CrawlReport:
    """
    Take the articles of a publisher from files. A capture that is not newer than what is known of its page is skipped.

    So the same call goes on where an interrupted one stopped.

    :param paths: WARC, ARC and WACZ files, saved pages, or folders of them.
    :param data_dir: As for `crawl`.
    :param workers: Processes that extract articles, > 0.
    :param limit: Stop after so many new or changed articles. None: no limit.
    :param page_limits: What extraction of one page may cost; None: the usual.
    :raises InputError: If a path holds nothing of the kind, or its only file cannot be read at all.
    :raises StoreLockedError: If a crawl is using the data directory.
    :raises StoreError: If what was read cannot be written, as on a full disk.
    :raises CancelledError: If `progress` stopped it; what was done is kept.
    """
    check_counts(workers=workers, limit=limit)
    sources = [PageSource(path) for path in paths]
    data_dir = data_dir.resolve()
    with CrawlLock(data_dir), written_to(data_dir):
        database = Database(data_dir).open()
        try:
            database.repair_files()
            crawls = Crawls(database)
            run = crawls.begin_apart(publisher.name, config=config_hash(publisher), now=datetime.now(UTC))
            recorder = PageRecorder(database, run, site=_own_site(publisher), selection=Selection(publisher))
            pool = ExtractionPool(publisher, workers=workers, limits=page_limits or PageLimits())
            archives = _ArchiveCrawl(recorder, pool, limit=limit, progress=progress)
            try:
                asyncio.run(archives.read(sources, at_once=2 * workers))
            finally:
                recorder.close()
                seconds = (datetime.now(UTC) - run.started_at).total_seconds()
                warnings = [*recorder.warnings, *archives.warnings, *(text for one in sources for text in one.problems)]
                crawls.account(run, seconds=seconds, requests=0, received=0, warnings=warnings)
            for source in sources:
                archives.skipped.update(source.skipped)
            report = summarise(database, run.run_id)
            report = report.model_copy(
                update={"taken": archives.taken, "skipped": dict(sorted(archives.skipped.items()))}
            )
            keep_report(data_dir, report)
            return report
        finally:
            database.close()


def _own_site(publisher: Publisher) -> Site:
    """Return the site by its own name, wherever it is fetched from."""
    return Site(publisher.model_copy(update={"served_at": None}))


@dataclass(frozen=True)
class _Wanted:
    """A capture to be read, and its page."""

    capture: Capture
    page: Page


class _ArchiveCrawl:
    """
    Reads captures a few at a time, and settles them in their order.

    :param recorder: Of a run of its own.
    :param pool: Extracts.
    """

    def __init__(self, recorder: PageRecorder, pool: ExtractionPool, *, limit: int | None, progress: Progress) -> None:
        self.recorder = recorder
        self.pool = pool
        self.limit = limit
        self.progress = progress
        self.skipped = Counter[str]()
        """Why captures were not read, to how many."""
        self.warnings: list[str] = []
        self.taken = 0
        self._done = 0

    async def read(self, sources: list[PageSource], *, at_once: int) -> None:
        """Read all captures, once more where it was learnt on the way that variants of an address are pages."""
        try:
            learnt = -1
            while learnt < len(self.recorder.warnings) and not self._is_full:
                learnt = len(self.recorder.warnings)
                self.skipped.clear()
                for source in sources:
                    source.skipped.clear()
                    source.problems.clear()
                    await self._read_source(source, at_once=at_once)
        finally:
            self.pool.stop()

    @property
    def _is_full(self) -> bool:
        return self.limit is not None and self.taken >= self.limit

    async def _read_source(self, source: PageSource, *, at_once: int) -> None:
        wanted = self._wanted(source)
        held: Capture | None = None
        while not self._is_full:
            room = at_once if self.limit is None else min(at_once, self.limit - self.taken)
            batch, held = self._next_batch(wanted, held, room)
            if not batch and held is None:
                return
            results = await asyncio.gather(*(self.pool.run(self._task(one)) for one in batch))
            for one, result in zip(batch, results, strict=True):
                fields, captured_at = one.capture.headers, self._time(one.capture)
                reply = Reply(fields.get("etag"), fields.get("last-modified"), captured_at, one.capture.url)
                self.taken += self.recorder.extracted(one.page, reply, result) in _TAKEN
                self._done += 1
            self.progress(ProgressEvent(stage=Stage.CRAWL, done=self._done, unit="pages"))
        if held is not None or next(wanted, None) is not None:
            self.warnings.append(f"stopped after {self.taken:,} articles; run the same command again to go on")

    def _next_batch(
        self, wanted: Iterator[_Wanted], held: Capture | None, most: int
    ) -> tuple[list[_Wanted], Capture | None]:
        """Return the next captures up to the second of one page, and that one: it waits until the first is settled."""
        page = self._page(held) if held is not None else None
        batch = [_Wanted(held, page)] if held is not None and page is not None else []
        for one in islice(wanted, most - len(batch)):
            if any(one.page.id == other.page.id for other in batch):
                return batch, one.capture
            batch.append(one)
        return batch, None

    def _task(self, wanted: _Wanted) -> PageTask:
        capture = wanted.capture
        return PageTask(
            capture.url, capture.content, tuple(capture.headers.items()), self._time(capture),
            listed_at=wanted.page.listed_time,
        )  # fmt: skip

    def _time(self, capture: Capture) -> datetime:
        """Return when a page was captured; a time to come would keep all later crawls from it."""
        return min(capture.captured_at, datetime.now(UTC))

    def _wanted(self, source: PageSource) -> Iterator[_Wanted]:
        """Yield the captures of the publisher that are newer than what is known of their pages."""
        for capture in source:
            refusal = self.recorder.site.refusal(capture.url)
            if refusal is None and not self.recorder.selection.wants_address(capture.url):
                refusal = "not_wanted"
            page = None if refusal is not None else self._page(capture)
            if page is None:
                self.skipped[refusal or "known"] += 1
            else:
                yield _Wanted(capture, page)

    def _page(self, capture: Capture) -> Page | None:
        """Return the page of a capture, noted if it is new; None: a capture as new was read, or none is wanted of it."""
        selection, database = self.recorder.selection, self.recorder.database
        with database.transaction() as sql:
            self.recorder.variants.add(sql, [Listed(selection.key(capture.url), capture.url)])
        keys = (selection.exact_key(capture.url), selection.key(capture.url))
        row = database.sql.execute(
            f"SELECT {PAGE_COLUMNS}, fetched_at, config AS read_with FROM urls"
            " WHERE publisher = ? AND key IN (?, ?) ORDER BY key = ? DESC LIMIT 1",
            (self.recorder.run.publisher, *keys, keys[0]),
        ).fetchone()
        if row is None or row["status"] == "variant":
            return None
        if row["status"] in _SETTLED and row["fetched_at"] is not None and row["reason"] not in _BROKEN_OFF:
            known, ours = datetime.fromisoformat(row["fetched_at"]), self._time(capture)
            if ours < known or (ours == known and row["read_with"] == self.recorder.run.config):
                return None
        return Page(**{name: row[name] for name in PAGE_COLUMNS.split(", ")})
