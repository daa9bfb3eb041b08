"""What a crawl or index job does: the functions behind `looksy crawl` and `looksy index`, for the job layer."""

from typing import Any

from core.progress import Progress
from core.settings import Settings
from core.types import Model


class CrawlParameters(Model):
    """What to crawl."""

    publisher: str
    """A name in configs/publishers/, or a YAML file."""
    home: str | None = None
    limit: int | None = None
    index: bool = True
    """Index what was fetched, too."""


def crawl_task(settings: Settings, parameters: CrawlParameters, progress: Progress) -> dict[str, Any]:
    """
    Crawl a publisher, and index what came.

    :returns: `crawl` and, if wanted, `index`: the reports.
    """
    from scraper.crawling.crawl import crawl
    from scraper.publishers import load_publisher

    report = crawl(
        load_publisher(parameters.publisher, data_dir=settings.data_dir),
        data_dir=settings.data_dir,
        home=parameters.home,
        contact=settings.crawl_contact,
        workers=settings.crawl_workers,
        limit=parameters.limit,
        progress=progress,
    )
    reports = {"crawl": report.model_dump(mode="json")}
    return reports | (index_task(settings, progress) if parameters.index else {})


def index_task(settings: Settings, progress: Progress) -> dict[str, Any]:
    """
    Index what was crawled, and look at checks again.

    :returns: `index` and, unless that failed or is switched off, `recheck`: the reports.
    """
    from indexing.stores.open import open_store
    from indexing.vectors import index_articles
    from service.desk.after_index import recheck_after_index

    store = open_store(settings, must_exist=False)
    try:
        report = index_articles(settings, store, progress=progress)
        looked = recheck_after_index(settings, store=store, progress=progress)
    finally:
        store.close()
    reports = {"index": report.model_dump(mode="json")}
    return reports | ({"recheck": looked.model_dump(mode="json")} if looked is not None else {})
