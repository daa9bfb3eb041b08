"""The index job: new and changed articles into a store."""

import time
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from haystack import Document

from core.errors import InputError, StoreMissingError, StoreVersionError
from core.progress import Progress, ProgressEvent, Stage, ignore_progress
from core.types import Article
from indexing.articles import Place, read_articles
from indexing.documents import article_documents, embed_documents
from indexing.embedders import Embedder
from indexing.report import IndexReport
from indexing.stores.contract import EvidenceStore, PutOutcome, StoreWriter
from indexing.watermarks import Watermarks

ARTICLES_FOLDER = "articles"
BATCH_ARTICLES = 32
COMMIT_ARTICLES = 5_000
COMMIT_SECONDS = 60.0
"""A job that is stopped loses at most what came after its last commit."""

_Batch = list[tuple[Article, Path, Place]]


def run_index(
    store: EvidenceStore,
    *,
    data_dir: Path,
    articles: Path | None = None,
    embedder: Embedder | None = None,
    progress: Progress = ignore_progress,
) -> IndexReport:
    """
    Put new and changed articles into the store. Running it twice changes nothing.

    :param data_dir: Its `articles/**/*.jsonl` are read, from where the last job ended.
    :param articles: A file to read instead, see `indexing.articles`.
    :param embedder: Makes a vector of each passage; None: search by words only.
    :raises InputError: If there are no articles, or a line is none; then nothing of this job is in the store.
    :raises StoreVersionError: If the store's vectors are of another embedder.
    """
    job = _Job(store, data_dir=data_dir, embedder=embedder, progress=progress)
    return job.run(_files(data_dir, articles), from_start=articles is not None)


def _files(data_dir: Path, articles: Path | None) -> list[Path]:
    if articles is not None:
        if not articles.is_file():
            raise InputError(
                f"there is no file {articles}", field="articles", hint="Name a file of JSON lines, .jsonl or .jsonl.gz."
            )
        return [articles]
    folder = data_dir / ARTICLES_FOLDER
    files = sorted([*folder.rglob("*.jsonl"), *folder.rglob("*.jsonl.gz")])
    if not files:
        raise InputError(
            f"there are no articles in {folder}",
            field="data_dir",
            hint="Run 'looksy crawl PUBLISHER' first, or give a file with 'looksy index --articles FILE'.",
        )
    return files


class _Job:
    """One run of the index job; counts as it goes."""

    def __init__(self, store: EvidenceStore, *, data_dir: Path, embedder: Embedder | None, progress: Progress) -> None:
        self._store = store
        self._embedder = embedder
        self._progress = progress
        self._marks = Watermarks(data_dir)
        self._ignored: Counter[str] = Counter()
        self._outcomes: Counter[PutOutcome] = Counter()
        self._gone = self._passages = self._done = self._total = 0
        self._started = self._committed = time.monotonic()

    def run(self, files: list[Path], *, from_start: bool) -> IndexReport:
        self._check_embedder()
        self._marks.load(self._snapshot())
        starts = {file: Place() if from_start else self._marks.get(file) for file in files}
        counts = {file: self._survey(file, start) for file, start in starts.items()}
        self._total = sum(counts.values())
        if self._total:
            self._index({file: start for file, start in starts.items() if counts[file]}, keep_places=not from_start)
        return IndexReport(
            new=self._outcomes[PutOutcome.NEW],
            changed=self._outcomes[PutOutcome.CHANGED],
            unchanged=self._outcomes[PutOutcome.UNCHANGED],
            gone=self._gone,
            passages=self._passages,
            files=sum(1 for count in counts.values() if count),
            ignored_fields=dict(self._ignored),
            seconds=time.monotonic() - self._started,
            snapshot_id=self._snapshot(),
        )

    def _snapshot(self) -> str | None:
        try:
            return self._store.snapshot_id()
        except StoreMissingError:
            return None

    def _check_embedder(self) -> None:
        if self._snapshot() is None:
            return
        counts = self._store.counts()
        given = self._embedder.identity if self._embedder else None
        if counts.articles and counts.embedder != given:
            raise StoreVersionError(
                f"the index was made with embedder {counts.embedder or 'none'}, this job has {given or 'none'}",
                field="embedder_model",
                hint="Use the same embedder, or build the index anew with 'looksy index --rebuild'.",
            )

    def _survey(self, file: Path, start: Place) -> int:
        """Read what is new in a file once before anything is written: a bad line then costs nothing."""
        return sum(1 for _ in read_articles(file, start=start, ignored=self._ignored))

    def _index(self, starts: dict[Path, Place], *, keep_places: bool) -> None:
        with self._store.writer() as writer:
            if self._embedder is not None:
                writer.use_embedder(self._embedder.identity)
            reading = _read_all(starts)
            while batch := list(islice(reading, BATCH_ARTICLES)):
                self._put_batch(writer, batch)
                if keep_places:
                    for _, file, place in batch:
                        self._marks.set(file, place)
                self._report()
                if self._commit_is_due():
                    self._commit(writer)
            self._commit(writer)

    def _put_batch(self, writer: StoreWriter, batch: _Batch) -> None:
        documents = [article_documents(article) for article, _, _ in batch]
        if self._embedder is not None:
            documents = self._embedded(self._embedder, [article for article, _, _ in batch], documents)
        for (article, _, _), passages in zip(batch, documents, strict=True):
            outcome = writer.put(article, passages)
            self._outcomes[outcome] += 1
            if outcome is not PutOutcome.UNCHANGED:
                self._passages += len(passages)
            if article.gone_at is not None and writer.mark_gone(article.article_id, gone_at=article.gone_at):
                self._gone += 1
            self._done += 1

    def _embedded(
        self, embedder: Embedder, articles: list[Article], documents: list[list[Document]]
    ) -> list[list[Document]]:
        """Add vectors to the passages of articles that the store does not hold yet."""
        known = self._store.get_articles(a.article_id for a in articles) if self._snapshot() else {}
        wanted = [
            article.article_id not in known or known[article.article_id].content_hash != article.content_hash
            for article in articles
        ]
        fresh = iter(embed_documents(embedder, [d for d, new in zip(documents, wanted, strict=True) if new]))
        return [next(fresh) if new else passages for passages, new in zip(documents, wanted, strict=True)]

    def _commit_is_due(self) -> bool:
        waited = time.monotonic() - self._committed
        return self._done % COMMIT_ARTICLES < BATCH_ARTICLES or waited > COMMIT_SECONDS

    def _commit(self, writer: StoreWriter) -> None:
        writer.commit()
        self._committed = time.monotonic()
        snapshot = self._snapshot()
        if snapshot is not None:
            self._marks.save(snapshot)

    def _report(self) -> None:
        elapsed = max(time.monotonic() - self._started, 1e-6)
        rate = self._done / elapsed
        left = round((self._total - self._done) / rate)
        self._progress(
            ProgressEvent(
                stage=Stage.INDEX,
                done=self._done,
                total=self._total,
                unit="articles",
                message=f"{rate:.0f} articles/s, {left // 60}:{left % 60:02d} left",
            )
        )


def _read_all(starts: dict[Path, Place]) -> Iterator[tuple[Article, Path, Place]]:
    for file, start in starts.items():
        for article, place in read_articles(file, start=start):
            yield article, file, place
