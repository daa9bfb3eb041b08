"""SQLite's full-text index."""

import sqlite3
from datetime import datetime
from pathlib import Path

from core.words import TERM
from evaluation.performance.engines.base import Batch


class SqliteFts5:
    """Porter's stemmer, any of the words, ranked by its bm25()."""

    on_disk = True

    def __init__(self, folder: Path) -> None:
        self._path = folder / "index.db"

    def create(self) -> None:
        self.open()
        self._database.execute("PRAGMA journal_mode = WAL")
        self._database.execute(
            "CREATE VIRTUAL TABLE passages USING fts5("
            "id UNINDEXED, headline, text, published UNINDEXED, tokenize = 'porter unicode61')"
        )

    def add(self, batch: Batch) -> None:
        self._database.executemany(
            "INSERT INTO passages VALUES (?, ?, ?, ?)",
            (
                (document.id, article.headline, document.content, document.meta["published_at"])
                for article, documents in batch
                for document in documents
            ),
        )

    def finish(self) -> None:
        self._database.commit()

    def open(self) -> None:
        self._database = sqlite3.connect(self._path, check_same_thread=False)

    def search(self, text: str, *, top_k: int, published_from: datetime | None = None) -> list[str]:
        words = " OR ".join(f'"{word}"' for word in TERM.findall(text))
        condition = "" if published_from is None else "AND published >= ?"
        values = [words, *([published_from.isoformat()] if published_from else []), top_k]
        found = self._database.execute(
            f"SELECT id, text FROM passages WHERE passages MATCH ? {condition} ORDER BY rank LIMIT ?",
            values,
        )
        return [row[0] for row in found]

    def close(self) -> None:
        self._database.close()

    def destroy(self) -> None:
        pass
