"""The index job: new and changed articles into a store."""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from itertools import chain, islice
from pathlib import Path

from core.errors import InputError, StoreMissingError, StoreVersionError
from core.progress import Progress, ProgressEvent, Stage, ignore_progress
from core.types import Article
from indexing.articles import Place, read_articles
from indexing.budget import PassageBudget
from indexing.embedders import Embedder
from indexing.import_identities import ImportIdentities
from indexing.loading import Loaded, Loader, LocalLoader
from indexing.origins import FILE_NAME as ORIGINS_FILE
from indexing.origins import OriginIndex
from indexing.repeats import Repeats
from indexing.report import IndexReport
from indexing.stores.contract import EvidenceStore, PutOutcome, StoreWriter
from indexing.stores.readable import is_readable
from indexing.watermarks import Watermarks

ARTICLES_FOLDER = "articles"
BATCH_ARTICLES = 32
COMMIT_ARTICLES = 20_000
COMMIT_PASSAGES = 60_000
COMMIT_SECONDS = 60.0
"""What a job may do between two commits: it loses no more when it is stopped, and a writer holds no more in memory."""

_Read = tuple[Article, Path | None, Place]
"""An article, its file (None: it was in the index), and the place behind it."""

Spread = Callable[[Embedder | None], Loader]


def run_index(
    store: EvidenceStore,
    *,
    data_dir: Path,
    articles: Path | None = None,
    embedder: Embedder | None = None,
    embed_up_to: int | None = None,
    rebuild: bool = False,
    spread: Spread | None = None,
    progress: Progress = ignore_progress,
) -> IndexReport:
    """
    Put new and changed articles into the store. Running it twice changes nothing.

    A job that is stopped goes on after its last commit when it is run again; a rebuild begins anew.

    :param data_dir: Its `articles/**/*.jsonl` are read, from where the last job ended.
    :param articles: A file to read instead, see `indexing.articles`.
    :param embedder: Makes a vector of each passage; None: search by words only.
    :param embed_up_to: Do without vectors, and say so in the report, if what is read now and, in a rebuild, what is
        in the index has more passages than this; None: never do without.
    :param rebuild: Write the index anew from the articles in it, and those that are new, and swap it in at the end.
        An index of another version cannot be read: then it is written from all that was crawled, and from `articles`.
    :param spread: Makes the loader of a cluster, once it is known whether there are vectors; None: this process loads.
    :raises InputError: If there are no articles, in the index neither if it is rebuilt, or a line is none; then nothing
        of this job is in the store.
    :raises StoreVersionError: If the store's vectors are of another embedder.
    """
    job = _Job(store, data_dir=data_dir, embedder=embedder, embed_up_to=embed_up_to, spread=spread, progress=progress)
    if rebuild:
        return job.rebuild(_files(data_dir, articles, also_crawled=not is_readable(store)), imported=articles)
    files = _files(data_dir, articles)
    if not files:
        raise InputError(
            f"there are no articles in {data_dir / ARTICLES_FOLDER}",
            field="data_dir",
            hint="Run 'looksy crawl PUBLISHER' first, or give a file with 'looksy index --articles FILE'.",
        )
    return job.run(files, imported=articles)


def _files(data_dir: Path, articles: Path | None, *, also_crawled: bool = False) -> list[Path]:
    """List the file that was given, or what was crawled; both if what was crawled is to be found nowhere else."""
    if articles is not None and not articles.is_file():
        raise InputError(
            f"there is no file {articles}", field="articles", hint="Name a file of JSON lines, .jsonl or .jsonl.gz."
        )
    given = [] if articles is None else [articles]
    if given and not also_crawled:
        return given
    folder = data_dir / ARTICLES_FOLDER
    return sorted([*folder.rglob("*.jsonl"), *folder.rglob("*.jsonl.gz")]) + given


