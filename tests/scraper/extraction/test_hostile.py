"""Pages that are made to stall or break a parser are refused, or done with quickly."""

import time
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.types import Article
from scraper.extraction.extract import extract
from scraper.rejection import Rejection, RejectionReason

HEAD = '<html><head><title>Bridge</title><meta property="og:type" content="article"></head><body><h1>Bridge</h1>'
PARAGRAPH = "<p>The council of Harwick voted on Tuesday night to close the old stone bridge, said engineer {}.</p>"
CPU_SECONDS = 10.0
"""Generous: these take two seconds at most on a slow machine, and hours without the limits."""

TOO_MUCH = {
    "paragraphs": HEAD + "".join(PARAGRAPH.format(n) for n in range(50_000)),
    "empty paragraphs": HEAD + "<p>" * 50_000,
    "one long text": HEAD + "<p>" + "x " * 2_000_000,
    "nesting": HEAD + "<div>" * 20_000 + "x" + "</div>" * 20_000,
    "inline nesting": HEAD + "<p>" + "<b>" * 5_000 + "x",
    "attributes": HEAD + "<p " + " ".join(f"a{n}=b" for n in range(50_000)) + ">x</p>",
    "comments": HEAD + "<!--" * 100_000,
}
MUCH = {
    "rows": HEAD + "<table>" + "<tr><td>a</td><td>b</td></tr>" * 9_000 + "</table>",
    "list items": HEAD + "<ul>" + "<li>item of the list which is long enough to count</li>" * 20_000,
    "class names": HEAD + '<p class="' + "share " * 500_000 + '">x</p>',
    "nested data": HEAD + '<script type="application/ld+json">' + "[" * 100_000 + "]" * 100_000 + "</script>",
    "data nodes": HEAD + '<script type="application/ld+json">[' + '{"@type":"NewsArticle"},' * 40_000 + "{}]</script>",
    "headings": HEAD + "<h1>a b c</h1>" * 15_000,
}


def timed(content: bytes) -> Article | Rejection:
    started = time.process_time()
    outcome = extract(content, headers={}, url="https://a.test/x", fetched_at=datetime(2025, 1, 1, tzinfo=UTC))
    assert time.process_time() - started < CPU_SECONDS
    return outcome


@pytest.mark.parametrize("name", TOO_MUCH)
def test_oversized_structure_is_refused_quickly(name):
    assert timed(TOO_MUCH[name].encode()).reason is RejectionReason.TOO_COMPLEX


@pytest.mark.parametrize("name", MUCH)
def test_large_structure_is_done_with_quickly(name):
    assert isinstance(timed(MUCH[name].encode()), Article | Rejection)


def test_twenty_megabytes_are_refused_unread():
    assert timed(HEAD.encode() + b"x " * 10_000_000).reason is RejectionReason.TOO_LARGE


def test_long_article_is_read_whole():
    page = HEAD + "".join(PARAGRAPH.format(n) for n in range(2_000))
    outcome = timed(page.encode())
    assert isinstance(outcome, Article)
    assert outcome.body.count("\n\n") == 1_999


def test_half_characters_in_data_do_not_lose_the_article():
    data = (
        r'{"@type": "NewsArticle", "headline": "Bridge closes \ud83d", "author": {"name": "Ada \udc00Winter"},'
        r' "articleSection": "Lo\ud800cal"}'
    )
    page = f'{HEAD}<script type="application/ld+json">{data}</script>' + "".join(map(PARAGRAPH.format, range(9)))
    outcome = timed(page.encode())
    assert isinstance(outcome, Article)
    assert (outcome.headline, outcome.authors, outcome.section) == ("Bridge closes", ("Ada Winter",), "Local")
    assert Article.model_validate_json(outcome.model_dump_json()) == outcome


@settings(max_examples=60)
@given(st.binary(max_size=400) | st.text(alphabet="<>/=\"'!-[]{}&;: abphlti1\x00\ufeff", max_size=400).map(str.encode))
def test_any_bytes_give_an_answer(content):
    outcome = extract(
        HEAD.encode() + content,
        headers={"Content-Type": "text/html"},
        url="https://a.test/x",
        fetched_at=datetime.now(UTC),
    )
    assert isinstance(outcome, Article | Rejection)
