"""`looksy evaluate retrieval --claims FILE`: texts matched with published fact-checks."""

from collections.abc import Iterator
from pathlib import Path

from core.errors import InputError
from core.progress import Progress, ignore_progress
from core.settings import Settings
from evaluation.data.formats.retrieval_data import RetrievalData, read_retrieval_data
from evaluation.data.formats.trec_run import write_run
from evaluation.reports.models import Report
from evaluation.runs.fingerprints import fingerprint, hash_files
from evaluation.runs.folder import RunFolder
from evaluation.runs.models import DataInfo
from evaluation.runs.predictions import Answered
from evaluation.runs.session import RunPlan, run_task
from evaluation.tasks.retrieval.run import RUN_FILE, RetrievalOptions
from evaluation.tasks.retrieval.task import TASK, Ranked, RetrievalItem, RetrievalOutput
from indexing.embedders import open_embedder
from indexing.factchecks.matcher import FactCheckMatcher
from indexing.factchecks.reading import read_fact_checks
from indexing.factchecks.store import FactCheckStore
from indexing.factchecks.types import ImportReport


def evaluate_matching(
    path: Path,
    claims: Path,
    settings: Settings,
    options: RetrievalOptions,
    *,
    progress: Progress = ignore_progress,
) -> tuple[RunFolder, Report]:
    """
    Match the data's texts with a file of fact-checks, and score the rankings.

    The fact-checks get an index of their own; those of the installation are not asked.

    :param path: Texts and judgements, see `evaluation.data.formats.retrieval_data`; judged are ids of fact-checks.
    :param claims: Fact-checks, in any form that `looksy factchecks import` takes.
    :raises InputError: If either cannot be read.
    """
    data = read_retrieval_data(path, split=options.split, corpus=claims)
    store, report = _open_store(claims, settings)
    matcher = FactCheckMatcher(store, open_embedder(settings))
    matcher.embed_new(progress=progress)
    plan = _plan((path, claims), data, matcher, report, options)
    folder, scored = run_task(TASK, plan, settings, fresh=options.fresh, progress=progress)
    write_run(folder.path / RUN_FILE, _rankings(folder), tag="looksy-factchecks")
    return folder, scored


def _open_store(claims: Path, settings: Settings) -> tuple[FactCheckStore, ImportReport]:
    if not claims.is_file():
        raise InputError(f"{claims} is not there", field="claims", hint="Name a file of fact-checks.")
    store = FactCheckStore(settings.data_dir / "evaluation" / fingerprint(fact_checks=hash_files([claims])))
    return store, store.add(read_fact_checks(claims.read_bytes(), name=str(claims)))


def _plan(
    paths: tuple[Path, Path],
    data: RetrievalData,
    matcher: FactCheckMatcher,
    report: ImportReport,
    options: RetrievalOptions,
) -> RunPlan[RetrievalItem]:
    path, claims = paths

    def predict(item: RetrievalItem) -> Answered:
        found = matcher.match(item.text, top_k=options.depth)
        ranked = tuple(Ranked(id=one.id, score=one.score, headline=one.claim) for one in found)
        return Answered(output=RetrievalOutput(ranked=ranked))

    return RunPlan(
        title=f"Checked before: {path.name} against {claims.name}",
        data=DataInfo(
            path=str(path),
            sha256=hash_files(tuple(dict.fromkeys((*data.files, claims)))),
            items=len(data.queries),
            format=data.format,
            corpus_articles=report.total,
        ),
        items=[
            RetrievalItem(id=name, text=text, judgements=data.judgements[name]) for name, text in data.queries.items()
        ],
        system="factchecks",
        predict=predict,
        options={"depth": options.depth, "split": options.split},
        notes=(*data.notes, *_refused(report)),
        workers=options.workers,
    )


def _refused(report: ImportReport) -> tuple[str, ...]:
    if not report.refused:
        return ()
    first = report.refusals[0]
    return (f"{report.refused} fact-checks were refused, the first one at {first.place}: {first.reason}.",)


def _rankings(folder: RunFolder) -> Iterator[tuple[str, list[str]]]:
    for prediction in folder.predictions(RetrievalOutput):
        if prediction.output is not None:
            yield prediction.id, [entry.id for entry in prediction.output.ranked]
