"""The spider without a network: what it asks for when, and whether others get their turn."""

import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from scrapy.http import TextResponse

from scraper.crawling.jobs import CrawlJob
from scraper.crawling.listing import BATCH, SITEMAP
from scraper.crawling.spider import UNREACHABLE_IN_A_ROW, NewsSpider
from scraper.state.database import Database
from scraper.state.frontier import Outcome, Page
from scraper.state.runs import KnownSitemap, Runs
from tests.scraper.crawling.playsite import HOME, publisher, urlset


@pytest.fixture
def spider(tmp_path: Path) -> Iterator[NewsSpider]:
    database = Database(tmp_path).open()
    run = Runs(database).begin("play", config="c", now=datetime(2024, 3, 5, tzinfo=UTC))
    job = CrawlJob(publisher=publisher(), data_dir=tmp_path, contact="test")
    spider = NewsSpider(job=job, database=database, run=run, emit=lambda event: None)
    spider.pool.start_processes = lambda: None  # type: ignore[method-assign]
    spider.crawler = SimpleNamespace(engine=None)  # type: ignore[assignment]
    yield spider
    database.close()


def page(number: int) -> Page:
    return Page(number, f"{HOME}/news/{number}", "pending", None, None, None, None, None, 0)


def test_pages_are_asked_for_in_bursts_even_while_the_host_seems_gone(spider: NewsSpider) -> None:
    asked = 0
    while spider.wants_pages:
        spider.page_request(page(asked))
        asked += 1
    settled = 0
    while not spider.wants_pages:
        spider._settled(page(settled), Outcome.NEW)
        settled += 1
    assert 1 < settled <= asked - UNREACHABLE_IN_A_ROW + 1
    spider.page_request(page(asked))
    assert spider.wants_pages


def test_long_sitemap_lets_pages_on_their_way_have_their_turn(spider: NewsSpider) -> None:
    count = 3 * BATCH + 1
    body = urlset(*(f"/news/{number}" for number in range(count))).encode()
    turns = 0

    async def others() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    async def read() -> list[Any]:
        waiting = asyncio.ensure_future(others())
        known = KnownSitemap(f"{HOME}/sitemap.xml", 0, None, None, None)
        response = TextResponse(known.url, body=body, request=SimpleNamespace(meta={SITEMAP: known}))  # type: ignore[arg-type]
        children = [request async for request in spider.listing.read(response)]
        waiting.cancel()
        return children

    assert asyncio.run(read()) == []
    assert turns >= count // BATCH
    assert spider.frontier.count_due() == count
