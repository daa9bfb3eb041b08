"""A long crawl of small pages: does the crawling process need more memory the longer it runs?"""

import tempfile
from pathlib import Path

from core.progress import ProgressEvent
from core.types import Model
from evaluation.performance.crawl_site import serve_pages
from scraper.crawling.crawl import crawl
from scraper.publishers import Publisher
from scraper.state.report import CrawlReport

SOAK_PAGE_BYTES = 2_000
CONCURRENCY = 8
WARM_SHARE = 0.25
"""Of the pages; after them every cache and pool has its size."""
MOST_GROWTH_MB = 16.0
"""Target: growth of the crawling process over the other pages, however many there are."""
_STATUS = "VmRSS"


class SoakFigures(Model):
    """Memory of the crawling process during one long crawl."""

    pages: int
    articles: int
    complete: bool
    seconds: float
    warm_mb: float
    """Most that was held when a quarter of the pages was done."""
    peak_mb: float
    """Most that was held at any time."""

    @property
    def growth_mb(self) -> float:
        """What the later three quarters of the pages added."""
        return self.peak_mb - self.warm_mb


def run_soak(pages: int, *, workers: int = 1) -> SoakFigures:
    """
    Crawl many small pages and watch the memory of the crawling process.

    :param pages: Number of pages, > 0.
    :param workers: Extraction processes.
    """
    warm_at = WARM_SHARE * pages
    warm_mb = 0.0

    def watch(event: ProgressEvent) -> None:
        nonlocal warm_mb
        if event.done <= warm_at or not warm_mb:
            warm_mb = max(warm_mb, crawler_memory_mb())

    publisher = Publisher(name="soak", home="https://soak.example", delay=0, concurrency=CONCURRENCY)
    with serve_pages(pages, page_bytes=SOAK_PAGE_BYTES) as home, tempfile.TemporaryDirectory() as folder:
        report: CrawlReport = crawl(
            publisher, data_dir=Path(folder), home=home, contact="benchmark", workers=workers, progress=watch
        )
    return SoakFigures(
        pages=pages,
        articles=report.articles,
        complete=report.complete,
        seconds=report.duration_s,
        warm_mb=round(warm_mb, 1),
        peak_mb=round(report.peak_memory_mb, 1),
    )


def crawler_memory_mb() -> float:
    """Return what the crawling process that this process has started holds now; 0 if there is none."""
    for task in Path("/proc/self/task").iterdir():
        for child in (task / "children").read_text(encoding="ascii").split():
            found = _memory_of(Path("/proc") / child)
            if found is not None:
                return found
    return 0.0


def _memory_of(process: Path) -> float | None:
    try:
        if b"scraper.crawling.worker" not in (process / "cmdline").read_bytes():
            return None
        status = (process / "status").read_text(encoding="utf-8").splitlines()
    except OSError:
        return None  # it has ended
    return next((int(line.split()[1]) / 1024 for line in status if line.startswith(_STATUS)), None)
