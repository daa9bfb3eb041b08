"""Reads archived pages with today's extractor, without asking the site again."""

import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from core.errors import InputError
from core.progress import Progress, ProgressEvent, Stage, ignore_progress
from scraper.crawling.page_recorder import PageRecorder, Reply
from scraper.extraction.workers.pool import ExtractionPool
from scraper.extraction.workers.tasks import PageTask
from scraper.publishers import Publisher
from scraper.publishers.site import Site
from scraper.sitemaps.selection import Selection, config_hash
from scraper.state.archive import read_page
from scraper.state.crawls import Crawl, Crawls
from scraper.state.database import Database, written_to
from scraper.state.frontier import PAGE_COLUMNS, Page
from scraper.state.lock import CrawlLock
from scraper.state.report import CrawlReport, keep_report
from scraper.state.summary import summarise

_ARCHIVED = "publisher = ? AND raw_ref IS NOT NULL AND status IN ('article', 'rejected') AND due_run IS NULL"
_BATCH = 200


def reextract(
    publisher: Publisher, *, data_dir: Path, workers: int = 1, progress: Progress = ignore_progress
) -> CrawlReport:
    """
    Extract every archived page again. An article whose text comes out differently is a new revision.

    :param data_dir: As for `crawl`.
    :param workers: Processes that extract articles, > 0.
    :raises InputError: If nothing of the publisher is archived.
    :raises StoreLockedError: If a crawl is using the data directory.
    :raises StoreError: If what was extracted cannot be written, as on a full disk.
    :raises CancelledError: If `progress` stopped it; what was done is kept.
    """
    with CrawlLock(data_dir), written_to(data_dir):
        database = Database(data_dir).open()
        try:
            database.repair_files()
            total = _count_archived(database, publisher.name)
            if not total:
                raise InputError(
                    f"nothing of {publisher.name} is archived in {data_dir}", field="publisher", hint="Crawl it first."
                )
            run = _begin(database, publisher)
            recorder = PageRecorder(database, run, site=Site(publisher), selection=Selection(publisher))
            try:
                warnings = asyncio.run(_extract_all(recorder, total, workers=workers, progress=progress))
            finally:
                recorder.close()
            seconds = (datetime.now(UTC) - run.started_at).total_seconds()
            Crawls(database).account(run, seconds=seconds, requests=0, received=0, warnings=warnings)
            report = summarise(database, run.run_id)
            keep_report(data_dir, report)
            return report
        finally:
            database.close()


def _begin(database: Database, publisher: Publisher) -> Crawl:
    """Make a run of its own: it fetches nothing, so an interrupted crawl stays as it is."""
    return Crawls(database).begin_apart(publisher.name, config=config_hash(publisher), now=datetime.now(UTC))


def _count_archived(database: Database, publisher: str) -> int:
    query = f"SELECT count(*) FROM urls WHERE {_ARCHIVED}"
    return int(database.sql.execute(query, (publisher,)).fetchone()[0])


def _archived(database: Database, publisher: str) -> Iterator[tuple[Page, str]]:
    """Yield the archived pages, with where they are archived; few are in memory at a time."""
    query = f"SELECT {PAGE_COLUMNS} FROM urls WHERE {_ARCHIVED} AND id > ? ORDER BY id LIMIT {_BATCH}"
    last = 0
    while rows := database.sql.execute(query, (publisher, last)).fetchall():
        for row in rows:
            yield Page(**dict(row)), row["raw_ref"]
        last = rows[-1]["id"]


async def _extract_all(recorder: PageRecorder, total: int, *, workers: int, progress: Progress) -> list[str]:
    """Extract all archived pages, a few at a time; return what went wrong, as sentences."""
    pool = ExtractionPool(recorder.site.publisher, workers=workers)
    pages = _archived(recorder.database, recorder.run.publisher)
    done = 0
    lost: list[str] = []

    async def take_pages() -> None:
        nonlocal done
        for page, reference in pages:  # shared: each page is taken once
            try:
                archived = read_page(recorder.database.data_dir, reference)
            except InputError as error:
                lost.append(error.message)
                continue
            task = PageTask(
                archived.url, archived.content, tuple(archived.headers.items()), archived.fetched_at,
                listed_at=page.listed_time, archive=False, further=archived.further,
            )  # fmt: skip
            result = await pool.run(task)
            reply = Reply(page.etag, page.last_modified, archived.fetched_at, archived.url)
            recorder.extracted(page, reply, result, reference=reference)
            done += 1
            progress(ProgressEvent(stage=Stage.CRAWL, done=done, total=total, unit="pages"))

    tasks = [asyncio.ensure_future(take_pages()) for _ in range(2 * workers)]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        pool.stop()
    return lost
