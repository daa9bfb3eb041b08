"""Extraction processes that die, are stopped, or have served their time."""

import asyncio
import os
import signal
from datetime import UTC, datetime

import pytest

from core.types import Article
from scraper.extraction.workers.pool import AbandonedError, ExtractionPool, ExtractionWorker
from scraper.extraction.workers.tasks import PageLimits, PageResult, PageTask
from scraper.rejection import Rejection, RejectionReason
from tests.scraper.crawling.playsite import HOME, article_page, publisher


def page(name: str) -> PageTask:
    content = article_page(f"/news/{name}").encode()
    return PageTask(f"{HOME}/news/{name}", content, (("content-type", "text/html"),), datetime(2024, 3, 5, tzinfo=UTC))


def pid_of(worker: ExtractionWorker) -> int:
    process = worker._process
    assert process is not None
    assert process.pid is not None
    return process.pid


def test_pages_come_back_with_their_articles_and_a_process_is_replaced_in_time() -> None:
    pool = ExtractionPool(publisher(), workers=1, limits=PageLimits(pages_per_process=2))

    async def crawl() -> tuple[list[PageResult], set[int]]:
        results, pids = [], set()
        for name in "abc":
            results.append(await pool.run(page(name)))
            pids.add(pid_of(pool.workers[0]))
        return results, pids

    results, pids = asyncio.run(crawl())
    pool.stop()
    assert [result.found.url for result in results] == [f"{HOME}/news/{name}" for name in "abc"]
    assert all(isinstance(result.found, Article) and result.record for result in results)
    assert len(pids) == 2


def test_process_that_is_killed_costs_one_page_and_is_replaced() -> None:
    pool = ExtractionPool(publisher())

    async def crawl() -> tuple[PageResult, PageResult]:
        pool.start_processes()
        os.kill(pid_of(pool.workers[0]), signal.SIGKILL)
        return await pool.run(page("a")), await pool.run(page("b"))

    lost, found = asyncio.run(crawl())
    pool.stop()
    assert isinstance(lost.found, Rejection)
    assert lost.found.reason is RejectionReason.CRASHED
    assert isinstance(found.found, Article)


@pytest.mark.parametrize("how", ["abandoned", "cancelled"])
def test_page_that_is_given_up_ends_its_process(how: str) -> None:
    pool = ExtractionPool(publisher())

    async def crawl() -> int:
        running = asyncio.ensure_future(pool.run(page("a")))
        await asyncio.sleep(0.05)
        pid = pid_of(pool.workers[0])
        if how == "abandoned":
            pool.abandon()
        else:
            running.cancel()
        with pytest.raises(AbandonedError if how == "abandoned" else asyncio.CancelledError):
            await running
        return pid

    pid = asyncio.run(crawl())
    pool.stop()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
