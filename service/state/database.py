"""The SQLite file of the service, and its migrations."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from core.errors import StoreError, StoreVersionError

FILE_NAME = "service.sqlite"
MIGRATIONS = Path(__file__).parent / "migrations"
BUSY_TIMEOUT_S = 10.0


class Database:
    """
    Opens connections; the file is made, or brought up to date, by the first.

    :param path: The file. Its folder is made if it is not there.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._checked: tuple[int, int] | None = None

    @contextmanager
    def open(self) -> Iterator[sqlite3.Connection]:
        """
        Open a connection; commit at the end, or roll back on an error.

        :raises StoreVersionError: If a newer Looksy wrote the file.
        :raises StoreError: If the file cannot be used.
        """
        try:
            connection = self._connect()
        except (sqlite3.Error, OSError) as error:
            raise _unusable(self.path, error) from error
        try:
            with connection:
                yield connection
        except sqlite3.Error as error:
            raise _unusable(self.path, error) from error
        finally:
            connection.close()

    def _connect(self) -> sqlite3.Connection:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(self.path, timeout=BUSY_TIMEOUT_S)
        connection.row_factory = sqlite3.Row
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA synchronous = NORMAL")
        identity = (self.path.stat().st_dev, self.path.stat().st_ino)
        if self._checked != identity:  # new, or another file since a restore
            connection.execute("PRAGMA journal_mode = WAL")
            migrate(connection)
            self.path.chmod(0o600)
            self._checked = identity
        return connection


def migrate(connection: sqlite3.Connection) -> None:
    """
    Run the migrations that a database has not had, each in its own transaction.

    :raises StoreVersionError: If the database has had more migrations than there are.
    """
    scripts = sorted(MIGRATIONS.glob("*.sql"))
    done = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if done > len(scripts):
        raise StoreVersionError(
            f"the service database is at version {done}; this Looksy knows {len(scripts)}",
            hint="Use the newer Looksy that wrote it, or restore an older backup.",
        )
    for version, script in enumerate(scripts[done:], start=done + 1):
        sql = script.read_text(encoding="utf-8")
        connection.executescript(f"BEGIN IMMEDIATE; PRAGMA user_version = {version};\n{sql}\nCOMMIT;")


def now() -> str:
    """Return the time as the database keeps it: ISO 8601, UTC, sortable."""
    return datetime.now(UTC).isoformat(timespec="microseconds")


def _unusable(path: Path, error: Exception) -> StoreError:
    return StoreError(
        f"the service database {path.name} cannot be used: {error}",
        hint="'looksy doctor' looks into it; 'looksy restore' brings a backup back.",
    )
