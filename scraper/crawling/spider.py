"""The spider: robots.txt, then sitemaps, then pages."""

import asyncio
import contextlib
import logging
import signal
import sqlite3
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

from scrapy import Request, Spider, signals
from scrapy.crawler import Crawler
from scrapy.http import Response
from twisted.python.failure import Failure

from core.errors import LooksyError
from scraper.crawling.blocks import (
    SENTENCES,
    WAYS_OUT,
    BlockCounter,
    BlockKind,
    block_of,
    find_block,
    find_wall,
)
from scraper.crawling.failures import UNREACHABLE, reason_of
from scraper.crawling.in_flight import InFlight
from scraper.crawling.jobs import CrawlEvent, CrawlJob
from scraper.crawling.page_recorder import PageRecorder, Reply
from scraper.crawling.politeness import LONG_DELAY_S, LONGEST_DELAY_S, SLOWED, asked_to_leave, asked_to_slow_down
from scraper.crawling.robots import SKIP, RobotsMiddleware, RobotsRefusedError, RobotsState, robots_request
from scraper.crawling.scheduler import PAGE, StateScheduler
from scraper.crawling.unreachable_pages import UNREACHABLE_IN_A_ROW, UnreachablePages
from scraper.extraction.continuation import MAX_FURTHER_PAGES, find_next_page
from scraper.extraction.page import MAX_BYTES
from scraper.extraction.workers.pool import AbandonedError, ExtractionPool
from scraper.extraction.workers.tasks import PageResult, PageTask
from scraper.headers import WITH_CONTENT, fields_of, only_if_changed, validators
from scraper.publishers.site import Site
from scraper.rejection import Rejection, RejectionReason
from scraper.sitemaps.selection import Selection
from scraper.sitemaps.sitemap_queue import SITEMAP, SitemapQueue
from scraper.state.blocks import Blocks
from scraper.state.crawls import Crawl
from scraper.state.database import Database, written_to
from scraper.state.frontier import Frontier, Outcome, Page

logger = logging.getLogger(__name__)
_PROGRESS_S = 0.2
_NOT_MODIFIED = 304
_GONE = frozenset({404, 410})
_UNFORESEEN = "unforeseen"
"""Why a page failed that Looksy itself stumbled over; the log says more."""
_REDIRECTED_OFFSITE = "redirected_offsite"
_ARTICLES = frozenset({Outcome.NEW, Outcome.CHANGED, Outcome.UNCHANGED, Outcome.RETURNED})


