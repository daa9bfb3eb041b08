"""Since when a site keeps the crawler out, and how."""

import sqlite3
from dataclasses import dataclass
from datetime import datetime

from scraper.state.crawls import Crawl
from scraper.state.database import Database


@dataclass(frozen=True)
class Block:
    """One way in which a site keeps the crawler out."""

    kind: str
    since: datetime
    """The first blocked answer since a page came through."""
    last_at: datetime
    run_id: str
    """Last run that met it."""
    answers: int
    """Blocked answers in a row in its last session."""


class Blocks:
    """
    The blocks of one publisher.

    :param database: Open.
    :param run: Whose publisher.
    """

    def __init__(self, database: Database, run: Crawl) -> None:
        self.database = database
        self.run = run

    def known(self) -> list[Block]:
        """Return the blocks that hold, oldest first."""
        return known_blocks(self.database.sql, self.run.publisher)

    def note(self, kind: str, *, since: datetime, now: datetime, answers: int) -> None:
        """Note that the site keeps the crawler out; when that began stays as it was noted first, whatever the kind."""
        begun = min([since, *(one.since for one in self.known())])
        with self.database.transaction() as sql:
            sql.execute("DELETE FROM blocks WHERE publisher = ?", (self.run.publisher,))
            sql.execute(
                "INSERT INTO blocks (publisher, kind, since, last_at, run_id, answers) VALUES (?, ?, ?, ?, ?, ?)",
                (self.run.publisher, kind, begun.isoformat(), now.isoformat(), self.run.run_id, answers),
            )

    def end(self) -> None:
        """Note that a page came through."""
        with self.database.transaction() as sql:
            sql.execute("DELETE FROM blocks WHERE publisher = ?", (self.run.publisher,))


def known_blocks(sql: sqlite3.Connection, publisher: str) -> list[Block]:
    """Return the blocks of a publisher that hold, oldest first."""
    rows = sql.execute(
        "SELECT kind, since, last_at, run_id, answers FROM blocks WHERE publisher = ? ORDER BY since, kind",
        (publisher,),
    )
    return [
        Block(
            row["kind"], datetime.fromisoformat(row["since"]), datetime.fromisoformat(row["last_at"]), row["run_id"],
            row["answers"],
        )
        for row in rows
    ]  # fmt: skip
