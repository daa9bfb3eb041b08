"""The time of publication that a news sitemap or feed gives."""

from datetime import UTC, datetime

import pytest

from core.types import Article
from scraper.extraction.extract import extract
from scraper.publishers import Publisher
from tests.scraper.crawling.playsite import article_page

NOW = datetime(2024, 3, 9, tzinfo=UTC)
LISTED = datetime(2024, 3, 5, 8, 30, tzinfo=UTC)
STATED = 'content="2024-03-05T10:00:00+00:00"'


def published(page: str, listed_at: datetime | None = LISTED) -> datetime | None:
    site = Publisher(name="play", home="https://www.example.org", time_zone="Europe/Oslo")
    found = extract(
        page.encode(),
        headers={},
        url="https://www.example.org/news/a",
        fetched_at=NOW,
        publisher=site,
        listed_at=listed_at,
    )
    assert isinstance(found, Article)
    return found.published_at


def page(stated: str = "", line: str = "") -> str:
    undated = article_page("/news/a").replace(f'<meta property="article:published_time" {STATED}>', stated)
    return undated.replace("</h1>", f"</h1>{line}")


def test_page_without_a_date_has_that_of_the_list() -> None:
    assert published(page()) == LISTED
    assert published(page(), None) is None


@pytest.mark.parametrize(
    "line", ["<p>Tuesday, 27 February 2024</p>", '<p>Changed <time datetime="2024-03-08">8/3</time></p>']
)
def test_list_comes_before_what_is_guessed_from_the_page(line: str) -> None:
    assert published(page(line=line)) == LISTED


def test_page_that_states_a_time_is_believed() -> None:
    assert published(page(f'<meta property="article:published_time" {STATED}>')) == datetime(2024, 3, 5, 10, tzinfo=UTC)


def test_list_tells_the_minute_of_the_day_that_the_page_names() -> None:
    assert published(page('<meta property="article:published_time" content="2024-03-05">')) == LISTED
    day = datetime(2024, 3, 4, tzinfo=UTC)
    assert published(page('<meta property="article:published_time" content="2024-03-04">')) == day


def test_time_to_come_is_not_believed() -> None:
    assert published(page(), datetime(2025, 1, 1, tzinfo=UTC)) is None
