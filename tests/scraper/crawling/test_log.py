"""The log of a crawl says what went wrong, and only that of the last crawl."""

from pathlib import Path

import pytest

from core.errors import UnavailableError
from scraper.crawling.crawl import crawl
from tests.scraper.crawling.playsite import PlaySite, publisher, run


def log_of(data_dir: Path) -> str:
    return (data_dir / "crawl" / "logs" / "play.log").read_text(encoding="utf-8")


def test_warnings_pauses_and_the_end_are_logged(site: PlaySite, tmp_path: Path) -> None:
    site.add("/sitemap.xml", "<html><body>Not found</body></html>", status=503, **{"Retry-After": "0"})
    run(site, tmp_path)
    log = log_of(tmp_path)
    assert "answered 503; waiting 0 s" in log
    assert "WARNING scraper.crawling.worker: sitemap https://www.example.org/sitemap.xml: HTTP status 503" in log
    assert "0 pages of play settled, 0 left" in log
    assert "scrapy" not in log.lower()
    site.add_sitemap("/news/a")
    site.add_article("/news/a")
    run(site, tmp_path)
    assert "503" not in log_of(tmp_path)
    assert "1 pages of play settled, 0 left" in log_of(tmp_path)


def test_host_that_is_down_is_logged(site: PlaySite, tmp_path: Path) -> None:
    site.close()
    with pytest.raises(UnavailableError):
        crawl(publisher(), data_dir=tmp_path, home=site.home, contact="x")
    assert "cannot be crawled now: it refuses connections" in log_of(tmp_path)
