"""Opens the state file, and appends to the files whose lengths it knows."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from core.errors import StoreError, StoreVersionError

VERSION = 1
_PIECE = 64 * 1024
STATE_FILE = Path("crawl") / "state.sqlite"
_SCHEMA = Path(__file__).with_name("schema.sql")
_PRIMARY_CODE = 0xFF
"""Of an extended error code of SQLite."""
_SYSTEM_CODES = frozenset(
    {
        sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_PERM, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED,
    }
)  # fmt: skip
"""Of what the system refuses; nothing is wrong with the file."""


def unwritable(data_dir: Path, error: OSError | sqlite3.Error) -> StoreError:
    """Say which file of a crawl could not be written, and why."""
    if isinstance(error, sqlite3.Error):
        where, why = data_dir / STATE_FILE, str(error)
    else:
        where, why = error.filename or data_dir, error.strerror or str(error)
    return StoreError(
        f"{where} could not be written: {why}",
        field="data_dir",
        hint="Make room, or mend owner or permissions, then run the same command again to go on; what was settled"
        " stays.",
    )


@contextmanager
def written_to(data_dir: Path) -> Iterator[None]:
    """
    Name what a crawl could not write.

    :raises StoreError: In place of what the system or SQLite raises.
    """
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        raise unwritable(data_dir, error) from error


class Database:
    """
    The state file of a data directory. Each change is one transaction, so that a kill at any point loses none.

    :param data_dir: Made if it is not there, on `open`.
    """

    def __init__(self, data_dir: Path) -> None:
        self.data_dir = data_dir
        self._connection: sqlite3.Connection | None = None

    @property
    def sql(self) -> sqlite3.Connection:
        """The open connection."""
        if self._connection is None:
            raise RuntimeError("open the state before using it")
        return self._connection

    def open(self) -> "Database":
        """
        Open or make the file.

        :raises StoreVersionError: If a newer Looksy wrote it, or it is not a state file.
        :raises StoreError: If it cannot be written.
        """
        path = self.data_dir / STATE_FILE
        with written_to(self.data_dir):
            path.parent.mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(path, isolation_level=None, timeout=10)
        try:
            connection.row_factory = sqlite3.Row
            _check_version(connection, path)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.executescript(_SCHEMA.read_text(encoding="utf-8"))
            connection.execute(f"PRAGMA user_version = {VERSION}")
        except sqlite3.DatabaseError as error:
            connection.close()
            if getattr(error, "sqlite_errorcode", 0) & _PRIMARY_CODE in _SYSTEM_CODES:
                raise unwritable(self.data_dir, error) from error
            raise StoreVersionError(
                f"{path} is not a crawl state: {error}",
                field="data_dir",
                hint="Move the file away, or use another folder.",
            ) from error
        except StoreVersionError:
            connection.close()
            raise
        self._connection = connection
        return self

    def close(self) -> None:
        """Close the file; closing twice is harmless."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Commit all or nothing."""
        self.sql.execute("BEGIN IMMEDIATE")
        try:
            yield self.sql
            self.sql.execute("COMMIT")
        except BaseException:
            if self.sql.in_transaction:  # on a full disk SQLite may have rolled it back already
                self.sql.execute("ROLLBACK")
            raise

    def repair_files(self) -> list[str]:
        """
        Make files and state agree again after a kill or a power cut.

        What was appended without being recorded is cut off. Where a file is shorter than recorded (a power cut), half a
        line at its end is cut off, too, and the pages of the articles or records that it held are fetched again.

        :returns: What was mended; sentences.
        """
        mended = []
        for row in self.sql.execute("SELECT path, bytes FROM files").fetchall():
            path = self.data_dir / row["path"]
            size = path.stat().st_size if path.is_file() else 0
            if size > row["bytes"]:
                os.truncate(path, row["bytes"])
                mended.append(f"{row['path']}: {size - row['bytes']} bytes of an interrupted write were cut off")
            elif size < row["bytes"]:
                lost = self._forget_beyond(row["path"], size)
                mended.append(f"{row['path']} is shorter than recorded; {lost} pages will be fetched again")
        return mended

    def _forget_beyond(self, path: str, size: int) -> int:
        """Make the pages due whose articles a file lost, in the run that is to go on or else in the next; count all."""
        size = _cut_half_line(self.data_dir / path, size)
        with self.transaction() as sql:
            sql.execute(
                "UPDATE urls SET status = 'pending', etag = NULL, last_modified = NULL, page_hash = NULL,"
                " next_due = NULL, run_id = NULL, due_run ="
                " (SELECT max(run_id) FROM runs WHERE runs.publisher = urls.publisher AND finished_at IS NULL)"
                " WHERE id IN (SELECT url_id FROM articles WHERE file = ? AND start + length > ?)",
                (path, size),
            )
            lost = sql.execute("DELETE FROM articles WHERE file = ? AND start + length > ?", (path, size)).rowcount
            lost += _forget_records(sql, path, size)
            sql.execute("UPDATE files SET bytes = ? WHERE path = ?", (size, path))
        return lost


