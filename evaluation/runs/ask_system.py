"""Ask a system for the items of an evaluation: over the data's corpus, or over the user's own index."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from core.errors import StoreMissingError
from core.progress import Progress, ignore_progress
from core.settings import Settings
from core.types import Request, Result, Status
from evaluation.data.corpora import IndexedCorpus, index_corpus
from evaluation.data.formats.retrieval_data import find_corpus
from evaluation.runs.fingerprints import hash_files
from evaluation.runs.models import DataInfo, Output
from evaluation.runs.predictions import Answered, PredictionFailedError
from pipelines.engine import Engine


@dataclass(frozen=True)
class OpenEngine:
    """An engine and what it searches."""

    engine: Engine
    file: Path
    """The queries."""
    corpus_file: Path | None
    corpus: IndexedCorpus | None
    """None: the user's own index."""
    searches: bool = True
    """Whether anything is searched."""

    def data(self, items: int, kind: str, further: Sequence[Path] = ()) -> DataInfo:
        """
        Describe queries and corpus together.

        :param further: More files that were read.
        """
        files = [self.file, *([self.corpus_file] if self.corpus_file else []), *further]
        return DataInfo(
            path=str(self.file),
            sha256=hash_files(files),
            items=items,
            format=kind,
            corpus_articles=self.corpus.articles if self.corpus else None,
            index_snapshot=None if self.corpus or not self.searches else self.engine.resources.store().snapshot_id(),
        )

    def lacking(self, articles: Collection[str]) -> set[str]:
        """Return those of our article ids that are not in what is searched."""
        there = self.corpus.names.names if self.corpus else self.engine.resources.store().get_articles(articles)
        return {name for name in articles if name not in there}


@contextmanager
def open_engine(
    file: Path,
    settings: Settings,
    *,
    corpus: Path | None,
    retriever: str | None = None,
    searches: bool = True,
    progress: Progress = ignore_progress,
) -> Iterator[OpenEngine]:
    """
    Open an engine over the corpus named, else over the one beside the queries, else over the user's own index.

    :param retriever: That requests will name; None: the settings'.
    :param searches: False: the items hold all that is judged, so no corpus is indexed and no index is needed.
    :raises InputError: For a malformed corpus.
    :raises StoreError: If there is no corpus and no index either.
    """
    where = (corpus or find_corpus(file.parent)) if searches else None
    indexed = index_corpus(where, settings, retriever=retriever, progress=progress) if where else None
    engine = Engine(settings, store=indexed.store if indexed else None)
    try:
        if indexed is None and searches:
            _need_index(engine)
        yield OpenEngine(engine=engine, file=file, corpus_file=where, corpus=indexed, searches=searches)
    finally:
        engine.close()


def _need_index(engine: Engine) -> None:
    try:
        engine.resources.store()
    except StoreMissingError as error:
        raise StoreMissingError(
            f"no corpus is named or lies beside the data, and {error.message}",
            field="corpus",
            hint="Give --corpus FILE, put articles.jsonl or corpus.jsonl beside the data, or run 'looksy index' first.",
        ) from error


def ask_system(engine: Engine, system: str, request: Request) -> Result:
    """
    Ask a system.

    :raises PredictionFailedError: If the result failed: a failure is listed, never scored as an answer.
    """
    result = engine.run(system, request)
    if result.status is Status.FAILED:
        reason = result.failure.message if result.failure else "no reason given"
        raise PredictionFailedError(reason, field=result.failure.code if result.failure else None)
    return result


def answered(result: Result, output: Output) -> Answered:
    """Put the tokens that the models took and the run record beside what was kept of a result."""
    calls = result.run.calls if result.run else ()
    return Answered(
        output=output,
        tokens_in=sum(call.tokens_in or 0 for call in calls) if calls else None,
        tokens_out=sum(call.tokens_out or 0 for call in calls) if calls else None,
        run_record=result if result.run else None,
        duration_ms=result.timings.get("total"),
    )
