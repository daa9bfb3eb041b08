"""Pages in the manner of several content systems: what is an article, and the reason where none is."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.types import Article
from scraper.extraction.extract import extract
from scraper.rejection import Rejection, RejectionReason

PAGES = Path(__file__).parent / "pages" / "cms"
REASONS = {
    "paywall": RejectionReason.PAYWALLED,
    "consent": RejectionReason.CONSENT,
    "soft": RejectionReason.SOFT_404,
    "video": RejectionReason.NOT_ARTICLE,
    "author": RejectionReason.NOT_ARTICLE,
    "tag": RejectionReason.NOT_ARTICLE,
}


def read(path: Path) -> Article | Rejection:
    return extract(
        path.read_bytes(),
        headers={},
        url="https://courier.test/news/ferry",
        fetched_at=datetime(2025, 1, 1, tzinfo=UTC),
    )


@pytest.mark.parametrize("path", sorted(PAGES.glob("[!fl]*.html")), ids=lambda path: path.stem)
def test_page_without_article_is_told_by_its_kind(path: Path) -> None:
    outcome = read(path)
    assert isinstance(outcome, Rejection), outcome
    assert outcome.reason is REASONS[path.stem.split("_")[0]], outcome.detail


@pytest.mark.parametrize("path", sorted(PAGES.glob("full_*.html")), ids=lambda path: path.stem)
def test_full_text_is_taken_whatever_it_speaks_of(path: Path) -> None:
    article = read(path)
    assert isinstance(article, Article), article
    assert "two islands" in article.body or "Thursday" in article.body
    assert "newsletter" not in article.body
    assert len(article.body) > 200


@pytest.mark.parametrize("name", ["live_microdata.html", "live_jsonld_only.html"])
def test_live_blog_gives_every_entry(name: str) -> None:
    article = read(PAGES / name)
    assert isinstance(article, Article), article
    for words in ("will stop in October", "ice on the pass", "promised four"):
        assert article.body.count(words) == 1
