"""Jobs: what was asked for, how far it is, what came of it."""

import json
import os
import socket
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import uuid4

from core.errors import NotFoundError
from core.progress import ProgressEvent
from core.types import Failure, Model, UtcTime
from service.state.database import Database, now


class JobKind(StrEnum):
    """What a job does."""

    CRAWL = "crawl"
    INDEX = "index"
    BATCH = "batch"


class JobStatus(StrEnum):
    """How a job stands."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


FINISHED = frozenset({JobStatus.DONE, JobStatus.FAILED, JobStatus.CANCELLED})
MOST_UNFINISHED = 1000
"""More than are ever let in at one time."""
_INTERRUPTED = Failure(code="interrupted", message="The process that ran this job ended.", hint="Start it again.")


class Job(Model):
    """One job."""

    job_id: str
    kind: JobKind
    parameters: dict[str, Any]
    status: JobStatus
    created_at: UtcTime
    started_at: UtcTime | None = None
    finished_at: UtcTime | None = None
    progress: ProgressEvent | None = None
    result: dict[str, Any] | None = None
    error: Failure | None = None
    process_id: int | None = None
    """Of the process that does it; until it has begun, of the one that asked for it. None: it has ended."""


class Jobs:
    """Keeps jobs."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def create(self, kind: JobKind, parameters: dict[str, Any]) -> Job:
        """Note that something is to be done."""
        job_id = uuid4().hex
        with self.database.open() as connection:
            connection.execute(
                "INSERT INTO jobs (job_id, kind, parameters, status, created_at, host, process_id)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                (
                    job_id,
                    kind.value,
                    json.dumps(parameters),
                    JobStatus.QUEUED.value,
                    now(),
                    socket.gethostname(),
                    os.getpid(),
                ),
            )
        return self.get(job_id)

    def get(self, job_id: str) -> Job:
        """
        Return a job.

        :raises NotFoundError: If there is none of that id.
        """
        with self.database.open() as connection:
            row = connection.execute("SELECT * FROM jobs WHERE job_id = ?", (job_id,)).fetchone()
        if row is None:
            raise NotFoundError("there is no such job", field="job_id", hint="GET /v1/jobs lists them.")
        return _job(dict(row))

    def list(
        self, *, limit: int = 50, before: str | None = None, unfinished: bool = False, of_this_host: bool = False
    ) -> list[Job]:
        """
        Return the latest jobs, newest first.

        :param before: Only jobs older than this one.
        :param unfinished: Only those that are queued or running.
        :param of_this_host: Only those that were made on this machine, or in this container.
        :raises NotFoundError: If there is no job `before`.
        """
        query = (
            "SELECT * FROM jobs WHERE (NOT ?1 OR status IN ('queued', 'running')) AND (NOT ?2 OR host IS ?3)"
            " AND (?4 IS NULL OR (created_at, job_id) < (SELECT created_at, job_id FROM jobs WHERE job_id = ?4))"
            " ORDER BY created_at DESC, job_id DESC LIMIT ?5"
        )
        values = (unfinished, of_this_host, socket.gethostname(), before, limit)
        with self.database.open() as connection:
            rows = connection.execute(query, values).fetchall()
            known = rows or connection.execute("SELECT 1 FROM jobs WHERE job_id = ?", (before,)).fetchone()
        if before is not None and not known:
            raise NotFoundError("there is no such job", field="before", hint="Begin again without it.")
        return [_job(dict(row)) for row in rows]

    def count_unfinished(self) -> int:
        """Return how many jobs are queued or running."""
        query = "SELECT count(*) FROM jobs WHERE status IN ('queued', 'running')"
        with self.database.open() as connection:
            return int(connection.execute(query).fetchone()[0])

    def last_done(self, kind: JobKind) -> datetime | None:
        """
        Return when the latest work of a kind was done; None: none was.

        :param kind: A crawl job that also indexed counts as an index job, too.
        """
        query = (
            "SELECT finished_at FROM jobs WHERE status = 'done' AND (kind = ?1 OR"
            " (?1 = 'index' AND kind = 'crawl' AND json_type(result, '$.index') IS NOT NULL))"
            " ORDER BY finished_at DESC LIMIT 1"
        )
        with self.database.open() as connection:
            row = connection.execute(query, (kind.value,)).fetchone()
        return None if row is None else datetime.fromisoformat(row[0])

    def start(self, job_id: str, *, process_id: int | None = None) -> bool:
        """Note that a queued job runs; say whether it was still queued."""
        query = (
            "UPDATE jobs SET status = 'running', started_at = ?, process_id = ? WHERE job_id = ? AND status = 'queued'"
        )
        with self.database.open() as connection:
            return connection.execute(query, (now(), process_id, job_id)).rowcount > 0

    def report(self, job_id: str, event: ProgressEvent) -> bool:
        """Note how far a running job is; say whether it is to go on."""
        query = "UPDATE jobs SET progress = ? WHERE job_id = ? AND status = 'running'"
        with self.database.open() as connection:
            return connection.execute(query, (event.model_dump_json(), job_id)).rowcount > 0

    def finish(
        self, job_id: str, status: JobStatus, *, result: dict[str, Any] | None = None, error: Failure | None = None
    ) -> bool:
        """Note how a job ended; the first ending stays. Say whether this is the first."""
        query = (
            "UPDATE jobs SET status = ?, finished_at = ?, result = ?, error = ?, process_id = NULL"
            " WHERE job_id = ? AND status IN ('queued', 'running')"
        )
        values = (
            status.value,
            now(),
            json.dumps(result) if result is not None else None,
            error.model_dump_json() if error else None,
            job_id,
        )
        with self.database.open() as connection:
            return connection.execute(query, values).rowcount > 0

    def recover(self) -> None:
        """Note, when a process that does jobs starts, which jobs of this host ended with the process that did them."""
        for job in self.list(limit=MOST_UNFINISHED, unfinished=True, of_this_host=True):
            if job.process_id is None or not _is_alive(job.process_id):
                self.finish(job.job_id, JobStatus.FAILED, error=_INTERRUPTED)

    def interrupt(self) -> None:
        """Note of all unfinished jobs, whatever their host, that they ended with the processes that did them."""
        for job in self.list(limit=MOST_UNFINISHED, unfinished=True):
            self.finish(job.job_id, JobStatus.FAILED, error=_INTERRUPTED)


def _is_alive(process_id: int) -> bool:
    """Say whether another process has this number; in a container that was started again, ours may be a dead one's."""
    try:
        os.kill(process_id, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return process_id != os.getpid()


def _job(row: dict[str, Any]) -> Job:
    for name in ("parameters", "progress", "result", "error"):
        row[name] = json.loads(row[name]) if row[name] else None
    del row["host"]
    return Job.model_validate(row)
