"""
The process of one crawl or index job: `python -P -m service.jobs.process JOB_ID`, settings as JSON on standard input.

Secrets come from the environment, as everywhere.
"""

import json
import signal
import sys
from types import FrameType
from typing import Any

from core.errors import CancelledError
from core.progress import Progress
from core.settings import Settings, load_settings
from service.jobs.execute import do_job
from service.jobs.tasks import CrawlParameters, crawl_task, index_task
from service.operations.logs import set_up_logs
from service.state.database import FILE_NAME, Database
from service.state.jobs import JobKind, Jobs, JobStatus


def run_job(job_id: str, settings: Settings) -> JobStatus:
    """
    Do a queued crawl or index job and return how it ended.

    :raises CancelledError: If the process was told to stop.
    """
    jobs = Jobs(Database(settings.data_dir / FILE_NAME))
    job = jobs.get(job_id)

    def work(progress: Progress) -> dict[str, Any]:
        if job.kind is JobKind.CRAWL:
            return crawl_task(settings, CrawlParameters.model_validate(job.parameters), progress)
        return index_task(settings, progress)

    return do_job(jobs, job_id, work)


def _interrupt(number: int, frame: FrameType | None) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # once is enough; a second one would cut the cleaning up short
    raise KeyboardInterrupt


def main() -> None:
    """Do the job that the command line names."""
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        set_up_logs()
        status = run_job(sys.argv[1], load_settings(json.loads(sys.stdin.read())))
    except (KeyboardInterrupt, CancelledError):
        status = JobStatus.CANCELLED
    sys.exit(0 if status is JobStatus.DONE else 1)


if __name__ == "__main__":
    main()
