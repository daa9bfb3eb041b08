"""Run the evaluations of a benchmark, one after the other."""

from pathlib import Path

from core.errors import CancelledError, ConfigError, LooksyError
from core.paths import DATASETS
from core.progress import Progress, ignore_progress
from core.settings import Settings
from evaluation.benchmarks.models import Entry, EntryResult, Suite
from evaluation.reports.models import Report
from evaluation.runs.folder import RunFolder
from evaluation.tasks.claims.run import ClaimsOptions, evaluate_claims
from evaluation.tasks.extraction.run import evaluate_pages
from evaluation.tasks.rag.run import EXTRACTIVE, RagOptions, evaluate_rag
from evaluation.tasks.reader.run import ReaderOptions, evaluate_reader
from evaluation.tasks.registry import get_system_task
from evaluation.tasks.retrieval.run import RetrievalOptions, evaluate_retrieval
from evaluation.tasks.system_task import SystemOptions, evaluate_system
from evaluation.tasks.verdict.run import VerdictOptions, evaluate_verdict

_ROOT = "root/"


def run_suite(
    suite: Suite, settings: Settings, *, data_root: Path | None = None, progress: Progress = ignore_progress
) -> list[EntryResult]:
    """
    Run every entry. One whose data or model is not there is skipped, and one that fails ends no other; both say why.

    :param data_root: Where data lies that does not ship with Looksy.
    """
    return [_entry_result(entry, settings, data_root=data_root, progress=progress) for entry in suite.entries]


def _entry_result(entry: Entry, settings: Settings, *, data_root: Path | None, progress: Progress) -> EntryResult:
    try:
        return run_entry(entry, settings, data_root=data_root, progress=progress)
    except CancelledError:
        raise
    except LooksyError as error:
        return EntryResult(label=entry.label, run_id=None, fault=error.message)


def run_entry(
    entry: Entry, settings: Settings, *, data_root: Path | None = None, progress: Progress = ignore_progress
) -> EntryResult:
    """
    Run one entry; without its data, or without the model or library that it needs, it is skipped.

    :raises InputError: If its data is malformed, or there is no such task.
    """
    path = find_data(entry.data, data_root)
    if path is None:
        below = entry.data.removeprefix(_ROOT)
        lacks = f"{below} is not there" if below == entry.data else f"needs --data-root with {below}"
        return EntryResult(label=entry.label, run_id=None, skipped=lacks)
    try:
        report = _report(entry, path, settings, progress)
    except ConfigError as error:
        return EntryResult(label=entry.label, run_id=None, skipped=error.message)
    return EntryResult(
        label=entry.label,
        run_id=report.run.run_id,
        measures={name: (one.value, one.low, one.high) for name, one in report.measures.items()},
        n=report.run.data.items,
        failed=report.failed,
        mean_ms=report.timing.mean_ms if report.timing else None,
        data_sha256=report.run.data.sha256,
    )


def find_data(name: str, data_root: Path | None) -> Path | None:
    """Return the path of an entry's data; None if it is not there."""
    if name.split("/", maxsplit=1)[0] in {"sample", "checklist", "claims"}:
        path = DATASETS / name
    elif name.startswith(_ROOT):
        path = (data_root / name[len(_ROOT) :]) if data_root else Path("/nonexistent")
    else:
        path = Path(name)
    return path if path.exists() else None


def _report(entry: Entry, path: Path, settings: Settings, progress: Progress) -> Report:
    done: tuple[RunFolder, Report]
    match entry.task:
        case "retrieval":
            retrieval = RetrievalOptions(retriever=entry.retriever or "bm25", split=entry.split)
            done = evaluate_retrieval(path, settings, retrieval, progress=progress)
        case "reader":
            reader = ReaderOptions(limit=entry.limit, threshold=entry.threshold)
            done = evaluate_reader(path, settings, reader, progress=progress)
        case "rag":
            rag = RagOptions(modes=(entry.mode or EXTRACTIVE,), split=entry.split)
            done = evaluate_rag(path, settings, rag, progress=progress)[0]
        case "verdict":
            verdict = VerdictOptions(split=entry.split)
            done = evaluate_verdict(path, settings, verdict, progress=progress)
        case "claims":
            done = evaluate_claims(path, settings, ClaimsOptions(split=entry.split), progress=progress)
        case "extraction":
            done = evaluate_pages(path, settings, progress=progress)
        case _:
            options = SystemOptions(split=entry.split, options=entry.options)
            done = evaluate_system(get_system_task(entry.task), path, settings, options, progress=progress)
    return done[1]
