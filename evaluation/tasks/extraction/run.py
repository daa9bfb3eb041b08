"""`looksy evaluate extraction`: saved pages with gold, as a run."""

from collections.abc import Callable
from pathlib import Path

from core.progress import Progress, ignore_progress
from core.settings import Settings
from core.types import Article
from evaluation.reports.models import Report
from evaluation.runs.fingerprints import hash_files
from evaluation.runs.folder import RunFolder
from evaluation.runs.models import DataInfo
from evaluation.runs.predictions import Answered
from evaluation.runs.session import RunPlan, run_task
from evaluation.tasks.extraction.measures import page_values
from evaluation.tasks.extraction.task import TASK, PageItem, PageOutput
from scraper.extraction.language import detect_language
from scraper.extraction.saved_pages import GoldPage, extract_saved, gold_file, read_gold
from scraper.rejection import Rejection


def evaluate_pages(
    folder: Path, settings: Settings, *, progress: Progress = ignore_progress
) -> tuple[RunFolder, Report]:
    """
    Extract every page that the folder's gold names and score what came out.

    :param folder: Saved pages and `gold.jsonl[.gz]`.
    :raises InputError: If the gold cannot be read.
    """
    golds = read_gold(folder)
    pages = [page for gold in golds if (page := folder / gold.file).is_file()]
    plan = RunPlan(
        title=f"Extraction on {folder.name}",
        data=DataInfo(
            path=str(folder),
            sha256=hash_files([gold_file(folder), *pages]),
            items=len(golds),
            format="saved pages",
        ),
        items=[
            PageItem(id=gold.file, text=gold.headline or gold.file, english=detect_language(gold.body or "")[0] == "en")
            for gold in golds
        ],
        system="extract",
        predict=_predictor(folder, golds),
        notes=("In one process, reading the file included.",),
    )
    return run_task(TASK, plan, settings, fresh=True, progress=progress)


def _predictor(folder: Path, golds: list[GoldPage]) -> Callable[[PageItem], Answered]:
    by_file = {gold.file: gold for gold in golds}

    def predict(item: PageItem) -> Answered:
        gold = by_file[item.id]
        outcome = extract_saved(folder / gold.file, url=gold.url)
        refusal = f"{outcome.reason}: {outcome.detail}" if isinstance(outcome, Rejection) else ""
        values = page_values(outcome if isinstance(outcome, Article) else None, gold)
        return Answered(output=PageOutput(values=values, refusal=refusal))

    return predict
