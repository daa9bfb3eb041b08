from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.scraper.crawling.crawls import PlayCrawls
from tests.scraper.crawling.playsite import PlaySite


@pytest.fixture
def site() -> Iterator[PlaySite]:
    site = PlaySite()
    yield site
    site.close()


@pytest.fixture
def crawls(tmp_path: Path) -> Iterator[PlayCrawls]:
    crawls = PlayCrawls(tmp_path)
    yield crawls
    crawls.database.close()
