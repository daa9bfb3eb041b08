"""
The index of fact-checks: one SQLite file in the data folder, with words and vectors beside the texts.

It lies apart from the index of articles: what others have found is not evidence.
"""

import hashlib
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.errors import StoreError, StoreVersionError
from indexing.factchecks.types import REVIEW_PREFIX, FactCheck, ImportReport, Refusal

FOLDER = "factchecks"
FILE_NAME = "factchecks.sqlite"
MAX_REFUSALS = 100
"""Refusals that a report names; it counts all."""
_SCHEMA = Path(__file__).parent / "schema.sql"
_VERSION = 1
_BUSY_TIMEOUT_S = 10.0
_COLUMNS = ("id", "claim", "title", "verdict", "url", "publisher", "date", "claimant", "check_id")
_HASH_BYTES = 16

Ranked = list[tuple[int, float]]
"""Numbers of fact-checks and scores, best first."""


class FactCheckStore:
    """
    Keeps fact-checks. Safe to use from several threads and processes.

    :param data_dir: The file lies in its folder `factchecks`, and is made by the first write.
    """

    def __init__(self, data_dir: Path) -> None:
        self.path = data_dir / FOLDER / FILE_NAME

    @property
    def is_there(self) -> bool:
        """Whether anything was ever kept."""
        return self.path.is_file()

    def add(self, entries: Iterable[FactCheck | Refusal]) -> ImportReport:
        """
        Take fact-checks over, all or none; those that are known and unchanged stay as they are.

        A page that is read again brings all its claims: those that it no longer names go.

        :param entries: As `read_fact_checks` yields them.
        :raises StoreError: If the file cannot be written.
        """
        with self._writing() as connection:
            taking = _Taking(connection)
            for entry in entries:
                taking.take(entry)
            taking.drop_claims_left_out()
            total = int(connection.execute("SELECT count(*) FROM fact_checks").fetchone()[0])
        return taking.report(total)

    def remove_check(self, check_id: str) -> bool:
        """Drop the desk's own fact-check of a check; say whether there was one."""
        if not self.is_there:
            return False
        with self._writing() as connection:
            rows = connection.execute("SELECT number FROM fact_checks WHERE check_id = ?", (check_id,)).fetchall()
            for row in rows:
                _delete(connection, row["number"])
        return bool(rows)

    def check_ids(self) -> set[str]:
        """Return the checks of the own desk that are here."""
        if not self.is_there:
            return set()
        with self._reading() as connection:
            rows = connection.execute("SELECT check_id FROM fact_checks WHERE check_id IS NOT NULL").fetchall()
        return {row["check_id"] for row in rows}

    def generation(self) -> int:
        """Return a number that grows with every change; 0: nothing was ever kept."""
        if not self.is_there:
            return 0
        with self._reading() as connection:
            return int(connection.execute("SELECT number FROM generation").fetchone()[0])

    def count(self) -> int:
        """Count the fact-checks."""
        if not self.is_there:
            return 0
        with self._reading() as connection:
            return int(connection.execute("SELECT count(*) FROM fact_checks").fetchone()[0])

    def get(self, numbers: Sequence[int]) -> dict[int, FactCheck]:
        """Return fact-checks by number; those that are gone are left out."""
        found: dict[int, FactCheck] = {}
        if not self.is_there:
            return found
        with self._reading() as connection:
            for number in numbers:
                row = connection.execute("SELECT * FROM fact_checks WHERE number = ?", (number,)).fetchone()
                if row is not None:
                    found[number] = _fact_check(row)
        return found

    def search(self, words: Sequence[str], *, limit: int) -> Ranked:
        """
        Rank fact-checks by BM25 over claim and title.

        :param words: Letters and digits only.
        """
        if not words or not self.is_there:
            return []
        query = " OR ".join(f'"{word}"' for word in words)
        with self._reading() as connection:
            rows = connection.execute(
                "SELECT rowid, -rank AS score FROM words WHERE words MATCH ? ORDER BY rank LIMIT ?",
                (query, limit),
            ).fetchall()
        return [(int(row["rowid"]), float(row["score"])) for row in rows]

    def texts_without_vector(self, model: str) -> list[str]:
        """Return the claims and titles that have no vector of this model, each once."""
        query = (
            "SELECT {0} AS text FROM fact_checks LEFT JOIN vectors ON text_hash = {0}_hash AND model = ?"
            " WHERE {0}_hash IS NOT NULL AND vector IS NULL"
        )
        if not self.is_there:
            return []
        with self._reading() as connection:
            texts = [
                row["text"] for name in ("claim", "title") for row in connection.execute(query.format(name), (model,))
            ]
        return list(dict.fromkeys(texts))

    def save_vectors(self, model: str, texts: Sequence[str], vectors: NDArray[np.float32]) -> None:
        """Keep the vectors of texts."""
        rows = [
            (_text_hash(text), model, vector.astype(np.float16).tobytes())
            for text, vector in zip(texts, vectors, strict=True)
        ]
        with self._writing() as connection:
            connection.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", rows)

    def vectors(self, model: str) -> tuple[NDArray[np.int64], NDArray[np.float16]]:
        """
        Return the vectors of claims and titles.

        :returns: Numbers of the fact-checks, shape (vectors,); vectors, shape (vectors, dimension).
        """
        query = "SELECT number, vector FROM fact_checks JOIN vectors ON text_hash = {0}_hash AND model = ?"
        numbers: list[int] = []
        packed: list[bytes] = []
        with self._reading() as connection:
            for name in ("claim", "title"):
                for row in connection.execute(query.format(name), (model,)):
                    numbers.append(row["number"])
                    packed.append(row["vector"])
        matrix = np.frombuffer(b"".join(packed), dtype=np.float16)
        return np.array(numbers, dtype=np.int64), matrix.reshape(len(numbers), -1 if numbers else 0)

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        try:
            with closing(self._connect()) as connection:
                yield connection
        except (sqlite3.Error, OSError) as error:
            raise self._unusable(error) from error

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with closing(self._connect()) as connection, connection:
                connection.execute("BEGIN IMMEDIATE")
                yield connection
                connection.execute("UPDATE generation SET number = number + 1")
        except (sqlite3.Error, OSError) as error:
            raise self._unusable(error) from error

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path, timeout=_BUSY_TIMEOUT_S, isolation_level=None)
        try:
            connection.row_factory = sqlite3.Row
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            _make_tables(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _unusable(self, error: Exception) -> StoreError:
        return StoreError(
            f"the index of fact-checks {self.path} cannot be used: {error}",
            hint="Remove the file and import the fact-checks again.",
        )


class _Taking:
    """One import: what was read, and what it did."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self.counts: Counter[str] = Counter()
        self.refusals: list[Refusal] = []
        self.seen: dict[str, FactCheck] = {}
        self.pages: dict[str, Counter[str]] = {}
        """Address of a page with ClaimReviews to what was done with them."""

    def take(self, entry: FactCheck | Refusal) -> None:
        self.counts["read"] += 1
        if isinstance(entry, Refusal):
            self._refuse(entry)
            return
        before = self.seen.setdefault(entry.id, entry)
        if before is not entry:
            if before == entry:
                self.counts["unchanged"] += 1
            else:
                self._refuse(Refusal(place=f"entry {self.counts['read']}", reason=f"id {entry.id[:80]} stands twice"))
            return
        done = _put(self.connection, entry)
        self.counts[done] += 1
        if entry.id.startswith(REVIEW_PREFIX):
            self.pages.setdefault(entry.url, Counter())[done] += 1

    def drop_claims_left_out(self) -> None:
        for url, done in self.pages.items():
            rows = self.connection.execute(
                "SELECT number, id FROM fact_checks WHERE url = ? AND id LIKE ?", (url, f"{REVIEW_PREFIX}%")
            ).fetchall()
            gone = [row["number"] for row in rows if row["id"] not in self.seen]
            for number in gone:
                _delete(self.connection, number)
            reworded = min(len(gone), done["taken"])
            self.counts.update({"changed": reworded, "taken": -reworded, "removed": len(gone) - reworded})

    def report(self, total: int) -> ImportReport:
        names = ("read", "taken", "changed", "unchanged", "removed", "refused")
        counts = {name: self.counts[name] for name in names}
        return ImportReport(**counts, refusals=tuple(self.refusals), total=total)

    def _refuse(self, refusal: Refusal) -> None:
        self.counts["refused"] += 1
        if len(self.refusals) < MAX_REFUSALS:
            self.refusals.append(refusal)


def _put(connection: sqlite3.Connection, entry: FactCheck) -> str:
    """Write a fact-check; say what that did: taken, changed or unchanged."""
    before = connection.execute("SELECT * FROM fact_checks WHERE id = ?", (entry.id,)).fetchone()
    if before is not None and _fact_check(before) == entry:
        return "unchanged"
    if before is not None:
        _delete(connection, before["number"])
    values = entry.model_dump(mode="json")
    hashes = (_text_hash(entry.claim), _text_hash(entry.title) if entry.title else None)
    number = connection.execute(
        "INSERT INTO fact_checks (id, claim, title, verdict, url, publisher, date, claimant, check_id, claim_hash,"
        " title_hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (*(values[name] for name in _COLUMNS), *hashes),
    ).lastrowid
    connection.execute("INSERT INTO words (rowid, claim, title) VALUES (?, ?, ?)", (number, entry.claim, entry.title))
    return "taken" if before is None else "changed"


def _delete(connection: sqlite3.Connection, number: int) -> None:
    connection.execute("DELETE FROM words WHERE rowid = ?", (number,))
    connection.execute("DELETE FROM fact_checks WHERE number = ?", (number,))


def _fact_check(row: sqlite3.Row) -> FactCheck:
    return FactCheck.model_validate({name: row[name] for name in _COLUMNS})


def _text_hash(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()[:_HASH_BYTES]


def _make_tables(connection: sqlite3.Connection) -> None:
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if version > _VERSION:
        raise StoreVersionError(
            f"the index of fact-checks is at version {version}; this Looksy knows {_VERSION}",
            hint="Use the newer Looksy that wrote it.",
        )
    if version == _VERSION:
        return
    connection.execute("BEGIN IMMEDIATE")
    if int(connection.execute("PRAGMA user_version").fetchone()[0]) == 0:
        for statement in _SCHEMA.read_text(encoding="utf-8").split(";\n"):
            if statement.strip():
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {_VERSION}")
    connection.execute("COMMIT")