class _Job:
    """One run of the index job; counts as it goes."""

    def __init__(
        self,
        store: EvidenceStore,
        *,
        data_dir: Path,
        embedder: Embedder | None,
        embed_up_to: int | None,
        spread: Spread | None,
        progress: Progress,
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._budget = PassageBudget(embed_up_to if embedder is not None else None)
        self._spread = spread
        self._progress = progress
        self._marks = Watermarks(data_dir)
        self._origins = OriginIndex(data_dir / ORIGINS_FILE)
        self._repeats = Repeats(datetime.now(UTC).replace(microsecond=0))
        self._identities: ImportIdentities | None = None
        self._ignored: Counter[str] = Counter()
        self._loaded = self._uncommitted = Loaded()
        self._total = 0
        self._started = self._committed = time.monotonic()
        snapshot = self._snapshot()
        self._is_new = snapshot is None  # nothing can be read from the index that is written to
        self._marks.load(snapshot)

    def run(self, files: list[Path], *, imported: Path | None) -> IndexReport:
        """Add what is new to the index in use."""
        self._check_embedder()
        starts = self._survey(files, imported)
        self._keep_to_budget()
        if starts:
            with self._store.writer() as writer:
                self._put_all(writer, self._read_all(starts, imported), imported, commit=self._commit)
                self._commit(writer)
        return self._make_report(len(starts))

    def rebuild(self, files: list[Path], *, imported: Path | None) -> IndexReport:
        """Write the index anew, and swap it in."""
        readable, self._is_new = not self._is_new, True
        starts = self._survey(files, imported)
        if readable:
            counts = self._store.counts(by_month=False)
            self._total += counts.articles + counts.revisions
            self._budget.add(counts.passages)
        if not self._total:
            raise InputError(
                "there are no articles to build the index from",
                field="articles",
                hint="Run 'looksy crawl PUBLISHER' first, or add --articles FILE.",
            )
        self._keep_to_budget()
        stored = self._store.iter_articles() if readable else iter(())
        reading = chain(((article, None, Place()) for article in stored), self._read_all(starts, imported))
        with self._store.rebuild() as writer:
            self._put_all(writer, reading, imported, commit=lambda writer: writer.commit())
        self._save_marks()
        return self._make_report(len(starts))

    def _survey(self, files: list[Path], imported: Path | None) -> dict[Path, Place]:
        """
        Read what is new in the files once before anything is written: a bad line then costs nothing.

        :returns: The files with something new in them, and where it begins.
        """
        starts = {file: Place() if file == imported else self._marks.get(file) for file in files}
        counts = {
            file: sum(1 for _ in self._look_at(file, start, is_whole=file == imported))
            for file, start in starts.items()
        }
        self._total = sum(counts.values())
        if self._snapshot() is not None:
            self._repeats.settle(self._store.get_articles)
        return {file: start for file, start in starts.items() if counts[file]}

    def _look_at(self, file: Path, start: Place, *, is_whole: bool) -> Iterator[tuple[Article, Place]]:
        reading = self._budget.watch(read_articles(file, start=start, ignored=self._ignored, is_whole=is_whole))
        if not is_whole:
            return reading
        is_readable = self._snapshot() is not None
        self._identities = ImportIdentities(file, current=self._store.get_articles if is_readable else lambda _: {})
        return self._repeats.watch(self._identities.watch(reading))

    def _read_all(self, starts: dict[Path, Place], imported: Path | None) -> Iterator[_Read]:
        for file, start in starts.items():
            for article, place in read_articles(file, start=start):
                names = self._identities if file == imported else None
                yield article if names is None else names.named(article), file, place

    def _keep_to_budget(self) -> None:
        """Do without vectors where there would be too many."""
        if self._budget.is_exceeded:
            self._embedder = None

    def _make_report(self, files: int) -> IndexReport:
        outcomes = Counter(self._loaded.outcomes)
        return IndexReport(
            new=outcomes[PutOutcome.NEW],
            changed=outcomes[PutOutcome.CHANGED],
            corrected=outcomes[PutOutcome.CORRECTED],
            unchanged=outcomes[PutOutcome.UNCHANGED],
            gone=self._loaded.gone,
            passages=self._loaded.passages,
            files=files,
            ignored_fields=dict(self._ignored),
            notice=self._budget.notice(),
            seconds=time.monotonic() - self._started,
            snapshot_id=self._snapshot(),
        )

    def _snapshot(self) -> str | None:
        """Name the content of the index in use; None: there is none that can be read."""
        try:
            return self._store.snapshot_id()
        except (StoreMissingError, StoreVersionError):
            return None

    def _check_embedder(self) -> None:
        if self._is_new:
            return
        counts = self._store.counts(by_month=False)
        given = self._embedder.identity if self._embedder else None
        if counts.articles and counts.embedder != given:
            raise StoreVersionError(
                f"the index was made with embedder {counts.embedder or 'none'}, this job has {given or 'none'}",
                field="embedder_model",
                hint="Use the same embedder, or build the index anew with 'looksy index --rebuild'; "
                "--vectors or --no-vectors says whether with vectors.",
            )

    def _put_all(
        self,
        writer: StoreWriter,
        reading: Iterator[_Read],
        imported: Path | None,
        *,
        commit: Callable[[StoreWriter], None],
    ) -> None:
        if self._embedder is not None:
            writer.use_embedder(self._embedder.identity)
        loader = self._loader()
        with self._origins as origins:
            while batch := list(islice(reading, loader.batch_articles)):
                fresh = [one for one, file, _ in batch if file != imported or not self._repeats.is_known(one)]
                self._loaded += Loaded(outcomes={PutOutcome.UNCHANGED: len(batch) - len(fresh)})
                for loaded in loader.load(writer, [origins.assign(article) for article in fresh]):
                    self._count(loaded)
                    self._report()
                for _, file, place in batch:
                    if file is not None and file != imported:
                        self._marks.set(file, place)
                if loader.commits_each_batch or self._commit_is_due():
                    origins.commit()
                    commit(writer)
                    self._committed, self._uncommitted = time.monotonic(), Loaded()

    def _loader(self) -> Loader:
        if self._spread is not None:
            return self._spread(self._embedder)
        return LocalLoader(self._embedder, batch_articles=BATCH_ARTICLES)

    def _count(self, loaded: Loaded) -> None:
        self._loaded += loaded
        self._uncommitted += loaded
        if loaded.embedded:
            self._report_embedding()

    def _commit_is_due(self) -> bool:
        waited = time.monotonic() - self._committed
        open_ = self._uncommitted
        return open_.articles >= COMMIT_ARTICLES or open_.passages >= COMMIT_PASSAGES or waited > COMMIT_SECONDS

    def _commit(self, writer: StoreWriter) -> None:
        writer.commit()
        self._save_marks()

    def _save_marks(self) -> None:
        snapshot = self._snapshot()
        if snapshot is not None:
            self._marks.save(snapshot)

    def _report_embedding(self) -> None:
        rate = self._loaded.embedded / max(time.monotonic() - self._started, 1e-6)
        self._progress(
            ProgressEvent(
                stage=Stage.EMBED, done=self._loaded.embedded, unit="passages", message=f"{rate:.0f} passages/s"
            )
        )

    def _report(self) -> None:
        elapsed = max(time.monotonic() - self._started, 1e-6)
        rate = self._loaded.articles / elapsed
        left = round((self._total - self._loaded.articles) / rate)
        self._progress(
            ProgressEvent(
                stage=Stage.INDEX,
                done=self._loaded.articles,
                total=self._total,
                unit="articles",
                message=f"{rate:.0f} articles/s, {left // 60}:{left % 60:02d} left",
            )
        )
