"""Reads archived pages with today's extractor, without asking the site again."""

import asyncio
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

from core.errors import CancelledError, InputError
from core.progress import Progress, ProgressEvent, Stage, ignore_progress
from scraper.archive import read_page
from scraper.crawling.keeper import PageKeeper, Reply
from scraper.crawling.selection import Selection, config_hash
from scraper.crawling.site import Site
from scraper.extracting.pool import ExtractionPool
from scraper.extracting.tasks import PageTask
from scraper.publishers import Publisher
from scraper.report import CrawlReport, keep_report
from scraper.state.database import Database
from scraper.state.frontier import Outcome, Page
from scraper.state.lock import CrawlLock
from scraper.state.runs import Run, Runs
from scraper.state.summary import summarise


def reextract(
    publisher: Publisher, *, data_dir: Path, workers: int = 1, progress: Progress = ignore_progress
) -> CrawlReport:
    """
    Extract every archived page again. An article whose text comes out differently is a new revision.

    :param data_dir: As for `crawl`.
    :param workers: Processes that extract articles, > 0.
    :raises InputError: If nothing of the publisher is archived.
    :raises StoreLockedError: If a crawl is using the data directory.
    :raises CancelledError: If `progress` stopped it; what was done is kept.
    """
    with CrawlLock(data_dir):
        database = Database(data_dir).open()
        try:
            database.repair_files()
            pages = _archived(database, publisher.name)
            if not pages:
                raise InputError(
                    f"nothing of {publisher.name} is archived in {data_dir}", field="publisher", hint="Crawl it first."
                )
            run = _begin(database, publisher)
            keeper = PageKeeper(database, run, site=Site(publisher), selection=Selection(publisher))
            try:
                warnings = asyncio.run(_extract_all(pages, keeper, workers=workers, progress=progress))
            finally:
                keeper.close()
            seconds = (datetime.now(UTC) - run.started_at).total_seconds()
            Runs(database).account(run, seconds=seconds, requests=0, received=0, warnings=warnings)
            report = summarise(database, run.run_id)
            keep_report(data_dir, report)
            return report
        finally:
            database.close()


def _begin(database: Database, publisher: Publisher) -> Run:
    """Make a run of its own: it fetches nothing, so an interrupted crawl stays as it is."""
    return Runs(database).begin_apart(publisher.name, config=config_hash(publisher), now=datetime.now(UTC))


def _archived(database: Database, publisher: str) -> list[tuple[Page, str]]:
    rows = database.sql.execute(
        "SELECT id, url, status, article_id, etag, last_modified, page_hash, config, attempts, raw_ref FROM urls"
        " WHERE publisher = ? AND raw_ref IS NOT NULL AND status IN ('article', 'rejected')"
        " AND due_run IS NULL ORDER BY id",
        (publisher,),
    )
    return [(Page(**{key: row[key] for key in row.keys() if key != "raw_ref"}), row["raw_ref"]) for row in rows]  # noqa: SIM118


async def _extract_all(
    pages: list[tuple[Page, str]], keeper: PageKeeper, *, workers: int, progress: Progress
) -> list[str]:
    """Extract pages, as many at a time as there are workers; return what went wrong, as sentences."""
    pool = ExtractionPool(keeper.site.publisher, workers=workers)
    pool.start()
    outcomes: Counter[Outcome] = Counter()
    lost: list[str] = []
    waiting = asyncio.Semaphore(2 * workers)

    async def one(page: Page, reference: str) -> None:
        async with waiting:
            try:
                archived = read_page(keeper.database.data_dir, reference)
            except InputError as error:
                lost.append(error.message)
                return
            task = PageTask(
                archived.url, archived.content, tuple(archived.headers.items()), archived.fetched_at, archive=False
            )
            result = await pool.run(task)
            reply = Reply(archived.content, page.etag, page.last_modified, archived.fetched_at)
            outcomes[keeper.extracted(page, reply, result, reference=reference)] += 1
            progress(ProgressEvent(stage=Stage.CRAWL, done=outcomes.total(), total=len(pages), unit="pages"))

    tasks = [asyncio.ensure_future(one(page, reference)) for page, reference in pages]
    try:
        await asyncio.gather(*tasks)
    except (CancelledError, KeyboardInterrupt):
        for task in tasks:
            task.cancel()
        raise
    finally:
        pool.abandon()
        pool.stop()
    return lost
