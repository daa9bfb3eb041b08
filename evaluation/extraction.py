"""Measures extraction on a folder of saved pages with gold (`looksy evaluate extraction`)."""

import time
from collections import Counter
from pathlib import Path

from core.progress import Progress, ProgressEvent, Stage, ignore_progress
from core.types import Article, Model
from evaluation.extraction_measures import page_values
from evaluation.stats.bootstrap import mean_with_interval
from evaluation.values import ItemValues, MeasureValue
from scraper.extraction.language import detect_language
from scraper.rejection import Rejection
from scraper.saved_pages import GoldPage, extract_saved, read_gold

ENGLISH = "en"


class RefusedPage(Model):
    """A page that should have given an article and did not."""

    file: str
    reason: str
    detail: str


class ExtractionReport(Model):
    """How well a folder of saved pages was read."""

    pages: int
    english_pages: int
    """Pages whose expected body is in English."""
    measures: dict[str, MeasureValue]
    """Measure name to mean and 95 % bootstrap interval; `english/` before the name: over English pages alone."""
    refused: tuple[RefusedPage, ...]
    refused_by_reason: dict[str, int]
    pages_per_second: float
    """In one process, reading the file included."""
    per_item: ItemValues


def evaluate_extraction(folder: Path, *, progress: Progress = ignore_progress) -> ExtractionReport:
    """
    Extract every page that the folder's `gold.jsonl.gz` names and compare.

    :raises InputError: If the gold file or a page cannot be read.
    """
    golds = read_gold(folder)
    per_item: ItemValues = {}
    refused: list[RefusedPage] = []
    seconds = 0.0
    for done, gold in enumerate(golds, start=1):
        started = time.perf_counter()
        outcome = extract_saved(folder / gold.file, url=gold.url)
        seconds += time.perf_counter() - started
        if isinstance(outcome, Rejection):
            refused.append(RefusedPage(file=gold.file, reason=outcome.reason, detail=outcome.detail))
        per_item[gold.file] = page_values(outcome if isinstance(outcome, Article) else None, gold)
        progress(ProgressEvent(stage=Stage.EVALUATE, done=done, total=len(golds), unit="pages"))
    english = {gold.file for gold in golds if _is_english(gold)}
    return ExtractionReport(
        pages=len(golds),
        english_pages=len(english),
        measures=_means(per_item) | _means({file: per_item[file] for file in english}, prefix="english/"),
        refused=tuple(refused),
        refused_by_reason=dict(Counter(page.reason for page in refused)),
        pages_per_second=len(golds) / seconds if seconds else 0.0,
        per_item=per_item,
    )


def _means(per_item: ItemValues, *, prefix: str = "") -> dict[str, MeasureValue]:
    names = sorted({name for values in per_item.values() for name in values})
    return {
        prefix + name: mean_with_interval([values[name] for values in per_item.values() if name in values])
        for name in names
    }


def _is_english(gold: GoldPage) -> bool:
    return bool(gold.body) and detect_language(gold.body or "")[0] == ENGLISH
