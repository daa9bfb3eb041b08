"""What one engine takes to index a corpus and to answer questions on it."""

import os
import resource
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np

from core.types import Article, Model
from evaluation.performance.corpus import PASSAGES_PER_ARTICLE, Question, make_articles, make_questions, sentences_of
from evaluation.performance.engines import load_engine
from evaluation.performance.engines.base import Batch, Engine
from indexing.documents import article_documents

TOP_K = 10
BLOCK_PASSAGES = 50_000
"""Documents are made outside the clock, so many at a time; they are in memory when the clock runs."""
FILTER_FROM = datetime(2022, 1, 1, tzinfo=UTC)
"""The corpus spans ten years; a third of it is as new as this."""
QUESTION_ARTICLES = 2_000
THREADS = 2


class Latency(Model):
    """Milliseconds of one query, after one round to warm up."""

    p50: float
    p95: float
    p99: float


class IndexFigures(Model):
    """What indexing took."""

    passages: int
    seconds: float
    """Of the engine alone; documents were made before."""
    cpu_seconds: float
    """Of this process, its threads included, in that time: on a busy machine what can be compared. A server's own time
    is not in it."""
    disk_mb: float
    peak_mb: float
    """Highest resident memory, documents of one block included."""


class SearchFigures(Model):
    """What searching took, in a process that has not indexed if the engine is on disk."""

    plain: Latency
    dated: Latency
    queries_per_second: float
    """On one thread."""
    queries_per_second_threaded: float
    """On two."""
    resident_mb: float
    """After all questions; pages of mapped files included."""
    rr: float
    """Mean reciprocal rank of the article that a question was made of, in the first ten."""
    top: list[list[str]]
    """Ids of the first ten passages for each question."""


class Measurement(Model):
    """What one engine did."""

    engine: str
    index: IndexFigures
    search: SearchFigures

    @property
    def passages_per_second(self) -> float:
        """Rate of indexing."""
        return self.index.passages / self.index.seconds


class Task(Model):
    """What to measure."""

    engine: str
    passages: int
    folder: Path
    articles: Path | None
    """Whose sentences the corpus is made of; None: the sample's."""
    questions: int


def measure_index(task: Task) -> tuple[Engine, IndexFigures]:
    """Index the corpus."""
    engine = load_engine(task.engine)(task.folder)
    engine.create()
    count, spent = _index(engine, make_articles(sentences_of(task.articles), passages=task.passages))
    figures = IndexFigures(
        passages=count,
        seconds=spent.seconds,
        cpu_seconds=spent.cpu_seconds,
        disk_mb=_disk_mb(task.folder),
        peak_mb=_peak_mb(),
    )
    return engine, figures


def measure_search(task: Task, engine: Engine | None = None) -> SearchFigures:
    """
    Ask the questions.

    :param engine: The one that has indexed; None: open what is on disk.
    """
    corpus = make_articles(sentences_of(task.articles), passages=task.passages)
    questions = make_questions(list(islice(corpus, QUESTION_ARTICLES)), count=task.questions)
    engine = engine or load_engine(task.engine)(task.folder)
    engine.open()
    try:
        return _search(engine, questions)
    finally:
        engine.close()


def _index(engine: Engine, articles: Iterator[Article]) -> tuple[int, "_Spent"]:
    """Return the number of passages, and what the engine itself took."""
    count = 0
    spent = _Spent(0.0, 0.0)
    while block := list(islice(articles, BLOCK_PASSAGES // PASSAGES_PER_ARTICLE)):
        batch: Batch = [(article, article_documents(article)) for article in block]
        count += sum(len(documents) for _, documents in batch)
        spent = spent.plus(lambda batch=batch: engine.add(batch))  # type: ignore[misc]
    return count, spent.plus(engine.finish)


class _Spent(NamedTuple):
    seconds: float
    cpu_seconds: float

    def plus(self, work: Callable[[], object]) -> "_Spent":
        """Do some more work."""
        begin, cpu_begin = time.perf_counter(), time.process_time()
        work()
        return _Spent(self.seconds + time.perf_counter() - begin, self.cpu_seconds + time.process_time() - cpu_begin)


def _search(engine: Engine, questions: list[Question]) -> SearchFigures:
    def plain(question: Question) -> list[str]:
        return engine.search(question.text, top_k=TOP_K)

    def dated(question: Question) -> list[str]:
        return engine.search(question.text, top_k=TOP_K, published_from=FILTER_FROM)

    top = [plain(question) for question in questions]
    plain_ms, dated_ms = _times(plain, questions), _times(dated, questions)
    with ThreadPoolExecutor(THREADS) as pool:
        threaded = _timed(lambda: list(pool.map(plain, questions)))
    return SearchFigures(
        plain=_latency(plain_ms),
        dated=_latency(dated_ms),
        queries_per_second=1000 / float(np.mean(plain_ms)),
        queries_per_second_threaded=len(questions) / threaded,
        resident_mb=_rss_mb(),
        rr=float(np.mean([_reciprocal_rank(q, ids) for q, ids in zip(questions, top, strict=True)])),
        top=top,
    )


def _times(ask: Callable[[Question], list[str]], questions: list[Question]) -> list[float]:
    return [1000 * _timed(lambda question=question: ask(question)) for question in questions]  # type: ignore[misc]


def _latency(times_ms: list[float]) -> Latency:
    p50, p95, p99 = (float(value) for value in np.percentile(times_ms, [50, 95, 99]))
    return Latency(p50=p50, p95=p95, p99=p99)


def _reciprocal_rank(question: Question, ids: list[str]) -> float:
    ranks = (rank for rank, name in enumerate(ids, start=1) if name.startswith(question.article_id))
    return 1 / next(ranks, float("inf"))


def _timed(work: Callable[[], object]) -> float:
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def _disk_mb(folder: Path) -> float:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


def _peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3


def _rss_mb() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6
