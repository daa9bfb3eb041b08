"""The articles of a publisher: newest revision, where its line lies, and whether the page is still there."""

import sqlite3
from dataclasses import dataclass
from pathlib import Path

from core.types import Article
from scraper.state.database import AppendedFile, Database


@dataclass(frozen=True)
class Entry:
    """The newest line of an article."""

    article_id: str
    url_id: int
    revision: int
    content_hash: str
    correction: bool
    gone: bool
    file: str
    start: int
    length: int


class Ledger:
    """
    Finds and writes articles.

    :param database: Open.
    :param publisher: Name of the publisher.
    """

    def __init__(self, database: Database, publisher: str) -> None:
        self.database = database
        self.publisher = publisher

    def find(self, article_id: str) -> Entry | None:
        """Return the newest line of an article; None if it is not known."""
        row = self.database.sql.execute(
            "SELECT article_id, url_id, revision, content_hash, correction, gone_at IS NOT NULL AS gone, file, start,"
            " length FROM articles WHERE publisher = ? AND article_id = ?",
            (self.publisher, article_id),
        ).fetchone()
        return Entry(**dict(row)) if row else None

    def find_alias(self, name: str) -> Entry | None:
        """Return the newest line of the article that kept its first id when it moved to the address of another id."""
        row = self.database.sql.execute(
            "SELECT article_id FROM aliases WHERE publisher = ? AND alias = ?", (self.publisher, name)
        ).fetchone()
        return self.find(row["article_id"]) if row else None

    def note_alias(self, sql: sqlite3.Connection, name: str, article_id: str) -> None:
        """Let an article be found by a further id, in an open transaction."""
        sql.execute(
            "INSERT OR REPLACE INTO aliases (publisher, alias, article_id) VALUES (?, ?, ?)",
            (self.publisher, name, article_id),
        )

    def read(self, entry: Entry) -> Article:
        """Read an article back from its line."""
        with (self.database.data_dir / entry.file).open("rb") as file:
            file.seek(entry.start)
            return Article.model_validate_json(file.read(entry.length))

    def hand_over(self, sql: sqlite3.Connection, article_id: str, *, url_id: int) -> None:
        """Let an article be fetched from another page, in an open transaction; what is known of it stays."""
        sql.execute(
            "UPDATE articles SET url_id = ? WHERE publisher = ? AND article_id = ?",
            (url_id, self.publisher, article_id),
        )

    def write(self, sql: sqlite3.Connection, lines: AppendedFile, article: Article, *, url_id: int) -> None:
        """Append an article's line and make it the newest, in an open transaction."""
        line = article.model_dump_json().encode() + b"\n"
        start = lines.append(sql, line)
        sql.execute(
            "INSERT OR REPLACE INTO articles VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                self.publisher, article.article_id, url_id, article.revision, article.content_hash, article.correction,
                article.published_at.isoformat() if article.published_at else None,
                article.gone_at.isoformat() if article.gone_at else None,
                Path(lines.path).as_posix(), start, len(line),
            ),
        )  # fmt: skip
