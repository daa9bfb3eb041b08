"""
TREC run files: `query Q0 document rank score tag`, separated by blanks. Example: `301 Q0 FBIS3-10082 1 12.7 bm25`.

The rank column is not used: documents are ordered by score, as trec_eval does.
"""

import math
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from evaluation.data.formats.lines import bad_line, fail, read_lines

_COLUMNS = 6
_BUCKETS = 64


def read_run(path: Path) -> Iterator[tuple[str, dict[str, float]]]:
    """
    Yield each query with its documents' scores, holding one query in memory at a time.

    A file whose queries are not together is first sorted into temporary files.

    :raises InputError: For a malformed line or a document that stands twice under one query.
    """
    if _is_grouped(path):
        yield from _grouped(path)
    else:
        yield from _scattered(path)


def _is_grouped(path: Path) -> bool:
    seen: set[str] = set()
    current = None
    for _, line in read_lines(path):
        query = line.split(None, 1)[0]
        if query != current:
            if query in seen:
                return False
            seen.add(query)
            current = query
    return True


def _grouped(path: Path) -> Iterator[tuple[str, dict[str, float]]]:
    current: str | None = None
    scores: dict[str, float] = {}
    for number, line in read_lines(path):
        query, document, score = _parse(path, number, line)
        if query != current:
            if current is not None:
                yield current, scores
            current, scores = query, {}
        if document in scores:
            fail(path, number, f"document {document} stands twice under query {query}")
        scores[document] = score
    if current is not None:
        yield current, scores


def _scattered(path: Path) -> Iterator[tuple[str, dict[str, float]]]:
    with tempfile.TemporaryDirectory(prefix="looksy-run-") as folder:
        buckets = [Path(folder) / f"{number}.txt" for number in range(_BUCKETS)]
        with ExitStack() as stack:
            handles = [stack.enter_context(bucket.open("w", encoding="utf-8")) for bucket in buckets]
            for number, line in read_lines(path):
                query, document, score = _parse(path, number, line)
                handles[zlib.crc32(query.encode()) % _BUCKETS].write(f"{number} {query} {document} {score!r}\n")
        for bucket in buckets:
            yield from _bucket(bucket, path)


def _bucket(bucket: Path, path: Path) -> Iterator[tuple[str, dict[str, float]]]:
    queries: dict[str, dict[str, float]] = {}
    for _, line in read_lines(bucket):
        number, query, document, score = line.split(" ")
        scores = queries.setdefault(query, {})
        if document in scores:
            fail(path, int(number), f"document {document} stands twice under query {query}")
        scores[document] = float(score)
    yield from queries.items()


def _parse(path: Path, number: int, line: str) -> tuple[str, str, float]:
    parts = line.split()
    if len(parts) != _COLUMNS:
        fail(path, number, f"{len(parts)} columns, not {_COLUMNS}", hint="Write: query Q0 document rank score tag")
    try:
        score = float(parts[4])
    except ValueError as error:
        raise bad_line(path, number, f"the score is {parts[4][:30]!r}, not a number") from error
    if not math.isfinite(score):
        fail(path, number, f"the score is {parts[4]}, not a finite number")
    return parts[0], parts[2], score


def write_run(path: Path, rankings: Iterator[tuple[str, list[str]]], *, tag: str) -> None:
    """
    Write rankings so that every tool reads them in this order: the score falls by one from rank to rank.

    :param rankings: Query id and document ids, best first.
    """
    with path.open("w", encoding="utf-8") as handle:
        for query, documents in rankings:
            for rank, document in enumerate(documents, 1):
                handle.write(f"{_word(query)} Q0 {_word(document)} {rank} {len(documents) - rank + 1} {_word(tag)}\n")


def _word(text: str) -> str:
    """A name without blanks: they separate columns."""
    return "_".join(text.split()) or "_"