def _forget_records(sql: sqlite3.Connection, path: str, size: int) -> int:
    """Make the pages due whose records a file lost or may have lost: where the last one in it ends is not known."""
    within, start = "substr(raw_ref, 1, :chars) = :prefix", "CAST(substr(raw_ref, :chars + 1) AS INTEGER)"
    query = (
        "UPDATE urls SET raw_ref = NULL, etag = NULL, last_modified = NULL, page_hash = NULL, next_due = NULL"
        f" WHERE {within} AND {start} >="
        f" (SELECT COALESCE(max({start}), 0) FROM urls WHERE {within} AND {start} < :size)"
    )
    return sql.execute(query, {"chars": len(path) + 1, "prefix": f"{path}:", "size": size}).rowcount


def _cut_half_line(path: Path, size: int) -> int:
    """Cut half a line off the end of a file of lines, and return its size; other files stay as they are."""
    if path.suffix != ".jsonl" or not size:
        return size
    end, found = size, -1
    with path.open("rb+") as file:
        while end and found < 0:
            start = max(0, end - _PIECE)
            file.seek(start)
            found = file.read(end - start).rfind(b"\n")
            end = start
        file.truncate(end + found + 1)
    return end + found + 1


def _check_version(connection: sqlite3.Connection, path: Path) -> None:
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version not in {0, VERSION}:
        raise StoreVersionError(
            f"{path} has state version {version}; this Looksy reads {VERSION}",
            field="data_dir",
            hint="Use the Looksy that wrote it, or another --data-dir.",
        )


class AppendedFile:
    """
    A file that only grows, and whose length is recorded in the transaction of what was appended.

    :param data_dir: Where `path` is relative to.
    """

    def __init__(self, data_dir: Path, path: Path) -> None:
        self.path = path.as_posix()
        target = data_dir / path
        target.parent.mkdir(parents=True, exist_ok=True)
        self._file = target.open("ab", buffering=0)
        self.size = self._file.tell()

    def append(self, sql: sqlite3.Connection, content: bytes) -> int:
        """
        Append, note the new length in the open transaction, and return where the content begins.

        :raises OSError: If the disk is full; a part may have been written, until it is rolled back.
        """
        start = self.size
        rest = memoryview(content)
        try:
            while rest:  # where a disk is nearly full, only a part may be written
                rest = rest[self._file.write(rest) :]
        except OSError as error:
            error.filename = self._file.name
            raise
        self.size += len(content)
        sql.execute("INSERT OR REPLACE INTO files (path, bytes) VALUES (?, ?)", (self.path, self.size))
        return start

    def roll_back(self, size: int) -> None:
        """Cut off what was appended in a transaction that failed."""
        self._file.truncate(size)
        self.size = size

    def close(self) -> None:
        """Make the content durable and close the file."""
        os.fsync(self._file.fileno())
        self._file.close()
