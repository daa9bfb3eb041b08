"""Runs that were answered, for their links, lists, replay and export."""

import logging
import sys
import threading
import zlib

from core.errors import NotFoundError, StoreError
from core.types import Model, Result, Status, UtcTime, Verdict
from service.state.database import Database, now

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

logger = logging.getLogger(__name__)
PRUNE_EVERY = 100
"""Runs that are saved between two prunings, or fewer: never more than a tenth of those to keep."""
MAX_UNKEPT = 20
"""Runs in memory that could not be written: the page shows an answer under its link."""
_ZSTD = b"\x28\xb5\x2f\xfd"
"""What Zstandard data begins with (RFC 8878, 3.1.1); runs that older versions kept are zlib's."""


class RunSummary(Model):
    """One run in a list."""

    run_id: str
    created_at: UtcTime
    system: str
    text: str
    status: Status
    verdict: Verdict | None


class Approval(Model):
    """A person's sign-off."""

    run_id: str
    approved_by: str
    approved_at: UtcTime
    note: str | None = None
    key: str | None = None
    """Id and name of the key that was used; None: none was asked for."""


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

    def save(self, result: Result) -> None:
        """
        Keep a result with its run record.

        :raises StoreError: If it cannot be written.
        """
        if not self.keep:
            return
        created_at = result.run.created_at.isoformat(timespec="microseconds") if result.run else now()
        row = (
            result.run_id,
            created_at,
            result.system,
            result.request.text,
            result.status.value,
            result.verdict.value if result.verdict else None,
            zstd.compress(result.model_dump_json().encode(), level=1),
        )
        with self.database.open() as connection:
            connection.execute("INSERT OR REPLACE INTO runs VALUES (?, ?, ?, ?, ?, ?, ?)", row)
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
        """Drop the oldest runs beyond those to keep. Approved ones stay."""
        self._since_pruning = 0
        with self.database.open() as connection:
            connection.execute(
                "DELETE FROM runs WHERE run_id IN (SELECT run_id FROM runs WHERE run_id NOT IN"
                " (SELECT run_id FROM approvals) ORDER BY created_at DESC, run_id DESC LIMIT -1 OFFSET ?)",
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
        query = (
            "SELECT run_id, created_at, system, text, status, verdict FROM runs"
            " WHERE ?1 IS NULL OR (created_at, run_id) < (SELECT created_at, run_id FROM runs WHERE run_id = ?1)"
            " ORDER BY created_at DESC, run_id DESC LIMIT ?2"
        )
        with self.database.open() as connection:
            rows = connection.execute(query, (before, limit)).fetchall()
            known = rows or connection.execute("SELECT 1 FROM runs WHERE run_id = ?", (before,)).fetchone()
        if before is not None and not known:
            raise NotFoundError(
                "there is no such run, or it is no longer kept", field="before", hint="Begin again without it."
            )
        return [RunSummary.model_validate(dict(row)) for row in rows]

    def approve(self, run_id: str, *, by: str, note: str | None = None, key: str | None = None) -> Approval:
        """
        Note that a person stands behind a run. The first approval stays.

        :raises NotFoundError: If there is no such run.
        """
        read_result(self.database, run_id)
        with self.database.open() as connection:
            connection.execute("INSERT OR IGNORE INTO approvals VALUES (?, ?, ?, ?, ?)", (run_id, by, now(), note, key))
        approval = self.approval(run_id)
        if approval is None:
            raise NotFoundError("the run went while it was approved", field="run_id")
        return approval

    def withdraw(self, run_id: str) -> bool:
        """Take an approval back; say whether there was one."""
        with self.database.open() as connection:
            return connection.execute("DELETE FROM approvals WHERE run_id = ?", (run_id,)).rowcount > 0

    def approval(self, run_id: str) -> Approval | None:
        """Return who approved a run and when; None: nobody did."""
        if not self.is_kept(run_id):
            return None
        with self.database.open() as connection:
            row = connection.execute("SELECT * FROM approvals WHERE run_id = ?", (run_id,)).fetchone()
        return Approval.model_validate(dict(row)) if row else None


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
    packed: bytes = row["result"]
    return Result.model_validate_json(zstd.decompress(packed) if packed.startswith(_ZSTD) else zlib.decompress(packed))
