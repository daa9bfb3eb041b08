"""Settles pages: compares what came with what is known, and writes state, articles and archive together."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from core.corrections import corrected
from core.types import Article
from scraper.crawling.canonical_urls import CanonicalUrls
from scraper.crawling.volatile_text import steady_text
from scraper.extraction.workers.tasks import PageResult, hash_page
from scraper.publishers.site import Site
from scraper.rejection import Rejection, RejectionReason
from scraper.sitemaps.selection import Selection
from scraper.state.archive import archive_path, make_reference
from scraper.state.crawls import Run
from scraper.state.database import AppendedFile, Database
from scraper.state.frontier import Frontier, Outcome, Page, Settled
from scraper.state.ledger import Entry, Ledger
from scraper.state.summary import articles_path

_UNREAD = frozenset({None, RejectionReason.TIMED_OUT, RejectionReason.OUT_OF_MEMORY, RejectionReason.CRASHED})
"""Reasons of rejected pages that were not read to the end; None: an earlier Looksy did not keep it."""


@dataclass(frozen=True)
class Reply:
    """What is kept of a page's response besides its content."""

    etag: str | None
    last_modified: str | None
    fetched_at: datetime
    url: str | None = None
    """Address that it came from, after redirects; None: the page's own."""


class PageRecorder:
    """
    Settles the pages of one run.

    :param database: Open.
    :param run: Whose pages.
    :param site: Names pages.
    :param selection: Says which articles are wanted.
    """

    def __init__(self, database: Database, run: Run, *, site: Site, selection: Selection) -> None:
        self.database = database
        self.run = run
        self.site = site
        self.selection = selection
        self.frontier = Frontier(database, run)
        self.ledger = Ledger(database, run.publisher)
        self.canonical_urls = CanonicalUrls(self.frontier, self.ledger, selection=selection)
        self._lines: AppendedFile | None = None
        self._archive: AppendedFile | None = None

    def close(self) -> None:
        """Close the files that were written."""
        for file in (self._lines, self._archive):
            if file is not None:
                file.close()

    def was_read(self, page: Page) -> bool:
        """Say whether a page was read to the end with this publisher file: then it is asked for only if it changed."""
        is_read = page.status == "article" or (page.status == "rejected" and page.reason not in _UNREAD)
        return is_read and page.config == self.run.config

    def is_unchanged(self, page: Page, content: bytes) -> bool:
        """Say whether a page came back to the letter as it was when its article was taken."""
        is_known = page.status == "article" and page.config == self.run.config
        return is_known and page.page_hash == hash_page(content)

    def unchanged(self, page: Page, *, etag: str | None, last_modified: str | None, now: datetime) -> Outcome:
        """Settle a page that is as it was; one that was no article is still none, for the same reason."""
        due = self._next_due(page.article_id, now)
        settled = Settled(Outcome.UNCHANGED, etag=etag, last_modified=last_modified, next_due=due)
        if page.status == "rejected" and page.reason is not None:
            settled = replace(
                settled, outcome=Outcome.REJECTED, reason=page.reason, etag=etag or page.etag,
                last_modified=last_modified or page.last_modified, page_hash=page.page_hash,
            )  # fmt: skip
        return self._settle(page, settled, now)

    def failed(self, page: Page, reason: str, *, now: datetime) -> Outcome:
        """Settle a page that could not be fetched; it is tried again at the next crawl."""
        return self._settle(page, Settled(Outcome.FAILED, reason=reason), now)

    def refused(self, page: Page, *, now: datetime) -> Outcome:
        """Settle a page that robots.txt forbids."""
        return self._settle(page, Settled(Outcome.ROBOTS), now)

    def gone(self, page: Page, status: int, *, now: datetime) -> Outcome:
        """Settle a page that is not there: its article, if no other address has it, is marked, not deleted."""
        entry = self.ledger.find(page.article_id) if page.article_id else None
        settled = Settled(Outcome.GONE, reason=f"http_{status}", next_due=now + timedelta(days=3650))
        is_renamed = self.frontier.address_of(page.id) not in {page.url, None}  # while it was asked for
        if entry is None or entry.gone or entry.url_id != page.id or is_renamed:
            never_there = page.article_id is None
            return self._settle(page, Settled(Outcome.FAILED, reason=f"http_{status}") if never_there else settled, now)
        self._open_lines()
        with self._writing() as sql:
            self._leave(sql, entry, now=now)
            self.frontier.settle(sql, page, settled, now=now)
        return Outcome.GONE

    def extracted(self, page: Page, reply: Reply, result: PageResult, *, reference: str | None = None) -> Outcome:
        """
        Settle a page that was fetched and extracted.

        :param reference: Where the page is archived already; None: the result's record is archived, unless the page's
            record holds this text of the article already.
        """
        found, record = result.found, result.record
        if isinstance(found, Article):
            claimed = self._with_known_id(self._named(found))
            found = self.canonical_urls.name(page, claimed, address=reply.url or page.url)
            found = self.selection.refuse(found) or found
        if isinstance(found, Article) and reference is None and page.config == self.run.config:
            found = self._with_known_text(found)
        if isinstance(found, Rejection):
            settled = Settled(Outcome.REJECTED, reason=found.reason, next_due=self._next_due(None, reply.fetched_at))
            article, left, rival = None, None, None
        else:
            settled, article = self._compare(page, found, reply)
            left = self._left(page, found)
            rival = self.canonical_urls.rival(page, found, claimed=claimed, former=settled.former)
            settled = replace(settled, canonical=claimed.url, former=None if rival is not None else settled.former)
            record = None if article is None and _is_archived(page, found) else record
        if record is not None:
            self._open_archive()
        if article is not None or left is not None or rival is not None:
            self._open_lines()
        with self._writing() as sql:
            if record is not None:
                archive = self._open_archive()
                reference = make_reference(Path(archive.path), archive.append(sql, record))
            if rival is not None:
                self.ledger.write(sql, self._open_lines(), rival[0], url_id=rival[1])
                self.frontier.hold(sql, rival[1], rival[0].article_id)
            if article is not None:
                article = article.model_copy(update={"raw_ref": reference})
                self.ledger.write(sql, self._open_lines(), article, url_id=page.id)
            elif settled.former is not None and settled.article_id is not None:
                self.ledger.hand_over(sql, settled.article_id, url_id=page.id)
            if left is not None:
                self._leave(sql, left, now=datetime.now(UTC))
            settled = replace(
                settled, etag=reply.etag, last_modified=reply.last_modified, page_hash=result.page_hash,
                raw_ref=reference,
            )  # fmt: skip
            self.frontier.settle(sql, page, settled, now=reply.fetched_at)
        return settled.outcome

    def _compare(self, page: Page, found: Article, reply: Reply) -> tuple[Settled, Article | None]:
        """Compare an article with what is known of it; return what to record, and the line to write if there is one."""
        entry = self.ledger.find(found.article_id)
        former = entry.url_id if entry is not None and self._takes_over(page, found, entry) else None
        outcome, revision = self._judge(page, found, entry, takes_over=former is not None)
        settled = Settled(
            outcome, article_id=found.article_id, content_hash=found.content_hash,
            next_due=self._due_after(found.published_at, reply.fetched_at), former=former,
        )  # fmt: skip
        if entry is None or outcome not in {Outcome.UNCHANGED, Outcome.DUPLICATE}:
            return settled, found.model_copy(update={"revision": revision})
        holds_it = entry.url_id == page.id or former is not None
        return settled, corrected(self.ledger.read(entry), found) if holds_it else None

    def _with_known_text(self, found: Article) -> Article:
        """Give an article the text that is known, where the two differ only in lines that change by themselves."""
        entry = self.ledger.find(found.article_id)
        if entry is None or entry.content_hash == found.content_hash:
            return found
        known = self.ledger.read(entry)
        texts = (steady_text(one.body, language=found.language) for one in (known, found))
        if known.headline != found.headline or len(set(texts)) > 1:
            return found
        return found.model_copy(update={"body": known.body, "content_hash": known.content_hash})

    def _judge(self, page: Page, found: Article, entry: Entry | None, *, takes_over: bool) -> tuple[Outcome, int]:
        if entry is None:
            return Outcome.NEW, 1
        same_text = entry.content_hash == found.content_hash
        if entry.gone:
            return Outcome.RETURNED, entry.revision if same_text else entry.revision + 1
        if entry.url_id != page.id and (same_text or not takes_over):
            return Outcome.DUPLICATE, entry.revision
        return (Outcome.UNCHANGED, entry.revision) if same_text else (Outcome.CHANGED, entry.revision + 1)

    def _takes_over(self, page: Page, found: Article, entry: Entry) -> bool:
        """Say whether an article is to be fetched from this page from now on: it has the article's own address."""
        if entry.gone or entry.url_id == page.id or not self.selection.same_address(page.url, found.url):
            return False
        former = self.frontier.address_of(entry.url_id)
        return former is None or not self.selection.same_address(former, found.url)

    def _left(self, page: Page, found: Article) -> Entry | None:
        """Return the article that was fetched from a page until now; None: none, or the page holds it still."""
        is_other = page.article_id is not None and page.article_id != found.article_id
        entry = self.ledger.find(page.article_id) if page.article_id is not None and is_other else None
        return entry if entry is not None and not entry.gone and entry.url_id == page.id else None

    def _leave(self, sql: sqlite3.Connection, entry: Entry, *, now: datetime) -> None:
        """Let an article that its page has lost be fetched from another of its addresses; mark it if there is none."""
        is_wanted = self.selection.wants_address
        other = self.frontier.recall(sql, entry.article_id, lost=entry.url_id, is_wanted=is_wanted)
        if other is not None:
            self.ledger.hand_over(sql, entry.article_id, url_id=other)
            return
        article = self.ledger.read(entry).model_copy(update={"gone_at": now})
        self.ledger.write(sql, self._open_lines(), article, url_id=entry.url_id)

    def _with_known_id(self, article: Article) -> Article:
        """Give an article that was renamed the id that it has already, so that it is a revision and no new article."""
        if self.site.publisher.same_article is None:
            return article
        key = self.selection.key(article.url)
        known = self.frontier.article_at(key)
        entry = self.ledger.find(known) if known is not None and known != article.article_id else None
        if entry is None or self.selection.key(self.ledger.read(entry).url) != key:
            return article
        return article.model_copy(update={"article_id": entry.article_id})

    def _named(self, article: Article) -> Article:
        """Give an article the address that its publisher knows it by, and the id of that."""
        url = self.site.identity(article.url)
        if url == article.url:
            return article
        return article.model_copy(update={"url": url, "article_id": self.selection.article_id(url)})

    def _next_due(self, known: str | None, now: datetime) -> datetime | None:
        entry = self.ledger.find(known) if known and self.site.publisher.recheck_for_days is not None else None
        return self._due_after(self.ledger.read(entry).published_at if entry else None, now)

    def _due_after(self, published: datetime | None, now: datetime) -> datetime | None:
        """Say when a page is to be asked for again; None: at the next crawl."""
        publisher = self.site.publisher
        days = publisher.recheck_for_days
        if days is not None and published is not None and now - published > timedelta(days=days):
            return datetime.max.replace(tzinfo=UTC)
        hours = publisher.recheck_after_hours
        return now + timedelta(hours=hours) if hours else None

    def _settle(self, page: Page, settled: Settled, now: datetime) -> Outcome:
        with self.database.transaction() as sql:
            self.frontier.settle(sql, page, settled, now=now)
        return settled.outcome

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """Commit state and files together, or neither. The files have to be open before."""
        files = [file for file in (self._lines, self._archive) if file is not None]
        sizes = [file.size for file in files]
        try:
            with self.database.transaction() as sql:
                yield sql
        except BaseException:
            for file, size in zip(files, sizes, strict=True):
                file.roll_back(size)
            raise

    def _open_lines(self) -> AppendedFile:
        if self._lines is None:
            path = articles_path(self.run.publisher, self.run.run_id)
            self._lines = AppendedFile(self.database.data_dir, path)
        return self._lines

    def _open_archive(self) -> AppendedFile:
        if self._archive is None:
            path = archive_path(self.run.publisher, self.run.run_id)
            self._archive = AppendedFile(self.database.data_dir, path)
        return self._archive


def _is_archived(page: Page, article: Article) -> bool:
    """Say whether the record that a page has in the archive holds this text of an article."""
    held = (page.article_id, page.content_hash)
    return page.raw_ref is not None and held == (article.article_id, article.content_hash)
