"""The spider without a network: what it asks for when, and whether others get their turn."""

import asyncio
import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from scrapy import Request
from scrapy.http import TextResponse
from twisted.python.failure import Failure

from core.errors import LooksyError, StoreError
from core.types import Article
from core.urls import content_hash
from scraper.crawling.jobs import CrawlJob
from scraper.crawling.page_recorder import PageRecorder, Reply
from scraper.crawling.scheduler import PAGE, StateScheduler
from scraper.crawling.spider import NewsSpider
from scraper.crawling.unreachable_pages import UNREACHABLE_IN_A_ROW
from scraper.extraction.workers.pool import AbandonedError
from scraper.extraction.workers.tasks import PageResult
from scraper.rejection import Rejection, RejectionReason
from scraper.sitemaps.reader import SitemapReader
from scraper.sitemaps.sitemap_queue import BATCH, SITEMAP
from scraper.state.crawls import Crawls, KnownSitemap
from scraper.state.database import AppendedFile, Database
from scraper.state.frontier import Frontier, Listed, Outcome, Page
from tests.scraper.crawling.nearly_full import NearlyFull
from tests.scraper.crawling.playsite import HOME, index, publisher, urlset

NOW = datetime(2024, 3, 5, tzinfo=UTC)


@pytest.fixture
def spider(tmp_path: Path) -> Iterator[NewsSpider]:
    database = Database(tmp_path).open()
    run = Crawls(database).begin("play", config="c", now=NOW)
    job = CrawlJob(publisher=publisher(), data_dir=tmp_path, contact="test")
    spider = NewsSpider(job=job, database=database, run=run, emit=lambda event: None)
    spider.pool.start_processes = lambda: None  # type: ignore[method-assign]
    spider.crawler = SimpleNamespace(engine=None)  # type: ignore[assignment]
    yield spider
    spider.recorder.close()
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


def answer_for(known: KnownSitemap, body: bytes = b"", status: int = 200) -> TextResponse:
    request = SimpleNamespace(meta={SITEMAP: known})
    return TextResponse(known.url, status=status, body=body, request=request)  # type: ignore[arg-type]


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
        children = [request async for request in spider.sitemap_queue.read(answer_for(known, body))]
        waiting.cancel()
        return children

    assert asyncio.run(read()) == []
    assert turns >= count // BATCH
    assert spider.frontier.count_due() == count


def test_sitemaps_that_a_stop_leaves_stay_pending(spider: NewsSpider) -> None:
    waiting, refused = spider.sitemap_queue.sitemaps.add([f"{HOME}/a.xml", f"{HOME}/b.xml"], depth=0)
    spider.stopping = True
    failure = Failure(AbandonedError())
    failure.request = SimpleNamespace(meta={SITEMAP: waiting})  # type: ignore[attr-defined]
    spider.sitemap_failed(failure)

    async def read() -> list[Any]:
        return [request async for request in spider.parse_sitemap(answer_for(refused, status=429))]

    assert asyncio.run(read()) == []
    assert spider.sitemap_queue.sitemaps.pending() == [waiting, refused]
    assert spider.sitemap_queue.warnings == []


def test_crawl_that_is_stopping_is_given_nothing_more(spider: NewsSpider) -> None:
    scheduler = StateScheduler()
    scheduler.open(spider)
    scheduler.enqueue_request(Request(f"{HOME}/a.xml"))
    spider.stopping = True
    assert not scheduler.has_pending_requests()
    assert scheduler.next_request() is None
    spider.stopping = False
    assert scheduler.has_pending_requests()
    assert scheduler.next_request() is not None


def test_pending_sitemap_that_cannot_be_asked_for_holds_up_nothing(spider: NewsSpider) -> None:
    spider.sitemap_queue.sitemaps.add(["www.example.org/sitemap.xml"], depth=0)  # as an earlier Looksy wrote it
    assert [request.url for request in spider.sitemap_queue.begin([])] == [f"{HOME}/sitemap.xml"]
    assert [known.url for known in spider.sitemap_queue.sitemaps.pending()] == [f"{HOME}/sitemap.xml"]
    assert "www.example.org/sitemap.xml: not asked for" in spider.sitemap_queue.warnings[0]


