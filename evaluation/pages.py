"""`looksy evaluate extraction`: saved pages with gold, as a run."""

from pathlib import Path

from core.progress import Progress, ignore_progress
from core.settings import Settings
from evaluation.extraction import evaluate_extraction
from evaluation.reports.models import Report
from evaluation.runs.execute import Answered
from evaluation.runs.fingerprint import hash_files
from evaluation.runs.folder import RunFolder
from evaluation.runs.models import DataInfo
from evaluation.session import RunPlan, run_task
from evaluation.tasks.extraction import TASK, PageItem, PageOutput
from scraper.extraction.language import detect_language
from scraper.saved_pages import read_gold


def evaluate_pages(
    folder: Path, settings: Settings, *, progress: Progress = ignore_progress
) -> tuple[RunFolder, Report]:
    """
    Extract every page that the folder's gold names and score what came out.

    :param folder: Saved pages and `gold.jsonl[.gz]`.
    :raises InputError: If the gold or a page cannot be read.
    """
    golds = read_gold(folder)
    extracted = evaluate_extraction(folder, progress=progress)
    refusals = {refused.file: f"{refused.reason}: {refused.detail}" for refused in extracted.refused}

    def predict(item: PageItem) -> Answered:
        return Answered(output=PageOutput(values=extracted.per_item[item.id], refusal=refusals.get(item.id, "")))

    plan = RunPlan(
        title=f"Extraction on {folder.name}",
        data=DataInfo(
            path=str(folder),
            sha256=hash_files(sorted(folder.glob("gold.jsonl*"))),
            items=len(golds),
            format="saved pages",
        ),
        items=[
            PageItem(id=gold.file, text=gold.file, english=detect_language(gold.body or "")[0] == "en")
            for gold in golds
        ],
        system="extract",
        predict=predict,
        notes=(f"{extracted.pages_per_second:.1f} pages a second in one process.",),
    )
    return run_task(TASK, plan, settings, fresh=True, progress=progress)
