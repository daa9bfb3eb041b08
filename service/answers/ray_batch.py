"""
Many queries from one file, spread over a Ray cluster (extra [ray]).

Answers of finished parts are kept below the data folder until all parts are finished: a batch that is stopped goes on
with the parts that are left when it is run again over the same index with the same settings.
"""

import fcntl
import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.errors import StoreLockedError
from core.settings import Settings
from indexing.ray.session import Cluster, connect, portable, worker_settings
from indexing.stores.open import open_store
from service.answers.batch import answer_lines

if TYPE_CHECKING:
    from pipelines.engine import Engine

PART_LINES = 16
"""Lines that one worker answers at one time."""
PARTS_IN_FLIGHT = 256
"""Parts that are in memory at one time."""


def answer_on_cluster(
    lines: Sequence[bytes], settings: Settings, *, system: str, defaults: dict[str, Any], address: str
) -> Iterator[dict[str, Any]]:
    """
    Answer line after line, on the workers of a cluster; see `service.answers.batch.answer_lines`.

    The embedded store has to be reachable for the workers under the same path; Elasticsearch is from anywhere.

    :param address: See `indexing.ray.session.connect`.
    :returns: For each line, in order, what one process would have answered.
    :raises StoreError: If there is no index yet, or it is another version's.
    :raises StoreLockedError: If another process is answering the same batch.
    :raises ConfigError: If Ray is not installed.
    :raises UnavailableError: If there is no cluster at the address.
    """
    question = json.dumps([portable(settings), system, defaults], sort_keys=True)
    parts = [list(lines[start : start + PART_LINES]) for start in range(0, len(lines), PART_LINES)]
    finished = _Finished(settings.data_dir / "state" / f"ask-{_key(lines, question, _snapshot(settings))}")
    with connect(address) as cluster, finished.locked():
        for start in range(0, len(parts), PARTS_IN_FLIGHT):
            numbered = list(enumerate(parts[start : start + PARTS_IN_FLIGHT], start=start))
            for answers in _answer_parts(cluster, numbered, question, finished):
                yield from answers
        finished.forget()


def _answer_parts(
    cluster: Cluster, parts: list[tuple[int, list[bytes]]], question: str, finished: "_Finished"
) -> Iterator[list[dict[str, Any]]]:
    """Answer those parts that are not finished, and yield all in order."""
    left = {number: part for number, part in parts if not finished.has(number)}
    fresh = cluster.spread([_encode(number * PART_LINES + 1, part) for number, part in left.items()], _work(question))
    for number, _ in parts:
        if number in left:
            finished.put(number, next(fresh))
        yield finished.get(number)


class _Finished:
    """
    Answers of finished parts, one file each.

    :param folder: Made when it is locked.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @contextmanager
    def locked(self) -> Iterator[None]:
        """
        Keep the folder to this process. The system gives it back when the process ends, however it ends.

        :raises StoreLockedError: If another process has it.
        """
        self._folder.mkdir(parents=True, exist_ok=True)
        handle = os.open(self._folder, os.O_RDONLY)
        try:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                raise StoreLockedError(
                    f"another process is answering this batch, and keeps its answers in {self._folder}",
                    field="batch",
                    hint="Wait until it has finished.",
                ) from error
            yield
        finally:
            os.close(handle)

    def has(self, number: int) -> bool:
        return self._file(number).exists()

    def get(self, number: int) -> list[dict[str, Any]]:
        answers: list[dict[str, Any]] = json.loads(self._file(number).read_bytes())
        return answers

    def put(self, number: int, answers: bytes) -> None:
        temporary = self._file(number).with_suffix(".tmp")
        temporary.write_bytes(answers)
        temporary.replace(self._file(number))

    def forget(self) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)

    def _file(self, number: int) -> Path:
        return self._folder / f"{number:08d}.json"


def _key(lines: Sequence[bytes], question: str, snapshot: str) -> str:
    """Name a batch by everything that its answers depend on."""
    digest = hashlib.blake2b(f"{question}\n{snapshot}\n".encode(), digest_size=12)
    for line in lines:
        digest.update(line + b"\n")
    return digest.hexdigest()


def _snapshot(settings: Settings) -> str:
    store = open_store(settings)
    try:
        return store.snapshot_id()
    finally:
        store.close()


def _encode(first: int, lines: list[bytes]) -> bytes:
    return json.dumps([first, [line.decode("latin-1") for line in lines]]).encode()  # latin-1 keeps every byte


def _work(question: str) -> Callable[[bytes], bytes]:
    return partial(_answer_part, question)


def _answer_part(question: str, part: bytes) -> bytes:
    """Answer the lines of one part, on a worker."""
    settings, system, defaults = json.loads(question)
    first, lines = json.loads(part)
    raw = [line.encode("latin-1") for line in lines]
    ask = _engine(json.dumps(settings, sort_keys=True)).run
    return json.dumps(list(answer_lines(raw, ask, system=system, defaults=defaults, first=first))).encode()


@cache
def _engine(settings: str) -> "Engine":
    """Open store and models once in each worker process."""
    from pipelines.engine import Engine

    return Engine(worker_settings(json.loads(settings)))
