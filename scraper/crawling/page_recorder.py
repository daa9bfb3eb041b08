"""Settles pages: compares what came with what is known, and writes state, articles and archive together."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from core.metadata_merge import corrected
from core.types import Article
from scraper.crawling.canonical_urls import CanonicalUrls
from scraper.crawling.volatile_text import steady_text
from scraper.extraction.workers.tasks import PageResult, hash_page
from scraper.publishers.site import Site
from scraper.rejection import Rejection, RejectionReason
from scraper.sitemaps.selection import Selection
from scraper.state.archive import archive_path, make_reference
from scraper.state.crawls import Crawl
from scraper.state.database import AppendedFile, Database
from scraper.state.frontier import Frontier, Outcome, Page, Settled
from scraper.state.ledger import Entry, Ledger
from scraper.state.summary import articles_path
from scraper.state.variants import Variants

TRIES = 2
"""So often a page that the site refuses is asked for at each crawl."""
FIRST_REST = timedelta(hours=6)
"""After the next one; doubled after each further one."""
LONGEST_REST = timedelta(days=7)
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


@dataclass(frozen=True)
class _Changes:
    """What a page that was extracted changes."""

    settled: Settled
    record: bytes | None = None
    """To be archived."""
    article: Article | None = None
    """Line to be written."""
    left: Entry | None = None
    """Article that the page does not hold any more."""
    rival: tuple[Article, int] | None = None
    """Another article that loses the address that this one has, and its page."""
    lesson: tuple[frozenset[str], bool] | None = None
    """Kinds of marks in which the page's address differs from another's, and whether both hold one article."""
    alias: str | None = None
    """Id that the article would have at its new address."""

    @property
    def has_lines(self) -> bool:
        """Articles are to be written."""
        return self.article is not None or self.left is not None or self.rival is not None


class PageRecorder:
    """
    Settles the pages of one run.

    :param database: Open.
    :param run: Whose pages.
    :param site: Names pages.
    :param selection: Says which articles are wanted.
    """

    def __init__(self, database: Database, run: Crawl, *, site: Site, selection: Selection) -> None:
        self.database = database
        self.run = run
        self.site = site
        self.selection = selection
        self.frontier = Frontier(database, run)
        self.ledger = Ledger(database, run.publisher)
        self.variants = Variants(database, run, marks=selection.marks, exact_key=selection.exact_key)
        self.canonical_urls = CanonicalUrls(self.frontier, self.ledger, selection=selection, variants=self.variants)
        self.warnings: list[str] = []
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

    def is_unchanged(self, page: Page, content: bytes, *, address: str) -> bool:
        """
        Say whether a page came back to the letter as it was when its article was taken, and from the same place.

        :param address: Where it was found, after redirects.
        """
        is_known = page.status == "article" and page.config == self.run.config
        if not is_known or page.page_hash != hash_page(content):
            return False
        if self.selection.same_address(page.url, address):
            return True
        entry = self.ledger.find(page.article_id) if page.article_id else None
        return entry is not None and self.selection.same_address(self.ledger.read(entry).url, address)

    def unchanged(self, page: Page, *, etag: str | None, last_modified: str | None, now: datetime) -> Outcome:
        """Settle a page that is as it was; one that was not an article is still none, for the same reason."""
        due = self._next_due(page.article_id, now)
        settled = Settled(Outcome.UNCHANGED, etag=etag, last_modified=last_modified, next_due=due)
        if page.status == "rejected" and page.reason is not None:
            settled = replace(
                settled, outcome=Outcome.REJECTED, reason=page.reason, etag=etag or page.etag,
                last_modified=last_modified or page.last_modified, page_hash=page.page_hash,
            )  # fmt: skip
        return self._settle(page, settled, now)

    def failed(self, page: Page, reason: str, *, now: datetime, is_refused: bool = False) -> Outcome:
        """
        Settle a page that could not be fetched; it is tried again at the next crawl.

        :param is_refused: The site does not let the crawler in: from the third time on the page is asked for ever
            more rarely.
        """
        waits = page.attempts - TRIES if is_refused else -1
        due = now + min(FIRST_REST * 2 ** min(waits, 10), LONGEST_REST) if waits >= 0 else None
        return self._settle(page, Settled(Outcome.FAILED, reason=reason, next_due=due), now)

    def refused(self, page: Page, *, now: datetime) -> Outcome:
        """Settle a page that robots.txt forbids."""
        return self._settle(page, Settled(Outcome.ROBOTS), now)

    def gone(self, page: Page, status: int, *, now: datetime) -> Outcome:
        """Settle a page that is not there: its article, if no other address has it, is marked, not deleted."""
        entry = self.ledger.find(page.article_id) if page.article_id else None
        settled = Settled(Outcome.GONE, reason=f"http_{status}", next_due=now + timedelta(days=3650))
        is_renamed = self.frontier.address_of(page.id) not in {page.url, None}  # while it was asked for
        if entry is None or entry.gone or entry.url_id != page.id or is_renamed:
            if page.article_id is None:  # never there; a variant of another address is not asked for again
                due = settled.next_due if self.selection.marks(page.url) else None
                settled = Settled(Outcome.FAILED, reason=f"http_{status}", next_due=due)
            return self._settle(page, settled, now)
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
        changes = self._decide(page, reply, result, is_archived=reference is not None)
        if changes.record is not None:
            self._open_archive()
        if changes.has_lines:
            self._open_lines()
        with self._writing() as sql:
            if changes.record is not None:
                archive = self._open_archive()
                reference = make_reference(Path(archive.path), archive.append(sql, changes.record))
            self._write_articles(sql, page, changes, reference=reference)
            if changes.alias is not None and changes.settled.article_id is not None:
                self.ledger.note_alias(sql, changes.alias, changes.settled.article_id)
            if changes.lesson is not None:
                self._learn(sql, *changes.lesson)
            settled = replace(
                changes.settled, etag=reply.etag, last_modified=reply.last_modified, page_hash=result.page_hash,
                raw_ref=reference,
            )  # fmt: skip
            self.frontier.settle(sql, page, settled, now=reply.fetched_at)
        return settled.outcome

    def _decide(self, page: Page, reply: Reply, result: PageResult, *, is_archived: bool) -> _Changes:
        """Say what a page that was extracted changes."""
        found = result.found
        if isinstance(found, Article):
            claimed = self._with_known_id(self._named(found))
            found = self.canonical_urls.name(page, claimed, address=reply.url or page.url)
            found = self.selection.refuse(found) or found
        if isinstance(found, Rejection):
            due = self._next_due(None, reply.fetched_at)
            return _Changes(Settled(Outcome.REJECTED, reason=found.reason, next_due=due), record=result.record)
        if not is_archived and page.config == self.run.config:
            found = self._with_known_text(found)
        settled, article = self._compare(page, found, reply)
        rival = self.canonical_urls.rival(page, found, claimed=claimed, former=settled.former)
        lesson = self.canonical_urls.lesson(page, found, claimed=claimed)
        is_moved = found.url == claimed.url and found.article_id != claimed.article_id and lesson is None
        return _Changes(
            replace(settled, canonical=claimed.url, former=None if rival is not None else settled.former),
            record=None if article is None and _is_archived(page, found) else result.record,
            article=article,
            left=self._left(page, found),
            rival=rival,
            lesson=lesson,
            alias=claimed.article_id if is_moved else None,
        )

    def _write_articles(self, sql: sqlite3.Connection, page: Page, changes: _Changes, *, reference: str | None) -> None:
        if changes.rival is not None:
            self.ledger.write(sql, self._open_lines(), changes.rival[0], url_id=changes.rival[1])
            self.frontier.hold(sql, changes.rival[1], changes.rival[0].article_id)
        if changes.article is not None:
            article = changes.article.model_copy(update={"raw_ref": reference})
            self.ledger.write(sql, self._open_lines(), article, url_id=page.id)
        elif changes.settled.former is not None and changes.settled.article_id is not None:
            self.ledger.hand_over(sql, changes.settled.article_id, url_id=page.id)
        if changes.left is not None:
            self._leave(sql, changes.left, now=datetime.now(UTC))

    def _learn(self, sql: sqlite3.Connection, kinds: frozenset[str], is_one: bool) -> None:
        for kind in sorted(self.variants.learn(sql, kinds, alike=is_one)):
            self.warnings.append(
                f"pages whose addresses differ in {kind} only hold different texts; each is an article of its own"
            )

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
