"""The SQLite file of the service, and its migrations."""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from core.errors import StoreError, StoreVersionError
from service.state.functions import add_functions

FILE_NAME = "service.sqlite"
MIGRATIONS = Path(__file__).parent / "migrations"
BUSY_TIMEOUT_S = 10.0
MAX_FREE = 8
"""Connections that are kept open for the next borrowers."""


class Database:
    """
    Lends connections; the file is made, or brought up to date, by the first.

    A connection that is free again is kept for the next borrower: closing the last one would make SQLite tidy the file
    up, which costs more than most of the work.

    :param path: The file. Its folder is made if it is not there.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._free: list[sqlite3.Connection] = []
        self._opened: tuple[int, int] | None = None

    @contextmanager
    def open(self) -> Iterator[sqlite3.Connection]:
        """
        Lend a connection; commit at the end, or roll back on an error.

        :raises StoreVersionError: If a newer Looksy wrote the file.
        :raises StoreError: If the file cannot be used.
        """
        try:
            connection = self._take() or self._connect()
        except (sqlite3.Error, OSError) as error:
            raise _unusable(self.path, error) from error
        try:
            with connection:
                yield connection
        except sqlite3.Error as error:
            connection.close()
            raise _unusable(self.path, error) from error
        except BaseException:
            connection.close()
            raise
        self._give_back(connection)

    def close(self) -> None:
        """Close what is free; the next borrower opens the file again."""
        with self._lock:
            while self._free:
                self._free.pop().close()

    def _take(self) -> sqlite3.Connection | None:
        """Return a free connection to the file that is there now."""
        if self._opened is None or not self.path.exists() or self._identity() != self._opened:
            self.close()
            return None
        with self._lock:
            return self._free.pop() if self._free else None

    def _give_back(self, connection: sqlite3.Connection) -> None:
        with self._lock:
            if len(self._free) < MAX_FREE:
                self._free.append(connection)
                return
        connection.close()

    def _connect(self) -> sqlite3.Connection:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.touch(mode=0o600)
        self.path.chmod(0o600)  # before SQLite makes its journals, which get the mode of the file
        connection = sqlite3.connect(self.path, timeout=BUSY_TIMEOUT_S, check_same_thread=False)
        connection.row_factory = sqlite3.Row
        add_functions(connection)
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA journal_mode = WAL")
        migrate(connection)
        self._opened = self._identity()
        return connection

    def _identity(self) -> tuple[int, int]:
        facts = self.path.stat()
        return facts.st_dev, facts.st_ino


def migrate(connection: sqlite3.Connection) -> None:
    """
    Run the migrations that a database has not had, each in its own transaction.

    What another process runs meanwhile is waited for, and not run again.

    :raises StoreVersionError: If the database has had more migrations than there are.
    """
    scripts = sorted(MIGRATIONS.glob("*.sql"))
    done = _version(connection)
    if done > len(scripts):
        raise StoreVersionError(
            f"the service database is at version {done}; this Looksy knows {len(scripts)}",
            hint="Use the newer Looksy that wrote it, or restore an older backup.",
        )
    for version, script in enumerate(scripts[done:], start=done + 1):
        with connection:
            connection.execute("BEGIN IMMEDIATE")
            if _version(connection) >= version:
                continue
            for statement in _statements(script.read_text(encoding="utf-8")):
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {version}")


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _statements(sql: str) -> Iterator[str]:
    """Yield the statements of a script, each of which ends its line: `executescript` would commit before it begins."""
    statement = ""
    for line in sql.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
    yield statement


def now(later: timedelta = timedelta(0)) -> str:
    """
    Return the time as the database keeps it: ISO 8601, UTC, sortable.

    :param later: From now.
    """
    return (datetime.now(UTC) + later).isoformat(timespec="microseconds")


def _unusable(path: Path, error: Exception) -> StoreError:
    return StoreError(
        f"the service database {path.name} cannot be used: {error}",
        hint="'looksy doctor' looks into it; 'looksy restore' brings a backup back.",
    )
