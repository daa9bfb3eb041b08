"""Crawls and indexes again and again, in one process, until it is stopped."""

import logging
import threading
import time
from collections.abc import Callable

from core.errors import StoreError, StoreVersionError
from core.progress import Progress, ProgressEvent, ignore_progress
from core.settings import Settings
from scraper.state.report import CrawlReport
from service.jobs.execute import do_job
from service.jobs.tasks import CrawlParameters, crawl_task
from service.state.database import FILE_NAME, Database
from service.state.jobs import Job, JobKind, Jobs, JobStatus

logger = logging.getLogger(__name__)
TURN_ARTICLES = 500
"""Articles of one turn; at one a second the index has them, and the next publisher is reached, after eight minutes."""


class Watch:
    """
    Keeps publishers fresh. A publisher that fails is tried again at its next turn, and does not hold up the others.

    A turn ends after `TURN_ARTICLES`; a publisher with more has its next one after the others that are due.

    :param settings: For crawls and index.
    :param every_s: Publisher to seconds from the start of the turn that ended a crawl to the next crawl.
    :param task: Crawls and indexes one publisher; seam for tests.
    """

    def __init__(
        self,
        settings: Settings,
        every_s: dict[str, float],
        *,
        task: Callable[[Settings, CrawlParameters, Progress], dict[str, object]] = crawl_task,
    ) -> None:
        self.settings = settings
        self.every_s = every_s
        self.task = task
        self.jobs = Jobs(Database(settings.data_dir / FILE_NAME))
        self.stopped = threading.Event()

    def run(self, *, rounds: int | None = None, progress: Progress = ignore_progress) -> list[str]:
        """
        Work until `stopped` is set. What an earlier one was killed over is noted as failed first.

        :param rounds: Stop after each publisher was crawled so many times, to the end or until it failed; None: never.
        :returns: Publishers whose last turn failed, or could not be noted.
        :raises CancelledError: If a signal came while a publisher was crawled.
        :raises StoreVersionError: If a newer Looksy wrote the service's database.
        """
        due = dict.fromkeys(self.every_s, 0.0)
        crawls = dict.fromkeys(self.every_s, 0)
        last: dict[str, Job | None] = {}
        while open_ := [name for name in due if rounds is None or crawls[name] < rounds]:
            name = min(open_, key=lambda one: due[one])
            if self.stopped.wait(max(0.0, due[name] - time.monotonic())):
                break
            began = time.monotonic()
            last[name] = job = self._try_turn(name, progress)
            if job is not None and _was_cut(job):
                due[name] = time.monotonic()
            else:
                due[name] = began + self.every_s[name]
                crawls[name] += 1
        return [name for name, job in last.items() if job is None or job.status is JobStatus.FAILED]

    def _try_turn(self, name: str, progress: Progress) -> Job | None:
        """Do one turn; on a full disk one may be missed (None), and the others go on."""
        try:
            self.jobs.recover()  # also what this process could not note the end of
            return self.turn(name, progress)
        except StoreVersionError:
            raise
        except StoreError as error:
            logger.warning("turn not noted", extra={"publisher": name, "reason": error.message})
            return None

    def turn(self, name: str, progress: Progress) -> Job:
        """
        Crawl and index one publisher, as a job that the service shows and can cancel.

        :returns: The job as it ended.
        :raises CancelledError: If the scheduler is to stop.
        """
        parameters = CrawlParameters(publisher=name, limit=TURN_ARTICLES)
        job = self.jobs.create(JobKind.CRAWL, parameters.model_dump(mode="json"))

        def work(report: Progress) -> dict[str, object]:
            def both(event: ProgressEvent) -> None:
                progress(event)
                report(event)

            return self.task(self.settings, parameters, both)

        status = do_job(self.jobs, job.job_id, work)
        logger.info("crawled", extra={"publisher": name, "status": status.value})
        return self.jobs.get(job.job_id)


def _was_cut(job: Job) -> bool:
    """Say whether the limit ended a turn; a site that asks to be left alone ends one, too, and gets its pause."""
    found = (job.result or {}).get("crawl")
    if not found:
        return False
    report = CrawlReport.model_validate(found)
    return not report.complete and report.taken >= TURN_ARTICLES
