"""A longer crawl: the crawling process must not grow with the number of pages."""

import pytest

from evaluation.performance.crawl_soak import MOST_GROWTH_MB, run_soak

PAGES = 1_000


@pytest.mark.slow
def test_memory_of_the_crawling_process_is_flat() -> None:
    soak = run_soak(PAGES)
    assert (soak.articles, soak.complete) == (PAGES, True)
    assert 20 < soak.warm_mb <= soak.peak_mb
    assert soak.growth_mb < MOST_GROWTH_MB
