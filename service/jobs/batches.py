"""Batches of queries that came over REST: answered one after the other in a thread of the service."""

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Protocol

from core.errors import NotFoundError
from core.progress import Progress, ProgressEvent, Stage
from core.settings import Settings
from core.types import Request, Result, Status
from service.answers.batch import answer_lines
from service.state.jobs import FINISHED, Job, JobKind

MAX_BATCH_LINES = 1000
KEPT_BATCHES = 100
"""Finished batches whose answers are kept."""
FOLDER = "jobs"


class AskWithProgress(Protocol):
    """Answers one request; `service.answers.asker.Asker.run` is one."""

    def __call__(self, system: str, request: Request, *, progress: Progress) -> Result:
        """Answer; what `progress` raises stops the work."""
        ...


def answer_batch(
    file: Path, queries: list[dict[str, Any]], ask: AskWithProgress, *, system: str
) -> Callable[[Progress], dict[str, Any]]:
    """
    Make the work of a batch.

    :param file: Gets one line for each answer, as it comes.
    :param queries: Lines of a batch, see `service.answers.batch`.
    :param system: For queries that name none.
    """
    lines = [json.dumps(query).encode() for query in queries]

    def work(progress: Progress) -> dict[str, Any]:
        failed = done = 0

        def report(event: ProgressEvent | None = None) -> None:
            progress(ProgressEvent(stage=Stage.ANSWER, done=done, total=len(lines), unit="queries"))

        def ask_one(name: str, one: Request) -> Result:
            return ask(name, one, progress=report)

        file.parent.mkdir(parents=True, exist_ok=True)
        with open(file, "w", encoding="utf-8", opener=_open_private) as out:
            for answered in answer_lines(lines, ask_one, system=system, is_public=True):
                answered.pop("run", None)
                out.write(json.dumps(answered, ensure_ascii=False) + "\n")
                out.flush()
                failed += answered["status"] == Status.FAILED
                done += 1
                report()
        return {"queries": len(lines), "failed": failed}

    return work


def _open_private(path: str, flags: int) -> int:
    """Open a file that its owner alone can read: it holds what was asked."""
    return os.open(path, flags, 0o600)


def prune_results(settings: Settings) -> None:
    """Delete the oldest answers of batches beyond `KEPT_BATCHES`."""
    files = [(path.stat().st_mtime, path) for path in (settings.data_dir / FOLDER).glob("*.jsonl")]
    for _, path in sorted(files, reverse=True)[KEPT_BATCHES:]:
        path.unlink(missing_ok=True)


def results_file(settings: Settings, job_id: str) -> Path:
    """Return where a batch's answers are."""
    return settings.data_dir / FOLDER / f"{job_id}.jsonl"


def read_results(settings: Settings, job: Job) -> Iterator[str]:
    """
    Yield the result lines of a batch that are there, whole, by now.

    :raises NotFoundError: If the job is not a batch, or its answers have been deleted.
    """
    if job.kind is not JobKind.BATCH:
        raise NotFoundError(f"job {job.job_id} has no result lines", field="job_id", hint="Only batches have them.")
    path = results_file(settings, job.job_id)
    if path.is_file():
        with path.open("rb") as file:  # the last line may be half: it is being written, or was cut short
            yield from (line.decode() for line in file if line.endswith(b"\n"))
    elif job.status in FINISHED and job.started_at is not None:  # one that never began has no answers
        raise NotFoundError(
            f"the results of job {job.job_id} are no longer kept",
            field="job_id",
            hint=f"The latest {KEPT_BATCHES} batches keep theirs; send the queries again.",
        )