class NewsSpider(Spider):
    """
    Crawls one publisher in one run.

    :param job: What was asked for.
    :param database: Open.
    :param run: Begun.
    :param emit: Takes events.
    """

    name = "news"

    def __init__(self, *, job: CrawlJob, database: Database, run: Crawl, emit: Callable[[CrawlEvent], None]) -> None:
        super().__init__()
        self.job = job
        self.run = run
        self.emit = emit
        self.site = Site(job.publisher, job.home)
        selection = Selection(job.publisher)
        self.recorder = PageRecorder(database, run, site=self.site, selection=selection)
        self.sitemap_queue = SitemapQueue(database, run, site=self.site, selection=selection)
        self.frontier: Frontier = self.recorder.frontier
        self.pool = ExtractionPool(job.publisher, workers=job.workers, limits=job.page_limits)
        self.warnings: list[str] = []
        self.unavailable: str | None = None
        """Why the host cannot be crawled now; a sentence."""
        self.broken: Exception | None = None
        """Why what was crawled cannot be kept; no page is to blame, and the run is not finished."""
        self.stopping = False
        self.outcomes: Counter[Outcome] = Counter()
        self.blocks = Blocks(database, run)
        self.block_counter = BlockCounter(is_known=bool(self.blocks.known()))
        self._is_probing = self.block_counter.is_known
        self._refused_pages: list[int] = []
        """Of the row of blocked answers: they are due again, where the site keeps the crawler out."""
        burst = 2 + 2 * job.publisher.concurrency + 4 * job.workers
        self.in_flight = InFlight(most=UNREACHABLE_IN_A_ROW + burst, few=UNREACHABLE_IN_A_ROW + burst // 2)
        self._unreachable = UnreachablePages()
        self._told_at = 0.0

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> "NewsSpider":
        """Make the spider of a crawl."""
        spider: NewsSpider = super().from_crawler(crawler, *args, **kwargs)
        crawler.signals.connect(spider.leave, signal=asked_to_leave)
        crawler.signals.connect(spider.slow_down, signal=asked_to_slow_down)
        crawler.signals.connect(spider.spider_opened, signal=signals.spider_opened)
        return spider

    def spider_opened(self) -> None:
        """Make ready to be stopped."""
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, self.stop)

    @property
    def wants_pages(self) -> bool:
        """More pages may be asked for."""
        if self.stopping or self._is_probing or self.in_flight.resting:
            return False
        return self.job.limit is None or self.taken + self.in_flight.pages < self.job.limit

    @property
    def taken(self) -> int:
        """Articles of this session until now: what the limit counts."""
        return sum(self.outcomes[outcome] for outcome in _ARTICLES)

    async def start(self) -> AsyncIterator[Request]:
        """Read robots.txt and ask for the first sitemaps."""
        robots = self.crawler.get_downloader_middleware(RobotsMiddleware)
        if robots is None:
            raise RuntimeError("a crawl runs with RobotsMiddleware")
        rules = await robots.rules_for(f"{self.site.entrance}/")
        if rules.state is RobotsState.UNREACHABLE:
            self.unavailable = f"{self.site.entrance} cannot be crawled now: {rules.problem}"
            self.stopping = True
        if self.unavailable is not None:
            return
        await self._probe()
        if self.stopping:
            return
        with self.keeping():
            for request in self.sitemap_queue.begin(rules.sitemaps):
                yield request.replace(callback=self.parse_sitemap, errback=self.sitemap_failed)

    async def _probe(self) -> None:
        """Ask a site that kept the crawler out the last time for one page, before anything else."""
        pages = self.frontier.due(after=0, limit=1) if self._is_probing else []
        try:
            if pages:
                request = self.page_request(pages[0])
                response = await self.crawler.engine.download_async(request)
                await self.parse_page(response)
        except Exception as error:
            failure = Failure(error)  # type: ignore[no-untyped-call]
            failure.request = request  # type: ignore[attr-defined]
            self.page_failed(failure)
        self._is_probing = False

    def _blocked(self, kind: BlockKind) -> None:
        """Count a blocked answer; stop where the site keeps the crawler out."""
        if self.block_counter.blocked(kind, now=datetime.now(UTC)) and not self.stopping:
            self.stopping = True
            self._drop_waiting()

    def _let_in(self) -> None:
        """Note that a page came through."""
        if self.block_counter.is_known:
            self.blocks.end()
        self.block_counter.let_in()
        self._refused_pages.clear()

    def _note_block(self) -> None:
        """Keep how the site keeps the crawler out, and say so."""
        counter, now = self.block_counter, datetime.now(UTC)
        if not counter.holds or counter.kind is None or counter.since is None:
            return
        self.frontier.make_due(self._refused_pages)
        self.blocks.note(counter.kind, since=counter.since, now=now, answers=counter.in_a_row)
        since = next(one.since for one in self.blocks.known() if one.kind == counter.kind)
        self.warnings.append(
            f"blocked since {since:%Y-%m-%d %H:%M} UTC: {self.site.entrance} {SENTENCES[counter.kind]}; what can be"
            f" done: {WAYS_OUT[counter.kind]}"
        )

    async def parse_sitemap(self, response: Response) -> AsyncIterator[Request]:
        """Take in a sitemap."""
        if self.stopping and response.status in SLOWED:
            return  # the host asked to be left alone: the sitemap stays pending
        kind = find_block(response)
        if kind is not None:
            self._blocked(kind)
        with self.keeping():
            async for request in self.sitemap_queue.read(response):
                yield request.replace(callback=self.parse_sitemap, errback=self.sitemap_failed)
            self._tell()

    def sitemap_failed(self, failure: Failure) -> None:
        """Note a sitemap that could not be fetched; one that was not asked for stays pending."""
        if isinstance(failure.value, AbandonedError):
            return
        known = failure.request.meta[SITEMAP]  # type: ignore[attr-defined]
        with self.keeping():
            self.sitemap_queue.failed(known, f"not fetched ({reason_of(_error(failure))})")

    def page_request(self, page: Page) -> Request:
        """Ask for a page; one that is known only if it has changed."""
        headers = only_if_changed(page.etag, page.last_modified) if self.recorder.was_read(page) else {}
        if not headers:
            self.pool.start_processes()  # they get ready while the first page is on its way
        self.in_flight.asked()
        return Request(
            self.site.fetch_address(page.url), headers=headers, callback=self.parse_page, errback=self.page_failed,
            meta={PAGE: page}, dont_filter=True,
        )  # fmt: skip

    async def parse_page(self, response: Response) -> None:
        """Settle a page that was answered."""
        page: Page = response.meta[PAGE]
        now = datetime.now(UTC)
        with self.keeping():
            self._unreachable.end_doubts()
            self._clear_unreachable()
            if self.stopping and response.status in SLOWED:
                return  # the host asked to be left alone: the page stays due
            try:
                outcome = await self._settle_answer(page, response, now)
            except AbandonedError:
                return
            except (OSError, sqlite3.Error, LooksyError):
                raise  # not the page's fault: it stays due
            except Exception:  # whatever it is, it must not hold up the other pages, nor go without being counted
                logger.exception("%s could not be settled", page.url)
                outcome = self.recorder.failed(page, _UNFORESEEN, now=now)
            self._settled(page, outcome)

    async def _settle_answer(self, page: Page, response: Response, now: datetime) -> Outcome:
        if response.status == _NOT_MODIFIED and self.recorder.was_read(page):
            self._let_in()
            etag, last_modified = validators(response)
            return self.recorder.unchanged(page, etag=etag, last_modified=last_modified, now=now)
        if response.status in WITH_CONTENT:
            return await self._settle_content(page, response, now)
        if response.status in _GONE:
            return self.recorder.gone(page, response.status, now=now)
        kind = find_block(response)
        if kind is None:
            return self.recorder.failed(page, f"http_{response.status}", now=now)
        self._blocked(kind)
        self._refused_pages.append(page.id)
        reason = kind.value if kind is BlockKind.CHALLENGE else f"http_{response.status}"
        return self.recorder.failed(page, reason, now=now, is_refused=True)

    async def _settle_content(self, page: Page, response: Response, now: datetime) -> Outcome:
        """Settle a page whose content came; one that came back to the letter is not extracted again."""
        etag, last_modified = validators(response)
        reply = Reply(etag, last_modified, now, self.site.identity(response.url))
        task = await self._task(response, page, now)
        if self.recorder.is_unchanged(page, task.whole, address=reply.url or page.url):
            self._let_in()
            return self.recorder.unchanged(page, etag=etag, last_modified=last_modified, now=now)
        result = await self._extract(response, page, task)
        kind = block_of(result.found.reason) if isinstance(result.found, Rejection) else None
        kind = find_block(response) or kind
        if kind is None:
            self._let_in()
        else:
            self._blocked(kind)
            self._refused_pages.append(page.id)
        return self.recorder.extracted(page, reply, result)

    async def _further_pages(self, response: Response) -> tuple[tuple[str, bytes], ...]:
        """Fetch the pages on which a story goes on, one after the other; one that does not come ends it."""
        found: list[tuple[str, bytes]] = []
        latest, room = response, MAX_BYTES - len(response.body)
        while len(found) < MAX_FURTHER_PAGES and not self.stopping:
            url = find_next_page(latest.body, url=latest.url, first_url=response.url)
            if url is None or self.site.refusal(url):
                break
            try:
                latest = await self.crawler.engine.download_async(Request(url, dont_filter=True))
            except Exception as error:  # what Scrapy, Twisted or robots.txt say; the story ends with the page before
                logger.warning("%s goes on at %s, which was not fetched: %s", response.url, url, type(error).__name__)
                break
            room -= len(latest.body)
            if latest.status not in WITH_CONTENT or latest.url != url or room < 0:
                break
            found.append((self.site.identity(url), latest.body))
        return tuple(found)

    async def _task(self, response: Response, page: Page, now: datetime) -> PageTask:
        further = await self._further_pages(response)
        url, headers = self.site.identity(response.url), tuple(fields_of(response).items())
        return PageTask(url, response.body, headers, now, response.status, page.listed_time, further=further)

    async def _extract(self, response: Response, page: Page, task: PageTask) -> PageResult:
        path = urlsplit(task.url).path
        if response.meta.get("redirect_times") and path in {"", "/"} and urlsplit(page.url).path != "/":
            detail = "the address redirects to the front page"
            return PageResult(Rejection(url=task.url, reason=RejectionReason.SOFT_404, detail=detail))
        return await self.pool.run(task)

    def page_failed(self, failure: Failure) -> Request | None:
        """Settle a page that was not answered, or not asked for; after many, ask whether the host answers at all."""
        if isinstance(failure.value, AbandonedError):
            return None
        page: Page = failure.request.meta[PAGE]  # type: ignore[attr-defined]
        with self.keeping():
            self._settle_failure(page, failure)
        if self.stopping or not self._unreachable.begin_doubt():
            return None
        return robots_request(self.site.entrance, callback=self.host_answers, errback=self.host_is_gone)

    def host_answers(self, response: Response) -> None:
        """Settle the pages: they failed for themselves. Stop all the same where that happens over and over."""
        with self.keeping():
            if self._unreachable.end_doubt():
                self.unavailable = f"{self.site.entrance} answers for robots.txt, but for none of its last pages"
                self.stopping = True
            self._clear_unreachable()

    def host_is_gone(self, failure: Failure) -> None:
        """Stop; the pages stay due."""
        if not self.stopping:
            self.unavailable = f"{self.site.entrance} stopped answering ({reason_of(_error(failure))})"
            self.stopping = True

    def _settle_failure(self, page: Page, failure: Failure) -> None:
        now = datetime.now(UTC)
        if isinstance(failure.value, RobotsRefusedError):
            self._settled(page, self.recorder.refused(page, now=now))
            return
        reason = reason_of(_error(failure))
        wall = find_wall(failure.request.url) if reason == _REDIRECTED_OFFSITE else None  # type: ignore[attr-defined]
        if wall is not None:
            self._blocked(wall)
            self._refused_pages.append(page.id)
            self._settled(page, self.recorder.failed(page, f"redirected_to_{wall}", now=now, is_refused=True))
            return
        if reason not in UNREACHABLE:
            self._settled(page, self.recorder.failed(page, reason, now=now))
            return
        self._unreachable.add(page, reason)

    def _clear_unreachable(self) -> None:
        """The host answers: pages that failed before did so for themselves."""
        for page, reason in self._unreachable.release():
            self._settled(page, self.recorder.failed(page, reason, now=datetime.now(UTC)))

    @contextlib.contextmanager
    def keeping(self) -> Iterator[None]:
        """Stop the crawl where what it found cannot be kept; the first error is the one that is told."""
        try:
            with written_to(self.job.data_dir):
                yield
        except Exception as error:
            logger.exception("The crawl cannot go on")
            if self.broken is None:
                self.broken = error
                self.stop()

    def stop(self) -> None:
        """Stop at once; what was not settled stays due."""
        self.stopping = True
        self.pool.abandon()
        self._drop_waiting()

    def _drop_waiting(self) -> None:
        """Take back requests that wait for their turn; their pages stay due, their sitemaps pending."""
        engine = self.crawler.engine
        for slot in engine.downloader.slots.values() if engine is not None else ():
            while slot.queue:
                _, waiting = slot.queue.popleft()
                waiting.errback(AbandonedError())

    def leave(self, request: Request, seconds: float) -> None:
        """Stop because the host asked for a long pause."""
        if not self.stopping:
            said = f"{urlsplit(request.url).netloc} asked to be left alone for {seconds:.0f} s; crawl again after that"
            self.warnings.append(said)
            if request.meta.get(SKIP):
                self.unavailable = said  # without robots.txt there is no crawl
            self.stopping = True
            self._drop_waiting()

    def slow_down(self, host: str, seconds: float) -> None:
        """Tell of a host that wants to be asked rarely; stop if that would take for ever."""
        if seconds <= max(LONG_DELAY_S, self.job.publisher.delay or 0.0):
            return
        said = f"robots.txt of {host} asked for {seconds:.0f} s between pages"
        if seconds <= LONGEST_DELAY_S:
            self.warnings.append(f"{said}, and the crawl takes its time")
        elif not self.stopping:
            said += f"; a crawl waits {LONGEST_DELAY_S:.0f} s at most"
            self.warnings.append(said)
            if host == urlsplit(self.site.entrance).netloc:
                self.unavailable = said
            self.stopping = True
            self._drop_waiting()

    def _settled(self, page: Page, outcome: Outcome) -> None:
        self.outcomes[outcome] += 1
        self.in_flight.settled()
        scheduler = self.crawler.engine.scheduler if self.crawler.engine else None
        if isinstance(scheduler, StateScheduler):
            scheduler.settled(page)
        self._tell()

    def _tell(self) -> None:
        """Report progress, but not more often than anyone can read."""
        now = time.monotonic()
        if now - self._told_at < _PROGRESS_S:
            return
        self._told_at = now
        done = self.outcomes.total()
        self.emit(CrawlEvent(kind="progress", done=done, total=done + self.frontier.count_due()))

    def closed(self, reason: str) -> None:
        """Settle what is left, and end the extraction processes."""
        with self.keeping():
            if self.unavailable is None and self.broken is None and reason == "finished":
                self._clear_unreachable()
                if not self.stopping and not self.block_counter.holds:
                    self.sitemap_queue.warn_if_empty()
        self.pool.stop()
        with self.keeping():
            self.recorder.close()
            self._note_block()
        self.warnings += [*self.sitemap_queue.warnings, *self.recorder.warnings]


def _error(failure: Failure) -> BaseException:
    return failure.value if failure.value is not None else RuntimeError("unknown failure")
