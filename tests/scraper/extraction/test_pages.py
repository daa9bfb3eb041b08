"""Saved pages, each written to show one thing, and what must be read from them."""

from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from core.types import Article
from scraper.extraction.extract import extract
from scraper.publishers import Publisher
from scraper.rejection import Rejection, RejectionReason

PAGES = Path(__file__).parent / "pages"
URL = "https://harwickpost.test/news/bridge"
FETCHED = datetime(2025, 1, 1, tzinfo=UTC)
TEXT_STARTS = ["The council of Harwick voted", "Councillor Mara Ellison", "Shopkeepers on the east bank"]


def read(
    name: str, *, publisher: Publisher | None = None, headers: dict[str, str] | None = None
) -> Article | Rejection:
    content = (PAGES / name).read_bytes()
    return extract(content, headers=headers or {}, url=URL, fetched_at=FETCHED, publisher=publisher)


def starts(article: Article | Rejection, length: int) -> list[str]:
    assert isinstance(article, Article), article
    return [paragraph[:length] for paragraph in article.body.split("\n\n")]


def test_standfirst_stays_and_furniture_goes():
    article = read("furnished.html")
    assert starts(article, 28) == [
        "Eighteen months without a cr",
        "The council of Harwick voted",
        "Councillor Mara Ellison said",
        "Shopkeepers on the east bank",
        "The bridge was built in 1781",
    ]
    assert article.source == "The Harwick Post"
    assert article.authors == ("Jo Marsh",)


def test_appended_article_is_left_out():
    assert "hubarb" not in read("two_articles.html").body


def test_broken_data_with_references_and_two_headings_is_read():
    article = read("broken_data.html")
    assert article.headline == "Harwick closes its old bridge"
    assert article.authors == ("Jo Marsh", "Reuters")
    assert article.agency == "Reuters"


def test_time_without_zone_is_in_the_publishers_zone():
    publisher = Publisher(name="harwick", home="https://harwickpost.test", time_zone="Asia/Singapore")
    assert read("broken_data.html").published_at == datetime(2024, 3, 5, 21, 40, tzinfo=UTC)
    expected = datetime(2024, 3, 5, 21, 40, tzinfo=ZoneInfo("Asia/Singapore"))
    assert read("broken_data.html", publisher=publisher).published_at == expected


def test_live_blog_that_scripts_fill_is_read_from_its_data():
    article = read("live_blog.html")
    assert starts(article, 100)[:2] == [
        "The vote",
        "The council has voted. Seven were for closing the bridge, two against.",
    ]


def test_correction_notice_is_flagged_and_kept():
    article = read("corrected.html")
    assert article.correction
    assert "amended on 6 March 2024" in article.body
    assert not read("furnished.html").correction


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("paywalled.html", RejectionReason.PAYWALLED),
        ("consent.html", RejectionReason.CONSENT),
        ("soft_404.html", RejectionReason.SOFT_404),
        ("blocked.html", RejectionReason.BLOCKED),
        ("section.html", RejectionReason.NOT_ARTICLE),
    ],
)
def test_page_without_article_says_why(name, reason):
    outcome = read(name)
    assert isinstance(outcome, Rejection)
    assert outcome.reason is reason
    assert outcome.detail


def test_publishers_own_paywall_marker_decides():
    publisher = Publisher(
        name="harwick", home="https://harwickpost.test", paywall_markers=("footbridge while the work",)
    )
    assert read("furnished.html", publisher=publisher).reason is RejectionReason.PAYWALLED


def test_publishers_own_xpaths_are_cut_out():
    publisher = Publisher(name="harwick", home="https://harwickpost.test", prune_xpaths=("//p[contains(., '1781')]",))
    assert "1781" not in read("furnished.html", publisher=publisher).body
    assert "1781" in read("furnished.html").body


@pytest.mark.parametrize("media_type", ["application/pdf", "image/jpeg", "application/json"])
def test_other_media_are_refused_unread(media_type):
    assert read("furnished.html", headers={"content-type": media_type}).reason is RejectionReason.NOT_HTML


@pytest.mark.parametrize("start", [b"%PDF-1.7\n", b"\xff\xd8\xff\xe0", b"\x89PNG\r\n", b"PK\x03\x04", b"\x1f\x8b\x08"])
def test_what_only_claims_to_be_a_page_is_refused_unread(start):
    page = start + (PAGES / "furnished.html").read_bytes()
    outcome = extract(page, headers={"content-type": "text/html"}, url=URL, fetched_at=FETCHED)
    assert outcome.reason is RejectionReason.NOT_HTML


def test_two_line_breaks_make_a_paragraph():
    text = (PAGES / "furnished.html").read_text(encoding="utf-8")
    plain = extract((PAGES / "corrected.html").read_bytes(), headers={}, url=URL, fetched_at=FETCHED)
    both = "<br> <br>".join(plain.body.replace("since the floods", "since<br>the floods").split("\n\n"))
    page = (
        text[: text.index("<h1>")]
        + f"<h1>Harwick closes its old bridge</h1><article><p>{both}</p></article></body></html>"
    )
    again = extract(page.encode(), headers={}, url=URL, fetched_at=FETCHED)
    assert again.body == plain.body
