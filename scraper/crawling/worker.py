"""
The crawling process, started by `scraper.crawling.crawl`.

Reads a job from standard input and writes events, one JSON object a line, to standard output. It has a process of its
own because a Twisted reactor runs once in a process and in its main thread only. It ends when its parent does.
"""

import ctypes
import logging
import os
import signal
import sqlite3
import sys
import threading
import time
from datetime import UTC, datetime
from pathlib import Path

from scrapy.crawler import AsyncCrawlerProcess

from core.errors import LooksyError
from scraper.crawling.jobs import CrawlEvent, CrawlJob
from scraper.crawling.scrapy_settings import make_settings
from scraper.crawling.spider import NewsSpider
from scraper.crawling.traffic import TrafficMeter
from scraper.publishers.site import Site
from scraper.sitemaps.selection import Selection, config_hash
from scraper.state.crawls import Crawl, Crawls
from scraper.state.database import Database, written_to
from scraper.state.frontier import Frontier
from scraper.state.report import keep_report
from scraper.state.summary import summarise

logger = logging.getLogger("scraper.crawling.worker")
_PR_SET_PDEATHSIG = 1


def main() -> None:
    """Do the job that standard input names."""
    _die_with_parent()
    job = CrawlJob.model_validate_json(sys.stdin.readline())
    process = AsyncCrawlerProcess(make_settings(job, Site(job.publisher, job.home)))
    try:
        with written_to(job.data_dir):
            _log_to(job)  # after Scrapy has set up logging: that closes the handlers that are there
            _crawl(job, process)
    except LooksyError as error:
        logger.error("%s", error.message)  # noqa: TRY400 (the message says it all)
        emit(CrawlEvent(kind="failed", message=error.message, error=error.code, field=error.field, hint=error.hint))
    except Exception:
        logger.exception("The crawling process failed")
        raise


def emit(event: CrawlEvent) -> None:
    """Send one event to the parent."""
    os.write(sys.stdout.fileno(), event.model_dump_json(exclude_defaults=True).encode() + b"\n")


def _crawl(job: CrawlJob, process: AsyncCrawlerProcess) -> None:
    database = Database(job.data_dir).open()
    try:
        for mended in database.repair_files():
            logger.warning(mended)
        runs = Crawls(database)
        run = runs.begin(job.publisher.name, config=config_hash(job.publisher), now=datetime.now(UTC))
        Frontier(database, run).leave_out(Selection(job.publisher).wants_address)
        begun = time.process_time()
        spider = _run_spider(job, process, database, run)
        if spider.unavailable:
            logger.error("%s", spider.unavailable)
            hint = "Check the address and the network, then run the same command again to go on."
            emit(CrawlEvent(kind="failed", message=spider.unavailable, error="unavailable", hint=hint))
        else:
            cost = {"cpu_s": round(time.process_time() - begun, 3), "peak_memory_mb": peak_memory_mb()}
            report = summarise(database, run.run_id).model_copy(update=cost | {"taken": spider.taken})
            keep_report(job.data_dir, report)
            logger.info("%d pages of %s settled, %d left", report.fetched, report.publisher, report.remaining)
            emit(CrawlEvent(kind="finished", report=report))
    finally:
        database.close()


def _run_spider(job: CrawlJob, process: AsyncCrawlerProcess, database: Database, run: Crawl) -> NewsSpider:
    """
    Crawl and account for it.

    :raises StoreError: If what was crawled could not be written; the run is not finished.
    """
    started = time.monotonic()
    crawler = process.create_crawler(NewsSpider)
    process.crawl(crawler, job=job, database=database, run=run, emit=emit)
    process.start(install_signal_handlers=False)
    spider, traffic = crawler.spider, crawler.get_downloader_middleware(TrafficMeter)
    if not isinstance(spider, NewsSpider) or traffic is None:
        raise LooksyError("the crawler did not start", hint=f"See {log_file(job)}.")
    for warning in spider.warnings:
        logger.warning("%s", warning)
    runs = Crawls(database)
    try:
        runs.account(
            run,
            seconds=time.monotonic() - started,
            requests=traffic.requests,
            received=traffic.received,
            warnings=spider.warnings,
        )
    except sqlite3.Error:
        if spider.broken is None:
            raise
    if spider.broken is not None:
        raise spider.broken
    if spider.unavailable is None:
        runs.finish(run)
    return spider


def log_file(job: CrawlJob) -> str:
    """Return where a publisher's last crawl is logged."""
    return str(job.data_dir / "crawl" / "logs" / f"{job.publisher.name}.log")


def _log_to(job: CrawlJob) -> None:
    path = log_file(job)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    logging.basicConfig(
        filename=path, filemode="w", level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s: %(message)s"
    )
    logging.getLogger("scrapy").setLevel(logging.WARNING)
    logging.getLogger("scrapy.downloadermiddlewares.redirect").setLevel(logging.ERROR)  # it misses Referer fields


def peak_memory_mb() -> float:
    """Return the most memory that this process has held; 0 where the system does not say."""
    try:
        lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM")), 0.0)


def _die_with_parent() -> None:
    """End at once when the parent does, however it ends; what was written is whole at any time."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    threading.Thread(target=_watch_parent, args=(os.getppid(),), daemon=True).start()


def _watch_parent(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(0.2)
    os._exit(1)
