"""Starts, watches and stops jobs. No queue server: one process or thread a job, all facts in the database."""

import json
import logging
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from core.errors import BusyError, CancelledError, InputError, LooksyError, NotFoundError
from core.progress import ProgressEvent, Stage
from core.settings import Settings
from core.types import Failure
from service.batch import Ask, answer_lines
from service.jobs.tasks import CrawlParameters
from service.state.jobs import FINISHED, Job, JobKind, Jobs, JobStatus

logger = logging.getLogger(__name__)
MAX_UNFINISHED = 8
MAX_BATCH_LINES = 1000
RESULTS_FOLDER = "jobs"


class JobRunner:
    """
    Runs jobs beside the service.

    :param settings: Handed to the processes.
    :param jobs: Where the jobs are kept.
    :param ask: Answers the queries of batches.
    """

    def __init__(self, settings: Settings, jobs: Jobs, *, ask: Ask) -> None:
        self.settings = settings
        self.jobs = jobs
        self.ask = ask
        self._processes: dict[str, subprocess.Popen[str]] = {}
        self._stops: dict[str, threading.Event] = {}
        self._threads: list[threading.Thread] = []

    def start_crawl(self, parameters: CrawlParameters) -> Job:
        """
        Crawl a publisher in a process of its own.

        :raises InputError: If there is no such publisher.
        :raises BusyError: If it is being crawled, or too much is going on.
        """
        from scraper.publishers import load_publisher

        load_publisher(parameters.publisher)
        for job in self._check_room():
            if job.kind is JobKind.CRAWL and job.parameters.get("publisher") == parameters.publisher:
                raise BusyError(f"{parameters.publisher} is being crawled by job {job.job_id}", field="publisher")
        return self._spawn(self.jobs.create(JobKind.CRAWL, parameters.model_dump(mode="json")))

    def start_index(self) -> Job:
        """
        Index what was crawled, in a process of its own.

        :raises BusyError: If an index job is going on.
        """
        for job in self._check_room():
            if job.kind is JobKind.INDEX:
                raise BusyError(f"job {job.job_id} is indexing", hint="Wait for it, or cancel it.")
        return self._spawn(self.jobs.create(JobKind.INDEX, {}))

    def start_batch(self, system: str, queries: list[dict[str, Any]]) -> Job:
        """
        Answer queries one after the other; `results` gives what is done.

        :param queries: Lines of a batch, see `service.batch`.
        """
        if not 1 <= len(queries) <= MAX_BATCH_LINES:
            raise InputError(
                f"queries holds {len(queries)}; 1 to {MAX_BATCH_LINES} are accepted",
                field="queries",
                hint="Send several batches.",
            )
        self._check_room()
        job = self.jobs.create(JobKind.BATCH, {"system": system, "queries": len(queries)})
        stop = self._stops[job.job_id] = threading.Event()
        thread = threading.Thread(
            target=self._answer, args=(job.job_id, system, queries, stop), name=f"batch-{job.job_id}", daemon=True
        )
        self._threads.append(thread)
        thread.start()
        return job

    def cancel(self, job_id: str) -> Job:
        """
        Stop a job. What it has done stays, and the same job goes on from there when it is started again.

        :raises NotFoundError: If there is none of that id.
        """
        job = self.jobs.get(job_id)
        if job.status in FINISHED:
            return job
        stop = self._stops.get(job_id)
        if stop is not None:
            stop.set()
        process = self._processes.get(job_id)
        if process is not None and process.poll() is None:
            process.terminate()
        elif stop is None:
            self.jobs.finish(job_id, JobStatus.CANCELLED)
        return self.jobs.get(job_id)

    def results(self, job_id: str) -> Iterator[str]:
        """
        Yield the result lines of a batch that are there by now.

        :raises NotFoundError: If the job is no batch.
        """
        job = self.jobs.get(job_id)
        path = self._results_file(job_id)
        if job.kind is not JobKind.BATCH:
            raise NotFoundError(f"job {job_id} has no result lines", field="job_id", hint="Only batches have them.")
        if path.is_file():
            with path.open(encoding="utf-8") as file:
                yield from file

    def recover(self) -> None:
        """Note, when the service starts, which jobs ended with the process that ran them."""
        for job in self.jobs.list(limit=1000, unfinished=True):
            if job.process_id is None or not _is_alive(job.process_id):
                failure = Failure(
                    code="interrupted", message="The process that ran this job ended.", hint="Start it again."
                )
                self.jobs.finish(job.job_id, JobStatus.FAILED, error=failure)

    def close(self, *, timeout_s: float = 10.0) -> None:
        """Stop all jobs of this runner and wait for them."""
        for stop in list(self._stops.values()):
            stop.set()
        processes = list(self._processes.values())
        for process in processes:
            if process.poll() is None:
                process.terminate()
        for process in processes:
            try:
                process.wait(timeout=timeout_s)
            except subprocess.TimeoutExpired:
                process.kill()
        for thread in self._threads:
            thread.join(timeout=timeout_s)

    def _check_room(self) -> list[Job]:
        unfinished = self.jobs.list(limit=MAX_UNFINISHED, unfinished=True)
        if len(unfinished) >= MAX_UNFINISHED:
            raise BusyError(f"{MAX_UNFINISHED} jobs are going on", hint="Wait for one, or cancel one.")
        return unfinished

    def _spawn(self, job: Job) -> Job:
        command = [sys.executable, "-m", "service.jobs.process", job.job_id]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, text=True, start_new_session=True)  # noqa: S603
        self._processes[job.job_id] = process
        if process.stdin is not None:
            process.stdin.write(json.dumps(self.settings.public()))
            process.stdin.close()
        threading.Thread(target=self._reap, args=(job.job_id, process), daemon=True).start()
        return job

    def _reap(self, job_id: str, process: "subprocess.Popen[str]") -> None:
        code = process.wait()
        self._processes.pop(job_id, None)
        status = JobStatus.CANCELLED if code in {-signal.SIGTERM, -signal.SIGINT} else JobStatus.FAILED
        failure = Failure(code="internal", message=f"The job's process ended with code {code}.")
        # Does nothing where the process itself has noted its end.
        self.jobs.finish(job_id, status, error=failure if status is JobStatus.FAILED else None)

    def _answer(self, job_id: str, system: str, queries: list[dict[str, Any]], stop: threading.Event) -> None:
        self.jobs.start(job_id, process_id=os.getpid())
        path = self._results_file(job_id)
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = [json.dumps(query).encode() for query in queries]
        failed = 0
        try:
            with path.open("w", encoding="utf-8") as file:
                for done, answered in enumerate(answer_lines(lines, self.ask, system=system), start=1):
                    answered.pop("run", None)
                    file.write(json.dumps(answered, ensure_ascii=False) + "\n")
                    file.flush()
                    failed += "error" in answered
                    event = ProgressEvent(stage=Stage.ANSWER, done=done, total=len(lines), unit="queries")
                    self.jobs.report(job_id, event)
                    _stop_if(stop)
        except CancelledError:
            self.jobs.finish(job_id, JobStatus.CANCELLED)
        except (LooksyError, OSError) as error:
            self.jobs.finish(job_id, JobStatus.FAILED, error=Failure(code="batch_failed", message=str(error)))
        else:
            self.jobs.finish(job_id, JobStatus.DONE, result={"queries": len(lines), "failed": failed})
        finally:
            self._stops.pop(job_id, None)

    def _results_file(self, job_id: str) -> Path:
        return self.settings.data_dir / RESULTS_FOLDER / f"{job_id}.jsonl"


def _stop_if(stop: threading.Event) -> None:
    if stop.is_set():
        raise CancelledError("the batch was cancelled")


def _is_alive(process_id: int) -> bool:
    try:
        os.kill(process_id, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return process_id != os.getpid()
