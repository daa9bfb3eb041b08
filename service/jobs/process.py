"""
The process of one crawl or index job: `python -m service.jobs.process JOB_ID`, settings as JSON on standard input.

Secrets come from the environment, as everywhere.
"""

import json
import logging
import os
import signal
import sys
import time
from types import FrameType
from typing import Any

from core.errors import CancelledError, LooksyError
from core.progress import Progress, ProgressEvent
from core.settings import Settings, load_settings
from core.types import Failure
from service.jobs.tasks import CrawlParameters, crawl_task, index_task
from service.state.database import FILE_NAME, Database
from service.state.jobs import Job, JobKind, Jobs, JobStatus

logger = logging.getLogger(__name__)
REPORT_EVERY_S = 0.5


def run_job(job_id: str, settings: Settings) -> JobStatus:
    """
    Do a queued job and note how it ended.

    :returns: How it ended; a job that was no longer queued is left as it is.
    """
    jobs = Jobs(Database(settings.data_dir / FILE_NAME))
    if not jobs.start(job_id, process_id=os.getpid()):
        return jobs.get(job_id).status
    try:
        result = _do(jobs.get(job_id), settings, _reporter(jobs, job_id))
    except (KeyboardInterrupt, CancelledError):
        return _end(jobs, job_id, JobStatus.CANCELLED)
    except LooksyError as error:
        failure = Failure(code=error.code, message=error.message, field=error.field, hint=error.hint)
        return _end(jobs, job_id, JobStatus.FAILED, error=failure)
    except Exception:
        logger.exception("job failed", extra={"job_id": job_id})
        failure = Failure(code="internal", message="Something went wrong in the job.", hint="See the service's log.")
        return _end(jobs, job_id, JobStatus.FAILED, error=failure)
    return _end(jobs, job_id, JobStatus.DONE, result=result)


def _do(job: Job, settings: Settings, progress: Progress) -> dict[str, Any]:
    if job.kind is JobKind.CRAWL:
        return crawl_task(settings, CrawlParameters.model_validate(job.parameters), progress)
    return index_task(settings, progress)


def _end(
    jobs: Jobs, job_id: str, status: JobStatus, *, result: dict[str, Any] | None = None, error: Failure | None = None
) -> JobStatus:
    jobs.finish(job_id, status, result=result, error=error)
    return status


def _reporter(jobs: Jobs, job_id: str) -> Progress:
    reported: tuple[float, ProgressEvent | None] = (0.0, None)

    def report(event: ProgressEvent) -> None:
        nonlocal reported
        at, last = reported
        is_new_stage = last is None or last.stage is not event.stage
        if is_new_stage or time.monotonic() - at >= REPORT_EVERY_S or event.done == event.total:
            jobs.report(job_id, event)
            reported = (time.monotonic(), event)

    return report


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def main() -> None:
    """Do the job that the command line names."""
    logging.basicConfig(level=logging.WARNING)
    signal.signal(signal.SIGTERM, _interrupt)
    status = run_job(sys.argv[1], load_settings(json.loads(sys.stdin.read())))
    sys.exit(0 if status is JobStatus.DONE else 1)


if __name__ == "__main__":
    main()
