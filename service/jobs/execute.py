"""Does a job that is queued, and notes how it ended: the one way for processes, batches and the scheduler."""

import logging
import os
import threading
import time
from collections.abc import Callable
from typing import Any

from core.errors import CancelledError, LooksyError, StoreError
from core.progress import Progress, ProgressEvent
from core.types import Failure
from service.state.jobs import Jobs, JobStatus

logger = logging.getLogger(__name__)
REPORT_EVERY_S = 0.5
Work = Callable[[Progress], dict[str, Any]]
"""Does the work, tells how far it is, and returns the job's result."""


def do_job(jobs: Jobs, job_id: str, work: Work, *, stop: threading.Event | None = None) -> JobStatus:
    """
    Do a queued job and note how it ended.

    :param stop: Set by who cancels the job from this process; who cancels it from another one notes that in `jobs`.
    :returns: How it ended; a job that was no longer queued is left as it is.
    :raises CancelledError: If this process, not the job alone, is to stop; the job is noted as cancelled.
    """
    if not jobs.start(job_id, process_id=os.getpid()):
        return jobs.get(job_id).status
    stop = stop or threading.Event()
    try:
        result = work(_reporter(jobs, job_id, stop))
    except (KeyboardInterrupt, CancelledError) as error:
        jobs.finish(job_id, JobStatus.CANCELLED)
        if not stop.is_set():
            raise CancelledError("the work was stopped", hint="Start it again; it goes on where it stopped.") from error
    except LooksyError as error:
        logger.warning("job failed", extra={"job_id": job_id, "reason": error.message})
        jobs.finish(job_id, JobStatus.FAILED, error=as_failure(error))
    except Exception:
        logger.exception("job failed", extra={"job_id": job_id})
        failure = Failure(code="internal", message="Something went wrong in the job.", hint="See the service's log.")
        jobs.finish(job_id, JobStatus.FAILED, error=failure)
    else:
        jobs.finish(job_id, JobStatus.DONE, result=result)
    return jobs.get(job_id).status


def as_failure(error: LooksyError) -> Failure:
    """Return an error as the failure of a job."""
    return Failure(code=error.code, message=error.message, field=error.field, hint=error.hint)


def _reporter(jobs: Jobs, job_id: str, stop: threading.Event) -> Progress:
    last: tuple[float, ProgressEvent | None] = (0.0, None)

    def report(event: ProgressEvent) -> None:
        nonlocal last
        if stop.is_set():
            raise CancelledError("the job was cancelled")
        at, before = last
        is_new_stage = before is None or before.stage is not event.stage
        if is_new_stage or time.monotonic() - at >= REPORT_EVERY_S or event.done == event.total:
            last = (time.monotonic(), event)
            if not _goes_on(jobs, job_id, event):
                stop.set()
                raise CancelledError("the job was cancelled")

    return report


def _goes_on(jobs: Jobs, job_id: str, event: ProgressEvent) -> bool:
    """Note how far a job is, and say whether it is to go on. It goes on if this cannot be noted."""
    try:
        return jobs.report(job_id, event)
    except StoreError as error:
        logger.warning("progress not kept", extra={"job_id": job_id, "reason": error.message})
        return True
