"""Crawls and indexes again and again, in one process, until it is stopped."""

import logging
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime

from core.errors import LooksyError
from core.progress import Progress, ignore_progress
from core.settings import Settings
from core.types import Failure
from service.jobs.tasks import CrawlParameters, crawl_task
from service.state.database import FILE_NAME, Database
from service.state.jobs import JobKind, Jobs, JobStatus

logger = logging.getLogger(__name__)


class Watch:
    """
    Keeps publishers fresh. A publisher that fails is tried again at its next turn, and does not hold up the others.

    :param settings: For crawls and index.
    :param every_s: Publisher to seconds between the starts of two crawls.
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

    def run(self, *, rounds: int | None = None, progress: Progress = ignore_progress) -> None:
        """
        Work until `stopped` is set.

        :param rounds: Stop after each publisher had so many turns; None: never.
        """
        due = dict.fromkeys(self.every_s, 0.0)
        turns = dict.fromkeys(self.every_s, 0)
        while not self.stopped.is_set():
            open_ = [name for name in due if rounds is None or turns[name] < rounds]
            if not open_:
                return
            name = min(open_, key=lambda one: due[one])
            if self.stopped.wait(max(0.0, due[name] - time.monotonic())):
                return
            due[name] = time.monotonic() + self.every_s[name]
            turns[name] += 1
            self.turn(name, progress)

    def turn(self, name: str, progress: Progress) -> JobStatus:
        """Crawl and index one publisher, as a job that the service shows."""
        parameters = CrawlParameters(publisher=name)
        job = self.jobs.create(JobKind.CRAWL, parameters.model_dump(mode="json"))
        self.jobs.start(job.job_id)
        try:
            result = self.task(self.settings, parameters, progress)
        except LooksyError as error:
            logger.warning("crawl failed", extra={"publisher": name, "reason": error.message})
            failure = Failure(code=error.code, message=error.message, field=error.field, hint=error.hint)
            self.jobs.finish(job.job_id, JobStatus.FAILED, error=failure)
            return JobStatus.FAILED
        except BaseException:
            self.jobs.finish(job.job_id, JobStatus.CANCELLED)
            raise
        logger.info("crawled", extra={"publisher": name, "at": datetime.now(UTC).isoformat()})
        self.jobs.finish(job.job_id, JobStatus.DONE, result=dict(result))
        return JobStatus.DONE
