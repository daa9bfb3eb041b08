"""Starts, watches and stops jobs. No queue server: one process or thread a job, all facts in the database."""

import contextlib
import contextvars
import json
import logging
import signal
import subprocess
import sys
import threading
from typing import Any, NamedTuple

from core.errors import BusyError, CancelledError, InputError, StoreError, UnavailableError
from core.progress import Progress
from core.settings import Settings
from core.types import Failure, Request, Result
from service.jobs.batches import MAX_BATCH_LINES, AskWithProgress, answer_batch, prune_results, results_file
from service.jobs.execute import Work, as_failure, do_job
from service.jobs.tasks import CrawlParameters
from service.state.jobs import FINISHED, MOST_UNFINISHED, Job, JobKind, Jobs, JobStatus

logger = logging.getLogger(__name__)
MAX_UNFINISHED = 8
"""Crawl and index jobs at one time; as many batches, which take no room from those."""
MAX_BATCHES_OF_KEY = 2
STOP_S = 15.0
"""A crawl may finish the pages that it asked for (`scraper.crawling.crawl.STOP_S`); what takes longer is killed."""
NOTE_AGAIN_S = 5.0
"""Between two tries to note how a job ended."""
_OPERATIONS = (JobKind.CRAWL, JobKind.INDEX)


class _Batch(NamedTuple):
    thread: threading.Thread
    stop: threading.Event
    key_id: str | None


