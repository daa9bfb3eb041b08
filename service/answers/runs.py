"""The one store of answer runs: page, REST, chat, MCP and command line write to it."""

import logging
import sqlite3
import threading

from core.errors import NotFoundError, StoreError
from core.types import Result
from service.answers.archive import Archive, RunSummary
from service.answers.caller import CALLER, Caller
from service.state.database import Database, now
from service.state.functions import claim_key, pack, unpack

logger = logging.getLogger(__name__)
PRUNE_EVERY = 100
"""Runs that are saved between two prunings, or fewer: never more than a tenth of those to keep."""
MAX_UNKEPT = 20
"""Runs in memory that could not be written: the page shows an answer under its link."""
_SAVE = """
INSERT INTO runs (run_id, created_at, system, text, status, verdict, result, asked_by, via, claim_key, replay_of)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (run_id) DO UPDATE SET created_at = excluded.created_at, system = excluded.system, text = excluded.text,
    status = excluded.status, verdict = excluded.verdict, result = excluded.result, claim_key = excluded.claim_key
"""


class Runs:
    """
    Keeps the latest runs.

    :param database: Where.
    :param keep: How many; 0: none.
    """

    def __init__(self, database: Database, *, keep: int) -> None:
        self.database = database
        self.keep = keep
        self._since_pruning = 0
        self._unkept: dict[str, Result] = {}
        self._lock = threading.Lock()

    def save(self, result: Result, *, caller: Caller | None = None) -> None:
        """
        Keep a result with its run record.

        :param caller: Who asked; None: as the context says.
        :raises StoreError: If it cannot be written.
        """
        if not self.keep:
            return
        with self.database.open() as connection:
            write_run(connection, result, CALLER.get() if caller is None else caller)
        self._since_pruning += 1
        if self._since_pruning >= min(PRUNE_EVERY, max(1, self.keep // 10)):
            try:
                self.prune()
            except StoreError as error:  # the run is kept; the next pruning drops what this one did not
                logger.warning("old runs stay", extra={"reason": error.message})

    def remember(self, result: Result) -> None:
        """Hold a result that could not be written in memory, for `get` and for a while."""
        with self._lock:
            self._unkept[result.run_id] = result
            while len(self._unkept) > MAX_UNKEPT:
                del self._unkept[next(iter(self._unkept))]

    def is_kept(self, run_id: str) -> bool:
        """Say whether a run that `get` returns is written, not in memory alone."""
        return run_id not in self._unkept

    def prune(self) -> None:
        """Drop the oldest runs beyond those to keep. Runs of checks and runs with tags stay."""
        self._since_pruning = 0
        with self.database.open() as connection:
            connection.execute(
                "DELETE FROM runs WHERE run_id IN (SELECT run_id FROM runs"
                " WHERE run_id NOT IN (SELECT run_id FROM check_runs) AND run_id NOT IN (SELECT run_id FROM run_tags)"
                " ORDER BY created_at DESC, run_id DESC LIMIT -1 OFFSET ?)",
                (self.keep,),
            )

    def get(self, run_id: str) -> Result:
        """
        Return a run's result, with its record.

        :raises NotFoundError: If it is not, or no longer, kept.
        """
        return self._unkept.get(run_id) or read_result(self.database, run_id)

    def list(self, *, limit: int, before: str | None = None) -> list[RunSummary]:
        """
        Return the latest runs, newest first.

        :param before: Only runs older than this one.
        :raises NotFoundError: If that one is not, or no longer, kept: what is older than it cannot be told.
        """
        return Archive(self.database).search(limit=limit, before=before)


def write_run(connection: sqlite3.Connection, result: Result, caller: Caller) -> None:
    """Write a result with what it is searched by."""
    verdict = result.verdict.value if result.verdict else None
    row = (
        result.run_id,
        result.run.created_at.isoformat(timespec="microseconds") if result.run else now(),
        result.system,
        result.request.text,
        result.status.value,
        verdict,
        pack(result.model_dump_json()),
        caller.person,
        caller.via.value if caller.via else None,
        claim_key(result.request.text),
        caller.replay_of,
    )
    connection.execute(_SAVE, row)
    for table in ("run_words", "run_sources"):
        connection.execute(f"DELETE FROM {table} WHERE run_id = ?", (result.run_id,))
    words = f"{result.request.text}\n{result.answer}"
    connection.execute("INSERT INTO run_words (run_id, words) VALUES (?, ?)", (result.run_id, words))
    sources = [(reference.source, result.run_id) for reference in result.references]
    connection.executemany("INSERT OR IGNORE INTO run_sources (source, run_id) VALUES (?, ?)", sources)


def read_result(database: Database, run_id: str) -> Result:
    """
    Return a run's result, with its record.

    :raises NotFoundError: If it is not, or no longer, kept.
    """
    with database.open() as connection:
        row = connection.execute("SELECT result FROM runs WHERE run_id = ?", (run_id,)).fetchone()
    if row is None:
        raise NotFoundError(
            "there is no such run, or it is no longer kept", field="run_id", hint="GET /v1/runs lists them."
        )
    return Result.model_validate_json(unpack(row["result"]))


def find_run(database: Database, name: str) -> Result | None:
    """
    Return the run with an id, or the only one whose id begins so; None if there is none.

    :raises NotFoundError: If several begin so.
    """
    with database.open() as connection:
        rows = connection.execute(
            "SELECT run_id FROM runs WHERE run_id >= ?1 AND run_id < ?1 || char(0x10FFFF) ORDER BY run_id LIMIT 2",
            (name,),
        ).fetchall()
    if len(rows) > 1 and rows[0][0] != name:
        raise NotFoundError(f"several runs begin with {name!r}", field="run", hint="Give more letters of the id.")
    return read_result(database, rows[0][0]) if rows else None