def test_sitemap_that_breaks_its_reader_is_not_left_pending(
    spider: NewsSpider, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(self: SitemapReader) -> Iterator[Any]:
        raise UnicodeError("no such letter")
        yield

    monkeypatch.setattr(SitemapReader, "__iter__", broken)
    (known,) = spider.sitemap_queue.sitemaps.add([f"{HOME}/a.xml"], depth=0)

    async def read() -> list[Any]:
        return [request async for request in spider.sitemap_queue.read(answer_for(known, b"<urlset/>"))]

    assert asyncio.run(read()) == []
    assert spider.sitemap_queue.sitemaps.pending() == []
    assert spider.sitemap_queue.warnings == [f"sitemap {HOME}/a.xml: not read (UnicodeError: no such letter)"]


@pytest.mark.parametrize(("reason", "conditional"), [
    (RejectionReason.TIMED_OUT, False), (RejectionReason.OUT_OF_MEMORY, False), (RejectionReason.CRASHED, False),
    (RejectionReason.NOT_ARTICLE, True),
])  # fmt: skip
def test_page_that_could_not_be_read_is_asked_for_in_full(
    spider: NewsSpider, reason: RejectionReason, conditional: bool
) -> None:
    database = spider.recorder.database
    with database.transaction() as sql:
        spider.frontier.add(sql, [Listed("a", f"{HOME}/a")])
    (page,) = spider.frontier.due(after=0, limit=9)
    result = PageResult(Rejection(url=page.url, reason=reason, detail="as it happens"))
    assert spider.recorder.extracted(page, Reply('"1"', None, NOW), result) is Outcome.REJECTED
    assert Crawls(database).finish(spider.run)
    later = Crawls(database).begin("play", config="c", now=NOW + timedelta(days=1))
    (page,) = Frontier(database, later).due(after=0, limit=9)
    assert ("If-None-Match" in spider.page_request(page).headers) is conditional


def test_article_that_could_not_be_read_once_is_an_article_again(spider: NewsSpider) -> None:
    database, run = spider.recorder.database, spider.run
    found = Article(
        article_id="0" * 16, url=f"{HOME}/a", headline="A", body="B", first_seen_at=NOW, source="play",
        content_hash=content_hash("A", "B"),
    )  # fmt: skip
    crashed = Rejection(url=found.url, reason=RejectionReason.CRASHED, detail="as it happens")
    with database.transaction() as sql:
        spider.frontier.add(sql, [Listed("a", found.url)])
    outcomes = []
    for day, result in enumerate((found, crashed, found), start=1):
        keeper = PageRecorder(database, run, site=spider.site, selection=spider.recorder.selection)
        (page,) = keeper.frontier.due(after=0, limit=9)
        outcomes.append(keeper.extracted(page, Reply('"1"', None, NOW), PageResult(result)))
        keeper.close()
        assert Crawls(database).finish(run)
        run = Crawls(database).begin("play", config="c", now=NOW + timedelta(days=day))
    assert outcomes == [Outcome.NEW, Outcome.REJECTED, Outcome.UNCHANGED]
    (page,) = Frontier(database, run).due(after=0, limit=9)
    assert page.status == "article"
    assert spider.recorder.was_read(page)


def test_disk_that_is_full_leaves_neither_half_a_record_nor_a_settled_page(
    spider: NewsSpider, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def open_file(data_dir: Path, path: Path) -> AppendedFile:
        file = AppendedFile(data_dir, path)
        file._file = NearlyFull(file._file, room=10)  # type: ignore[assignment]
        return file

    monkeypatch.setattr("scraper.crawling.page_recorder.AppendedFile", open_file)
    with spider.recorder.database.transaction() as sql:
        spider.frontier.add(sql, [Listed("a", f"{HOME}/a")])
    (page,) = spider.frontier.due(after=0, limit=9)
    rejection = Rejection(url=page.url, reason=RejectionReason.NOT_ARTICLE, detail="as it happens")
    with pytest.raises(OSError, match="No space left"):
        spider.recorder.extracted(page, Reply(None, None, NOW), PageResult(rejection, record=b"more than ten bytes"))
    assert [file.stat().st_size for file in tmp_path.glob("crawl/warc/**/*.gz")] == [0]
    assert spider.frontier.due(after=0, limit=9) == [page]


def answer_of(page: Page, status: int = 304) -> TextResponse:
    request = SimpleNamespace(meta={PAGE: page})
    return TextResponse(page.url, status=status, request=request)  # type: ignore[arg-type]


@pytest.mark.parametrize("error", [
    OSError(28, "No space left on device", "articles/play/1.jsonl"),
    sqlite3.OperationalError("database or disk is full"),
])  # fmt: skip
def test_page_that_cannot_be_kept_ends_the_crawl_with_the_reason(
    spider: NewsSpider, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def unchanged(*_: object, **__: object) -> Outcome:
        raise error

    monkeypatch.setattr(spider.recorder, "unchanged", unchanged)
    monkeypatch.setattr(spider.recorder, "was_read", lambda page: True)
    spider.page_request(page(1))
    asyncio.run(spider.parse_page(answer_of(page(1))))
    assert isinstance(spider.broken, StoreError)
    assert str(error.args[1] if len(error.args) > 1 else error) in spider.broken.message
    assert (spider.broken.field, spider.outcomes.total()) == ("data_dir", 0)
    assert spider.broken.hint is not None
    assert spider.broken.hint.startswith("Make room")
    assert spider.stopping
    assert not spider.wants_pages


def test_state_that_cannot_be_written_is_told_once_by_pages_sitemaps_and_scheduler(
    spider: NewsSpider, monkeypatch: pytest.MonkeyPatch
) -> None:
    (known,) = spider.sitemap_queue.sitemaps.add([f"{HOME}/a.xml"], depth=0)
    scheduler = StateScheduler()
    scheduler.open(spider)
    spider.recorder.database.sql.execute("PRAGMA query_only = 1")

    async def read() -> list[Any]:
        return [request async for request in spider.parse_sitemap(answer_for(known, urlset("/news/1").encode()))]

    assert asyncio.run(read()) == []
    first = spider.broken
    assert isinstance(first, StoreError)
    assert "state.sqlite could not be written: attempt to write a readonly database" in first.message
    failure = Failure(ValueError("as it happens"))
    for key, value in ((PAGE, page(1)), (SITEMAP, known)):
        failure.request = SimpleNamespace(meta={key: value})  # type: ignore[attr-defined]
        (spider.page_failed if key == PAGE else spider.sitemap_failed)(failure)
    spider.stopping = False
    monkeypatch.setattr(spider.frontier, "due", lambda **_: spider.recorder.database.sql.execute("no such statement"))
    assert not scheduler.has_pending_requests()
    assert scheduler.next_request() is None
    spider.closed("finished")
    assert spider.broken is first
    assert spider.sitemap_queue.sitemaps.pending() == [known]


def test_page_that_looksy_stumbles_over_is_counted(spider: NewsSpider, monkeypatch: pytest.MonkeyPatch) -> None:
    def unchanged(*_: object, **__: object) -> Outcome:
        raise KeyError("as it happens")

    with spider.recorder.database.transaction() as sql:
        spider.frontier.add(sql, [Listed("a", f"{HOME}/a")])
    (page,) = spider.frontier.due(after=0, limit=9)
    monkeypatch.setattr(spider.recorder, "unchanged", unchanged)
    spider.page_request(page)
    asyncio.run(spider.parse_page(answer_of(page)))
    assert (spider.outcomes, spider.broken, spider.in_flight.pages) == ({Outcome.FAILED: 1}, None, 0)
    assert spider.frontier.count_due() == 0


def test_processes_that_cannot_be_started_end_the_crawl(spider: NewsSpider, monkeypatch: pytest.MonkeyPatch) -> None:
    def socketpair() -> None:
        raise OSError(24, "Too many open files")

    monkeypatch.setattr("scraper.extraction.workers.pool.socket.socketpair", socketpair)
    monkeypatch.delattr(spider.pool, "start_processes")
    scheduler = StateScheduler()
    scheduler.open(spider)
    with spider.recorder.database.transaction() as sql:
        spider.frontier.add(sql, [Listed("a", f"{HOME}/a")])
    assert scheduler.next_request() is None
    assert isinstance(spider.broken, LooksyError)
    assert spider.broken.message.endswith("could be started: Too many open files")
    spider.pool.stop()


def test_further_sitemaps_are_noted_before_the_index_that_names_them_is_done_with(
    spider: NewsSpider, monkeypatch: pytest.MonkeyPatch
) -> None:
    (known,) = spider.sitemap_queue.sitemaps.add([f"{HOME}/a.xml"], depth=0)

    def add(*_: object, **__: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(spider.sitemap_queue.sitemaps, "add", add)

    async def read() -> list[Any]:
        return [request async for request in spider.parse_sitemap(answer_for(known, index("/b.xml").encode()))]

    assert asyncio.run(read()) == []
    assert isinstance(spider.broken, StoreError)
    assert spider.sitemap_queue.sitemaps.pending() == [known]


@pytest.mark.parametrize(("seconds", "said", "stops"), [(30, 0, False), (120, 1, False), (7200, 1, True)])
def test_long_pauses_between_pages_are_told_and_longer_ones_not_waited_for(
    spider: NewsSpider, seconds: float, said: int, stops: bool
) -> None:
    spider.slow_down("news.example.org", seconds)
    assert len(spider.warnings) == said
    assert all(f"news.example.org asked for {seconds:.0f} s between pages" in warning for warning in spider.warnings)
    assert (spider.stopping, spider.unavailable) == (stops, None)
