"""`looksy evaluate retrieval`: from data to report."""

import dataclasses
from collections.abc import Iterator
from pathlib import Path

from core.errors import InputError
from core.progress import Progress, ignore_progress
from core.settings import Settings
from evaluation.data.corpora import IndexedCorpus, index_corpus
from evaluation.data.formats.retrieval_data import RetrievalData, read_retrieval_data
from evaluation.data.formats.trec_run import write_run
from evaluation.reports.models import Report
from evaluation.runs.fingerprints import hash_files
from evaluation.runs.folder import RunFolder
from evaluation.runs.models import DataInfo
from evaluation.runs.predictions import Answered
from evaluation.runs.session import RunPlan, run_task
from evaluation.tasks.retrieval.ranking import ArticleRanker
from evaluation.tasks.retrieval.task import TASK, RetrievalItem, RetrievalOutput

DEPTH = 100
"""Articles ranked for each query; no measure looks deeper, but for MAP."""
RUN_FILE = "run.trec"


@dataclasses.dataclass(frozen=True)
class RetrievalOptions:
    """What to measure, and how."""

    retriever: str = "bm25"
    split: str | None = None
    corpus: Path | None = None
    depth: int = DEPTH
    workers: int = 1
    fresh: bool = False


def evaluate_retrieval(
    path: Path, settings: Settings, options: RetrievalOptions, *, progress: Progress = ignore_progress
) -> tuple[RunFolder, Report]:
    """
    Search the data's corpus for each query and score the rankings.

    :param path: The data, see `evaluation.data.formats.retrieval_data`.
    :raises InputError: If the data cannot be read, or holds run files instead of a corpus.
    """
    data = read_retrieval_data(path, split=options.split, corpus=options.corpus)
    if data.corpus is None:
        raise InputError(
            f"{path} holds no corpus to search", field="corpus", hint="Give --corpus FILE, or score run files."
        )
    corpus = index_corpus(data.corpus, settings, retriever=options.retriever, progress=progress)
    try:
        plan = _plan(path, data, corpus, options)
        folder, report = run_task(TASK, plan, settings, fresh=options.fresh, progress=progress)
    finally:
        corpus.store.close()
    write_run(folder.path / RUN_FILE, _rankings(folder), tag=f"looksy-{options.retriever}")
    return folder, report


def _plan(path: Path, data: RetrievalData, corpus: IndexedCorpus, options: RetrievalOptions) -> RunPlan[RetrievalItem]:
    ranker = ArticleRanker(options.retriever, settings=corpus.settings, store=corpus.store, names=corpus.names)

    def predict(item: RetrievalItem) -> Answered:
        return Answered(output=RetrievalOutput(ranked=ranker.rank(item.text, top_k=options.depth)))

    split = f", {options.split}" if options.split else ""
    return RunPlan(
        title=f"Retrieval: {options.retriever} on {path.name}{split}",
        data=DataInfo(
            path=str(path),
            sha256=hash_files(data.files),
            items=len(data.queries),
            format=data.format,
            corpus_articles=corpus.articles,
        ),
        items=[
            RetrievalItem(id=name, text=text, judgements=data.judgements[name]) for name, text in data.queries.items()
        ],
        system=options.retriever,
        predict=predict,
        options={"depth": options.depth, "split": options.split},
        notes=(*data.notes, *_unknown_documents(data, corpus), *_cut(options.depth)),
        workers=options.workers,
    )


def _cut(depth: int) -> tuple[str, ...]:
    if depth >= DEPTH:
        return ()
    return (f"{depth} articles are ranked for each query: measures at deeper cut-offs, and MAP, know no others.",)


def _unknown_documents(data: RetrievalData, corpus: IndexedCorpus) -> tuple[str, ...]:
    known = set(corpus.names.names.values())
    missing = {
        name for grades in data.judgements.values() for name, grade in grades.items() if grade and name not in known
    }
    hidden = missing & set(corpus.names.hidden)
    return tuple(
        f"{len(names)} relevant documents {problem} and cannot be found: {', '.join(sorted(names)[:3])}"
        for names, problem in (
            (missing - hidden, "are not in the corpus"),
            (hidden, "have the address (url) of another document of the corpus"),
        )
        if names
    )


def _rankings(folder: RunFolder) -> Iterator[tuple[str, list[str]]]:
    for prediction in folder.predictions(RetrievalOutput):
        if prediction.output is not None:
            yield prediction.id, [entry.id for entry in prediction.output.ranked]
