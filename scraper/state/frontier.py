"""The pages of one run: what is listed, what is due, and what became of it."""

import sqlite3
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from datetime import datetime
from enum import StrEnum

from scraper.state.crawls import Crawl
from scraper.state.database import Database


class Outcome(StrEnum):
    """What became of a page in one run."""

    NEW = "new"
    CHANGED = "changed"
    UNCHANGED = "unchanged"
    RETURNED = "returned"
    """An article that was gone is there again."""
    GONE = "gone"
    DUPLICATE = "duplicate"
    """Another address of an article that is known."""
    REJECTED = "rejected"
    ROBOTS = "robots"
    FAILED = "failed"


STATUS = {
    Outcome.NEW: "article", Outcome.CHANGED: "article", Outcome.RETURNED: "article", Outcome.GONE: "gone",
    Outcome.DUPLICATE: "duplicate", Outcome.REJECTED: "rejected", Outcome.ROBOTS: "refused", Outcome.FAILED: "failed",
}  # fmt: skip
"""Status of a page after an outcome; unchanged leaves it as it is, unless its article was read again."""


@dataclass(frozen=True)
class Listed:
    """A wanted page, as a sitemap names it."""

    key: str
    url: str
    lastmod: datetime | None = None
    published_at: datetime | None = None


@dataclass(frozen=True)
class Page:
    """A page to fetch, and what is known of it."""

    id: int
    url: str
    status: str
    article_id: str | None
    etag: str | None
    last_modified: str | None
    page_hash: str | None
    config: str | None
    attempts: int
    reason: str | None = None
    """Why it was rejected, failed or gone the last time; None: it was not."""
    content_hash: str | None = None
    """Of the article in its archived record; None: none was found in it."""
    raw_ref: str | None = None
    listed_at: str | None = None
    """Time of publication, in ISO 8601, that a news sitemap or feed gave."""

    @property
    def listed_time(self) -> datetime | None:
        """`listed_at` as a time."""
        return datetime.fromisoformat(self.listed_at) if self.listed_at else None


PAGE_COLUMNS = ", ".join(field.name for field in fields(Page))
"""Of the table `urls`."""


@dataclass(frozen=True)
class Settled:
    """What became of a page."""

    outcome: Outcome
    reason: str | None = None
    canonical: str | None = None
    article_id: str | None = None
    etag: str | None = None
    last_modified: str | None = None
    page_hash: str | None = None
    content_hash: str | None = None
    raw_ref: str | None = None
    next_due: datetime | None = None
    former: int | None = None
    """The page that the article was fetched from until now, where this one takes its place."""


