"""Every story of the sample must come back from its page exactly as it was written."""

from datetime import UTC, datetime

import pytest

from core.paths import SAMPLE
from core.types import Article
from scraper.extraction.extract import extract
from scraper.samplesite.site import build_site
from scraper.samplesite.stories import read_stories

FETCHED = datetime(2026, 1, 1, tzinfo=UTC)
BASE = "http://127.0.0.1:8000"


@pytest.fixture(scope="module")
def stories():
    return read_stories(SAMPLE / "articles.jsonl.gz")


@pytest.fixture(scope="module")
def extracted(stories):
    site = build_site(stories, base_url=BASE)
    headers = {"Content-Type": "text/html; charset=utf-8"}
    return [extract(site[story.path].content, headers=headers, url=story.url, fetched_at=FETCHED) for story in stories]


def test_every_page_gives_an_article(stories, extracted):
    assert len(stories) == 429
    assert [article for article in extracted if not isinstance(article, Article)] == []


@pytest.mark.parametrize("field", ["url", "headline", "body", "section", "authors", "language"])
def test_every_article_comes_back_to_the_letter(stories, extracted, field):
    differing = [
        story.id
        for story, article in zip(stories, extracted, strict=True)
        if getattr(story, field) != getattr(article, field)
    ]
    assert differing == []


def test_every_day_of_publication_comes_back(stories, extracted):
    differing = [
        story.id
        for story, article in zip(stories, extracted, strict=True)
        if story.published_time != article.published_at
    ]
    assert differing == []


def test_articles_have_different_names_and_hashes(extracted):
    assert len({article.article_id for article in extracted}) == len(extracted)
    assert len({article.content_hash for article in extracted}) == len(extracted)
