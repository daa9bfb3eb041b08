"""Score TREC run files: any system's rankings, read as a stream."""

from datetime import UTC, datetime
from pathlib import Path

from core import __version__
from evaluation.data.formats.retrieval_data import read_retrieval_data
from evaluation.data.formats.trec_qrels import read_qrels
from evaluation.data.formats.trec_run import read_run
from evaluation.measures.retrieval.score import score_rankings
from evaluation.reports.build import build_report
from evaluation.reports.models import Report
from evaluation.reports.write import write_report
from evaluation.runs.fingerprints import fingerprint, hash_files
from evaluation.runs.models import DataInfo, Manifest
from evaluation.tasks.retrieval.task import retrieval_scores


def evaluate_run_folder(path: Path, out: Path) -> dict[str, tuple[Path, Report]]:
    """
    Score every run file of a TREC folder; with several, each has a folder of its own under `out`.

    :returns: File name to the report's folder and the report.
    """
    data = read_retrieval_data(path)
    reports = {}
    for run in data.runs:
        where = out if len(data.runs) == 1 else _own_folder(out, run)
        reports[run.name] = where, evaluate_run_file(data.files[0], run, where)
    return reports


def _own_folder(out: Path, run: Path) -> Path:
    """Return the folder of one report of several; the whole name, since `run.bm25` and `run.dense` share a stem."""
    where = out / run.name
    return out / f"{run.name}.report" if where.is_file() else where  # `out` may be where the run files are


def evaluate_run_file(qrels: Path, run: Path, out: Path) -> Report:
    """
    Score one run file against judgements and write the report.

    :raises InputError: For a malformed line in either file.
    """
    judgements = read_qrels(qrels)
    per_item = dict(score_rankings(judgements, read_run(run)))
    digest = hash_files([qrels, run])
    now = datetime.now(UTC)
    manifest = Manifest(
        run_id=f"retrieval-file-{digest[:12]}",
        task="retrieval",
        title=f"Retrieval: run file {run.name}",
        created_at=now,
        version=__version__,
        data=DataInfo(path=str(qrels), sha256=hash_files([qrels]), items=len(judgements), format="TREC run"),
        system=run.name,
        fingerprint=fingerprint(task="run file", data=digest),
    )
    report = build_report(manifest, [], retrieval_scores(per_item)).model_copy(update={"notes": _notes(per_item)})
    write_report(report, out)
    return report


def _notes(per_item: dict[str, dict[str, float]]) -> tuple[str, ...]:
    silent = [name for name, values in per_item.items() if values["MRR"] == 0]
    return (
        "Documents are ordered by score, ties by document id in descending order, as trec_eval does; the rank column "
        "is not used. Judged queries that the run lacks score 0.",
        f"{len(silent)} of {len(per_item)} queries have no relevant document in the run.",
    )
