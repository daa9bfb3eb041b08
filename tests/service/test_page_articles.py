"""The page of an article: it marks a quote in the text that the quote was taken from, and in no other."""

import html
import re
from typing import Any

import pytest
from fastapi.testclient import TestClient

from core.types import Article, QueryKind, Request, Searched, Verdict
from service.web.view import view_result
from tests.service.fakes import FakeAsker, make_result

HTML = {"accept": "text/html"}
LOST = "The archive no longer holds the text that this link names."
ELSEWHERE = Searched(queries=("Who?",), articles=1, passages=1, sources=("Example News",), snapshot_id="")


def test_an_article_with_its_quote_marked(client: TestClient, article: Article) -> None:
    start = article.body.index("81")
    page = client.get(f"/articles/{article.article_id}", params={"start": start, "end": start + 2}, headers=HTML).text
    assert '<mark id="quote">81</mark>' in page
    assert article.content_hash in page
    assert "<mark" not in client.get(f"/articles/{article.article_id}", params={"start": 5, "end": 9999}).text


def test_the_link_of_a_quote_leads_to_it(client: TestClient, asker: FakeAsker, article: Article) -> None:
    page = client.get(link_of(client, asker, article, content_hash=article.content_hash), headers=HTML).text
    assert '<mark id="quote">81 people had lost their lives</mark>' in page
    assert LOST not in page


def test_no_quote_is_marked_in_another_text_of_its_article(
    client: TestClient, asker: FakeAsker, article: Article
) -> None:
    page = client.get(link_of(client, asker, article, content_hash="1" * 64), headers=HTML).text
    assert article.headline in page
    assert LOST in page
    assert "<mark" not in page


def link_of(client: TestClient, asker: FakeAsker, article: Article, *, content_hash: str) -> str:
    """Ask for a result with a quote of the article's first revision, and return the link to it as indexed."""
    (reference,) = make_result(Request(text="Who?")).references
    quote = reference.quotes[0].model_copy(update={"content_hash": content_hash})
    changes = {"article_id": article.article_id, "quotes": (quote,)}
    asker.changes = {"references": (reference.model_copy(update=changes),)}
    (link,) = re.findall(r'<a href="([^"]+)">As stored', client.post("/", data={"text": "Who?"}, headers=HTML).text)
    return html.unescape(link)


def test_a_text_is_found_under_another_number(client: TestClient, article: Article) -> None:
    named: dict[str, str | int] = {"revision": 3, "content_hash": article.content_hash, "start": 0, "end": 5}
    page = client.get(f"/articles/{article.article_id}", params=named, headers=HTML).text
    assert '<mark id="quote">Samoa</mark>' in page
    assert LOST not in page


def test_nothing_is_marked_where_the_revision_is_missing(client: TestClient, article: Article) -> None:
    named: dict[str, str | int] = {"revision": 3, "start": 0, "end": 5}
    page = client.get(f"/articles/{article.article_id}", params=named, headers=HTML).text
    assert LOST in page
    assert "<mark" not in page


@pytest.mark.parametrize("kind", QueryKind)
@pytest.mark.parametrize("verdict", Verdict)
def test_what_another_search_engine_found_is_not_called_indexed(
    client: TestClient, asker: FakeAsker, kind: QueryKind, verdict: Verdict
) -> None:
    changes: dict[str, Any] = {"kind": kind, "verdict": verdict}
    request = Request(text="Who?")
    of_index = view_result(make_result(request, **changes), {}).meaning
    elsewhere = view_result(make_result(request, searched=ELSEWHERE, **changes), {}).meaning
    assert bool(of_index) is bool(elsewhere)
    assert "indexed" not in elsewhere
    asker.changes = changes | {"searched": ELSEWHERE}
    page = client.post("/", data={"text": "Who?"}, headers=HTML).text
    assert "Open the article at the quote" in page
    assert "/articles/" not in page