class JobRunner:
    """
    Runs jobs beside the service. Of all batches, one query is answered at a time.

    :param settings: Handed to the processes.
    :param jobs: Where the jobs are kept.
    :param ask: Answers the queries of batches.
    """

    def __init__(self, settings: Settings, jobs: Jobs, *, ask: AskWithProgress) -> None:
        self.settings = settings
        self.jobs = jobs
        self.ask = ask
        self._lock = threading.Lock()  # one start at a time: what is going on is looked up and noted in one piece
        self._processes: dict[str, subprocess.Popen[str]] = {}
        self._batches: dict[str, _Batch] = {}
        self._answering = threading.Lock()
        self._closed = threading.Event()

    def start_crawl(self, parameters: CrawlParameters) -> Job:
        """
        Crawl a publisher in a process of its own.

        :raises InputError: If there is no such publisher.
        :raises BusyError: If one is being crawled, or too much is going on.
        """
        from scraper.publishers import load_publisher

        load_publisher(parameters.publisher, data_dir=self.settings.data_dir)
        with self._lock:
            for job in self._check_room(*_OPERATIONS):
                if job.kind is JobKind.CRAWL:  # a crawl has the data folder to itself
                    crawled = job.parameters.get("publisher")
                    raise BusyError(
                        f"{crawled} is being crawled by job {job.job_id}; one crawl goes on at a time",
                        field="publisher",
                        hint="Wait for it, or cancel it.",
                    )
            return self._spawn(self.jobs.create(JobKind.CRAWL, parameters.model_dump(mode="json")))

    def start_index(self) -> Job:
        """
        Index what was crawled, in a process of its own.

        :raises BusyError: If an index job is going on, or too much else.
        """
        with self._lock:
            for job in self._check_room(*_OPERATIONS):
                if job.kind is JobKind.INDEX:
                    raise BusyError(f"job {job.job_id} is indexing", hint="Wait for it, or cancel it.")
            return self._spawn(self.jobs.create(JobKind.INDEX, {}))

    def start_batch(self, system: str, queries: list[dict[str, Any]], *, key_id: str | None = None) -> Job:
        """
        Answer queries one after the other; `service.jobs.batches.read_results` gives what is done.

        :param queries: Lines of a batch, see `service.answers.batch`.
        :param key_id: Who asks; None: no key was needed.
        :raises BusyError: If `MAX_UNFINISHED` batches are going on, or `MAX_BATCHES_OF_KEY` of this key.
        """
        if not 1 <= len(queries) <= MAX_BATCH_LINES:
            raise InputError(
                f"queries holds {len(queries)}; 1 to {MAX_BATCH_LINES} are accepted",
                field="queries",
                hint="Send several batches.",
            )
        with self._lock:
            self._check_room(JobKind.BATCH)
            self._check_share(key_id)
            job = self.jobs.create(JobKind.BATCH, {"system": system, "queries": len(queries)})
            stop = threading.Event()
            work = answer_batch(results_file(self.settings, job.job_id), queries, self._ask_in_turn, system=system)
            context = contextvars.copy_context()  # the runs are kept under the name of who asks
            arguments = (self._answer, job.job_id, work, stop)
            thread = threading.Thread(target=context.run, args=arguments, daemon=True)
            self._batches[job.job_id] = _Batch(thread, stop, key_id)
        thread.start()
        with contextlib.suppress(OSError):  # another batch may be clearing away the same files
            prune_results(self.settings)
        return job

    def cancel(self, job_id: str) -> Job:
        """
        Stop a job. What it has done stays, and the same job goes on from there when it is started again.

        A process of this service is told at once, and killed after `STOP_S`; a batch stops at its next stage, a job of
        the scheduler when it next reports how far it is.

        :raises NotFoundError: If there is none of that id.
        """
        job = self.jobs.get(job_id)
        if job.status in FINISHED:
            return job
        self.jobs.finish(job_id, JobStatus.CANCELLED)
        if job_id in self._batches:
            self._batches[job_id].stop.set()
        process = self._processes.get(job_id)
        if process is not None:
            threading.Thread(target=_end, args=(process, STOP_S), daemon=True).start()
        return self.jobs.get(job_id)

    def close(self, *, timeout_s: float = STOP_S) -> None:
        """Stop all jobs of this runner and wait for them."""
        self._closed.set()
        batches, processes = list(self._batches.values()), list(self._processes.values())
        for batch in batches:
            batch.stop.set()
        for process in processes:
            process.terminate()
        for process in processes:
            _end(process, timeout_s)
        for batch in batches:
            batch.thread.join(timeout=timeout_s)

    def _check_room(self, *kinds: JobKind) -> list[Job]:
        """Return the unfinished jobs of these kinds, which share their room."""
        unfinished = [job for job in self.jobs.list(limit=MOST_UNFINISHED, unfinished=True) if job.kind in kinds]
        if len(unfinished) >= MAX_UNFINISHED:
            named = " and ".join(kinds)
            raise BusyError(f"{len(unfinished)} {named} jobs are going on", hint="Wait for one, or cancel one.")
        return unfinished

    def _check_share(self, key_id: str | None) -> None:
        of_key = sum(batch.key_id == key_id for batch in list(self._batches.values()))
        if key_id is not None and of_key >= MAX_BATCHES_OF_KEY:
            raise BusyError(f"{of_key} batches of this key are going on", hint="Wait for one, or send more in one.")

    def _ask_in_turn(self, system: str, request: Request, *, progress: Progress) -> Result:
        with self._answering:
            return self.ask(system, request, progress=progress)

    def _spawn(self, job: Job) -> Job:
        # -P: no module of the folder that we were started in
        command = [sys.executable, "-P", "-m", "service.jobs.process", job.job_id]
        try:
            process = subprocess.Popen(command, stdin=subprocess.PIPE, text=True, start_new_session=True)  # noqa: S603 - our own command
        except OSError as error:
            refused = UnavailableError(
                f"no process could be started for the job: {error.strerror or error}",
                hint="See what this machine lacks, and start the job again.",
            )
            self._note_end(job.job_id, JobStatus.FAILED, error=as_failure(refused))
            raise refused from error
        self._processes[job.job_id] = process
        threading.Thread(target=self._reap, args=(job.job_id, process), daemon=True).start()
        if process.stdin is not None:
            with contextlib.suppress(BrokenPipeError), process.stdin:  # of one that has ended: `_reap` notes that
                process.stdin.write(json.dumps(self.settings.public()))
        return job

    def _reap(self, job_id: str, process: "subprocess.Popen[str]") -> None:
        code = process.wait()
        self._processes.pop(job_id, None)
        status = JobStatus.CANCELLED if code in {-signal.SIGTERM, -signal.SIGINT} else JobStatus.FAILED
        failure = Failure(code="internal", message=f"The job's process ended with code {code}.")
        # Does nothing where the process itself has noted its end.
        self._note_end(job_id, status, error=failure if status is JobStatus.FAILED else None)

    def _answer(self, job_id: str, work: Work, stop: threading.Event) -> None:
        try:
            do_job(self.jobs, job_id, work, stop=stop)
        except CancelledError:
            return  # noted; the service stops
        except StoreError as error:
            self._note_end(job_id, JobStatus.FAILED, error=as_failure(error))
        finally:
            self._batches.pop(job_id, None)

    def _note_end(self, job_id: str, status: JobStatus, *, error: Failure | None) -> None:
        """Note how a job ended, now or as soon as the database can be written: until then it takes room."""
        if not self._is_noted(job_id, status, error):
            threading.Thread(target=self._go_on_noting, args=(job_id, status, error), daemon=True).start()

    def _go_on_noting(self, job_id: str, status: JobStatus, error: Failure | None) -> None:
        while not self._closed.wait(NOTE_AGAIN_S):
            if self._is_noted(job_id, status, error):
                return

    def _is_noted(self, job_id: str, status: JobStatus, error: Failure | None) -> bool:
        try:
            self.jobs.finish(job_id, status, error=error)
        except StoreError as fault:
            logger.warning("end of job not kept", extra={"job_id": job_id, "reason": fault.message})
            return False
        return True


def _end(process: "subprocess.Popen[str]", timeout_s: float) -> None:
    process.terminate()
    try:
        process.wait(timeout=timeout_s)
    except subprocess.TimeoutExpired:
        process.kill()
