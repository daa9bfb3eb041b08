from collections.abc import Iterator

import pytest

from tests.scraper.crawling.playsite import PlaySite


@pytest.fixture
def site() -> Iterator[PlaySite]:
    site = PlaySite()
    yield site
    site.close()
