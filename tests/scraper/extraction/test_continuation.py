"""A story on several pages is one article; what a blog calls next is not its page."""

from datetime import UTC, datetime

import pytest

from core.types import Article
from scraper.extraction.continuation import find_next_page, join_bodies
from scraper.extraction.extract import extract
from tests.scraper.crawling.playsite import HOME, article_page, sentences

FIRST = f"{HOME}/news/long-story"


@pytest.mark.parametrize(
    ("href", "url"),
    [
        ("?page=2", FIRST),
        (f"{FIRST}?seite=2", FIRST),
        ("/news/long-story/2", FIRST),
        ("/news/long-story/page/2/", f"{FIRST}/"),
        ("long-story-2.html", f"{FIRST}.html"),
        ("/news/long-story,2", FIRST),
        ("long-story-seite2", FIRST),
        ("?id=7&amp;p=2", f"{FIRST}?id=7"),
        ("/news/part-2/2", f"{HOME}/news/part-2"),
    ],
)
def test_next_page_is_one_with_the_next_number(href: str, url: str) -> None:
    page = f'<html><head><link rel="next" href="{href}"></head><body><article></article>'.encode()
    assert find_next_page(page, url=url, first_url=url) is not None


@pytest.mark.parametrize(
    "href",
    [
        "/news/another-story", "/news/another-story/2", "?page=3", "?page=1", "/news/long-story", "#comments",
        "/news/long-story/comment-page-2/", "https://other.example/news/long-story?page=2", "/news/long-story-1962",
        "http://[broken", "javascript:next()",
    ],
)  # fmt: skip
def test_what_else_is_called_next_is_no_page_of_the_story(href: str) -> None:
    page = f'<html><head><link rel="next" href="{href}"></head><body><article></article>'.encode()
    assert find_next_page(page, url=FIRST, first_url=FIRST) is None


def test_list_of_stories_is_not_followed() -> None:
    assert find_next_page(b'<link rel="next" href="?page=2"><body>', url=FIRST, first_url=FIRST) is None


def test_pages_are_counted_from_the_first() -> None:
    page = b'<article><a rel="nofollow next" href="/news/long-story/3">Next</a></article>'
    assert find_next_page(page, url=f"{FIRST}/2", first_url=FIRST) == f"{FIRST}/3"


def test_paragraphs_that_each_page_repeats_stand_once() -> None:
    assert join_bodies("Sum.\n\nOne.", ["Sum.\n\nTwo.", "", "Sum.\n\nThree."]) == "Sum.\n\nOne.\n\nTwo.\n\nThree."


def test_short_pages_make_one_article() -> None:
    texts = [sentences(f"page {number}", 2) for number in range(3)]
    pages = [article_page("/news/long-story", text, headline="A story in three parts") for text in texts]
    found = extract(
        pages[0].encode(), headers={}, url=FIRST, fetched_at=datetime(2024, 3, 6, tzinfo=UTC),
        further=[(f"{FIRST}/2", pages[1].encode()), (f"{FIRST}/3", b""), (f"{FIRST}/4", pages[2].encode())],
    )  # fmt: skip
    assert isinstance(found, Article)
    assert found.body == "\n\n".join(texts)
    assert found.url == FIRST


def test_page_with_another_headline_is_left_out() -> None:
    other = article_page("/news/other", sentences("other"), headline="Quite another thing")
    found = extract(
        article_page("/news/long-story").encode(), headers={}, url=FIRST, fetched_at=datetime(2024, 3, 6, tzinfo=UTC),
        further=[(f"{FIRST}/2", other.encode())],
    )  # fmt: skip
    assert isinstance(found, Article)
    assert sentences("other") not in found.body
