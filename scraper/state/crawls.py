"""Crawl runs and the sitemaps they read."""

import json
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from scraper.state.database import Database


@dataclass(frozen=True)
class Crawl:
    """One crawl of a publisher, however often it was interrupted."""

    run_id: str
    publisher: str
    config: str
    started_at: datetime
    resumed: bool


class Crawls:
    """
    Begins, resumes and ends runs.

    :param database: Open.
    """

    def __init__(self, database: Database) -> None:
        self.database = database

    def begin(self, publisher: str, *, config: str, now: datetime) -> Crawl:
        """Go on with the publisher's interrupted run, or make a new one, with all pages whose time has come."""
        with self.database.transaction() as sql:
            row = sql.execute(
                "SELECT run_id, started_at FROM runs WHERE publisher = ? AND finished_at IS NULL ORDER BY run_id DESC",
                (publisher,),
            ).fetchone()
            if row is None:
                run = Crawl(self._new_id(sql, now), publisher, config, now, resumed=False)
                sql.execute(
                    "INSERT INTO runs (run_id, publisher, config, started_at) VALUES (?, ?, ?, ?)",
                    (run.run_id, publisher, config, now.isoformat()),
                )
                self._make_due(sql, run, now)
            else:
                run = Crawl(row["run_id"], publisher, config, datetime.fromisoformat(row["started_at"]), resumed=True)
            sql.execute("UPDATE runs SET sessions = sessions + 1, config = ? WHERE run_id = ?", (config, run.run_id))
        return run

    def begin_apart(self, publisher: str, *, config: str, now: datetime) -> Crawl:
        """Make a run in which nothing is due, and leave an interrupted one as it is."""
        with self.database.transaction() as sql:
            run = Crawl(self._new_id(sql, now), publisher, config, now, resumed=False)
            sql.execute(
                "INSERT INTO runs (run_id, publisher, config, started_at, finished_at, sessions)"
                " VALUES (?, ?, ?, ?, ?, 1)",
                (run.run_id, publisher, config, now.isoformat(), now.isoformat()),
            )
        return run

    def account(
        self, run: Crawl, *, seconds: float, requests: int, received: int, warnings: Iterable[str] = ()
    ) -> None:
        """Add what one session cost and noticed."""
        with self.database.transaction() as sql:
            row = sql.execute("SELECT warnings FROM runs WHERE run_id = ?", (run.run_id,)).fetchone()
            kept = list(dict.fromkeys([*json.loads(row["warnings"]), *warnings]))
            sql.execute(
                "UPDATE runs SET seconds = seconds + ?, requests = requests + ?, bytes = bytes + ?, warnings = ?"
                " WHERE run_id = ?",
                (seconds, requests, received, json.dumps(kept), run.run_id),
            )

    def finish(self, run: Crawl) -> bool:
        """End the run if nothing is left to do; say whether it was ended."""
        with self.database.transaction() as sql:
            if open_work(sql, run):
                return False
            sql.execute("UPDATE runs SET finished_at = ? WHERE run_id = ?", (datetime.now(UTC).isoformat(), run.run_id))
        return True

    def _new_id(self, sql: sqlite3.Connection, now: datetime) -> str:
        """Return a name that sorts by time and was not used before."""
        last = sql.execute("SELECT max(run_id) FROM runs").fetchone()[0] or ""
        name = f"{now:%Y%m%dT%H%M%S}{now.microsecond // 1000:03d}Z"
        return name if name > last else f"{last[:-1]}0Z"

    def _make_due(self, sql: sqlite3.Connection, run: Crawl, now: datetime) -> None:
        sql.execute(
            "UPDATE urls SET due_run = ? WHERE publisher = ? AND status NOT IN ('gone', 'duplicate', 'variant')"
            " AND (next_due IS NULL OR next_due <= ?)",
            (run.run_id, run.publisher, now.isoformat()),
        )


def open_work(sql: sqlite3.Connection, run: Crawl) -> bool:
    """Say whether the run still has pages or sitemaps to fetch."""
    pages = sql.execute(
        "SELECT 1 FROM urls WHERE publisher = ? AND due_run = ? LIMIT 1", (run.publisher, run.run_id)
    ).fetchone()
    sitemaps = sql.execute(
        "SELECT 1 FROM sitemaps WHERE publisher = ? AND run_id = ? AND status = 'pending' LIMIT 1",
        (run.publisher, run.run_id),
    ).fetchone()
    return pages is not None or sitemaps is not None


@dataclass(frozen=True)
class KnownSitemap:
    """What is remembered of a sitemap."""

    url: str
    depth: int
    etag: str | None
    last_modified: str | None
    entries: int | None


class Sitemaps:
    """
    The sitemaps of one run.

    :param database: Open.
    :param run: Whose.
    """

    def __init__(self, database: Database, run: Crawl) -> None:
        self.database = database
        self.run = run

    def add(self, urls: Iterable[str], *, depth: int) -> list[KnownSitemap]:
        """Note sitemaps, and return those that this run has not met before."""
        new = []
        with self.database.transaction() as sql:
            for url in dict.fromkeys(urls):
                row = sql.execute(
                    "SELECT * FROM sitemaps WHERE publisher = ? AND url = ?", (self.run.publisher, url)
                ).fetchone()
                if row is not None and row["run_id"] == self.run.run_id:
                    continue
                sql.execute(
                    "INSERT INTO sitemaps (publisher, url, depth, run_id, status) VALUES (?, ?, ?, ?, 'pending')"
                    " ON CONFLICT DO UPDATE SET depth = excluded.depth, run_id = excluded.run_id, status = 'pending'",
                    (self.run.publisher, url, depth, self.run.run_id),
                )
                new.append(self._known(row, url=url, depth=depth))
        return new

    def pending(self) -> list[KnownSitemap]:
        """Return those that an interrupted session did not get to."""
        rows = self.database.sql.execute(
            "SELECT * FROM sitemaps WHERE publisher = ? AND run_id = ? AND status = 'pending'",
            (self.run.publisher, self.run.run_id),
        ).fetchall()
        return [self._known(row, url=row["url"], depth=row["depth"]) for row in rows]

    def settle(
        self,
        sql: sqlite3.Connection,
        url: str,
        *,
        kind: str | None = None,
        etag: str | None = None,
        last_modified: str | None = None,
        entries: int | None = None,
        problem: str | None = None,
    ) -> None:
        """Record that a sitemap was read, in the transaction that holds its entries."""
        sql.execute(
            "UPDATE sitemaps SET status = 'read', kind = ?, etag = ?, last_modified = ?, entries = ?, problem = ?,"
            " config = ? WHERE publisher = ? AND url = ?",
            (kind, etag, last_modified, entries, problem, self.run.config, self.run.publisher, url),
        )

    def keep(self, url: str, *, problem: str | None = None) -> None:
        """Record that a sitemap has not changed, or (with a problem) could not be read; what is known of it stays."""
        status = "failed" if problem else "read"
        with self.database.transaction() as sql:
            sql.execute(
                "UPDATE sitemaps SET status = ?, problem = ? WHERE publisher = ? AND url = ?",
                (status, problem, self.run.publisher, url),
            )

    def _known(self, row: sqlite3.Row | None, *, url: str, depth: int) -> KnownSitemap:
        if row is None:
            return KnownSitemap(url, depth, None, None, None)
        # An index is always read anew: its sitemaps have to be visited even if it has not changed itself.
        same = row["config"] == self.run.config and row["kind"] not in {None, "index"}
        return KnownSitemap(
            url, depth, row["etag"] if same else None, row["last_modified"] if same else None, row["entries"]
        )