class Frontier:
    """
    Which pages a run has to fetch.

    :param database: Open.
    :param run: Whose pages.
    """

    def __init__(self, database: Database, run: Crawl) -> None:
        self.database = database
        self.run = run

    def add(self, sql: sqlite3.Connection, pages: Iterable[Listed]) -> None:
        """Note wanted pages in an open transaction. New ones are due; known ones if they changed or were gone."""
        run_id, config = self.run.run_id, self.run.config
        sql.executemany(
            """
            INSERT INTO urls (publisher, key, url, lastmod, listed_at, due_run) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            ON CONFLICT (publisher, key) DO UPDATE SET
                url = CASE WHEN status = 'pending' AND length(excluded.url) < length(url)
                    THEN excluded.url ELSE url END,
                due_run = CASE
                    WHEN run_id = ?6 THEN due_run
                    WHEN status = 'gone' OR excluded.lastmod > lastmod OR config IS NOT ?7 THEN ?6
                    ELSE due_run END,
                lastmod = COALESCE(excluded.lastmod, lastmod),
                listed_at = COALESCE(excluded.listed_at, listed_at)
            """,
            (
                (self.run.publisher, page.key, page.url, _text(page.lastmod), _text(page.published_at), run_id, config)
                for page in pages
            ),
        )

    def rename(
        self, sql: sqlite3.Connection, pages: Iterable[Listed], *, same_address: Callable[[str, str], bool]
    ) -> list[Listed]:
        """
        Give known pages that are listed with new addresses those, and make them due, in an open transaction.

        A page that this run has found to be there is due at the next one; one that it has found to be gone, at once.

        :param same_address: Says whether two addresses are variants of one.
        :returns: What is left to add: without old addresses that are listed still.
        """
        kept = []
        for page in pages:
            row = sql.execute(
                "SELECT id, url, lastmod, status FROM urls WHERE publisher = ? AND key = ? AND status <> 'pending'",
                (self.run.publisher, page.key),
            ).fetchone()
            if row is not None and not same_address(row["url"], page.url):
                stamp = _text(page.lastmod)
                if stamp and row["lastmod"] and stamp < row["lastmod"] and row["status"] != "gone":
                    continue
                sql.execute(
                    "UPDATE urls SET url = ?1, etag = NULL, last_modified = NULL, due_run ="
                    " CASE WHEN run_id = ?2 AND status <> 'gone' THEN due_run ELSE ?2 END WHERE id = ?3",
                    (page.url, self.run.run_id, row["id"]),
                )
            kept.append(page)
        return kept

    def recall(
        self, sql: sqlite3.Connection, article_id: str, *, lost: int, is_wanted: Callable[[str], bool]
    ) -> int | None:
        """
        Make a further address of an article due, in an open transaction.

        :param lost: The page that does not have the article any more.
        :returns: The page's id; None: there is none.
        """
        rows = sql.execute(
            "SELECT id, url FROM urls WHERE publisher = ? AND article_id = ? AND status = 'duplicate' AND id <> ?"
            " ORDER BY id",
            (self.run.publisher, article_id, lost),
        )
        found: int | None = next((row["id"] for row in rows.fetchall() if is_wanted(row["url"])), None)
        sql.execute(
            "UPDATE urls SET status = 'pending', due_run = ?, next_due = NULL WHERE id = ?", (self.run.run_id, found)
        )
        return found

    def hold(self, sql: sqlite3.Connection, page_id: int, article_id: str) -> None:
        """Note the id of the article that a page holds, in an open transaction."""
        sql.execute("UPDATE urls SET article_id = ? WHERE id = ?", (article_id, page_id))

    def article_at(self, key: str) -> str | None:
        """Return the id of the article that a page was found to hold; None if none is known."""
        row = self.database.sql.execute(
            "SELECT article_id FROM urls WHERE publisher = ? AND key = ?", (self.run.publisher, key)
        ).fetchone()
        return row["article_id"] if row else None

    def address_of(self, page_id: int) -> str | None:
        """Return the address of a page; None if it is not known."""
        row = self.database.sql.execute("SELECT url FROM urls WHERE id = ?", (page_id,)).fetchone()
        return row["url"] if row else None

    def leave_out(self, is_wanted: Callable[[str], bool]) -> None:
        """Take back pages whose addresses are not wanted any more; what is known of them stays, for a later run."""
        mine = (self.run.publisher, self.run.run_id)
        with self.database.transaction() as sql:
            rows = sql.execute("SELECT id, url FROM urls WHERE publisher = ? AND due_run = ?", mine)
            unwanted = [(row["id"],) for row in rows if not is_wanted(row["url"])]
            sql.executemany("UPDATE urls SET due_run = NULL WHERE id = ?", unwanted)

    def due(self, *, after: int, limit: int) -> list[Page]:
        """Return pages that are due, by id, from the one after `after`."""
        rows = self.database.sql.execute(
            f"SELECT {PAGE_COLUMNS} FROM urls WHERE publisher = ? AND due_run = ? AND id > ? ORDER BY id LIMIT ?",
            (self.run.publisher, self.run.run_id, after, limit),
        )
        return [Page(**dict(row)) for row in rows]

    def make_due(self, page_ids: Iterable[int]) -> None:
        """Let pages that were settled be fetched when the run goes on."""
        with self.database.transaction() as sql:
            sql.executemany("UPDATE urls SET due_run = ? WHERE id = ?", [(self.run.run_id, one) for one in page_ids])

    def count_due(self) -> int:
        """Count the pages that are left."""
        row = self.database.sql.execute(
            "SELECT count(*) FROM urls WHERE publisher = ? AND due_run = ?", (self.run.publisher, self.run.run_id)
        ).fetchone()
        return int(row[0])

    def count_known(self) -> int:
        """Count all pages of the publisher that any run has met."""
        row = self.database.sql.execute(
            "SELECT count(*) FROM urls WHERE publisher = ?", (self.run.publisher,)
        ).fetchone()
        return int(row[0])

    def settle(self, sql: sqlite3.Connection, page: Page, settled: Settled, *, now: datetime) -> None:
        """Record what became of a page, in an open transaction."""
        failed, gone = settled.outcome is Outcome.FAILED, settled.outcome is Outcome.GONE
        kept = settled.outcome in {Outcome.UNCHANGED, Outcome.FAILED, Outcome.ROBOTS}
        sql.execute(
            "UPDATE urls SET due_run = CASE WHEN ? AND url <> ? THEN due_run END, run_id = ?, fetched_at = ?,"
            " outcome = ?, reason = ?, next_due = ?, attempts = ?, status = COALESCE(?, status) WHERE id = ?",
            (
                gone, page.url,  # one that was renamed while it was asked for stays due
                self.run.run_id, now.isoformat(), settled.outcome, settled.reason, _text(settled.next_due),
                page.attempts + 1 if failed else 0, self._status(page, settled), page.id,
            ),
        )  # fmt: skip
        if settled.former is not None:
            sql.execute("UPDATE urls SET status = 'duplicate' WHERE id = ? AND status = 'article'", (settled.former,))
        if not kept:
            sql.execute(
                "UPDATE urls SET canonical = ?, article_id = COALESCE(?, article_id), etag = ?, last_modified = ?,"
                " page_hash = ?, content_hash = ?, raw_ref = COALESCE(?, raw_ref), config = ? WHERE id = ?",
                (
                    settled.canonical, settled.article_id, settled.etag, settled.last_modified, settled.page_hash,
                    settled.content_hash, settled.raw_ref, self.run.config, page.id,
                ),
            )  # fmt: skip
        elif settled.outcome is Outcome.UNCHANGED:
            sql.execute(
                "UPDATE urls SET canonical = COALESCE(?, canonical), etag = COALESCE(?, etag),"
                " last_modified = COALESCE(?, last_modified), page_hash = COALESCE(?, page_hash),"
                " content_hash = COALESCE(?, content_hash), raw_ref = COALESCE(?, raw_ref), config = ? WHERE id = ?",
                (
                    settled.canonical, settled.etag, settled.last_modified, settled.page_hash, settled.content_hash,
                    settled.raw_ref, self.run.config, page.id,
                ),
            )  # fmt: skip

    def _status(self, page: Page, settled: Settled) -> str | None:
        """
        A known article stays one when it could not be fetched this time, and is one again when it was read again.

        :returns: None: what it is now, which may be another page's duplicate since this one was asked for.
        """
        if settled.outcome is Outcome.UNCHANGED:
            return "article" if settled.article_id else None
        if settled.former is not None:
            return "article"
        unsettled = settled.outcome in {Outcome.FAILED, Outcome.ROBOTS} and page.status == "article"
        return None if unsettled else STATUS[settled.outcome]


def _text(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment else None
