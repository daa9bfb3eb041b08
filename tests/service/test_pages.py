"""The pages without JavaScript: what they say, and that typed and crawled text stays text."""

import re
from html.parser import HTMLParser
from typing import ClassVar

import pytest
from fastapi.testclient import TestClient

from core.types import Article, QueryKind, Request, Status, Verdict
from indexing.stores.contract import SourceCounts, StoreCounts
from service.web.coverage import level, view_coverage
from service.web.view import Piece, context_of, cut_answer, view_result
from tests.service.fakes import BODY, make_result

HTML = {"accept": "text/html"}


def test_the_form_leads_to_the_run(client: TestClient, article: Article) -> None:
    answered = client.post("/", data={"text": "How many died?"}, headers=HTML, follow_redirects=False)
    assert answered.status_code == 303
    page = client.get(answered.headers["location"], headers=HTML).text
    assert "Verified" in page
    assert re.search(r"<mark[^>]*>81 people had lost their lives</mark>", page)
    assert 'popovertarget="cite-1"' in page
    assert "https://news.example/samoa#:~:text=81%20people" in page
    assert "<strong>1</strong> independent origin<" in page


def test_a_bad_query_keeps_what_was_typed(client: TestClient) -> None:
    page = client.post("/", data={"text": "???", "as_of": "2020-01-01"}, headers=HTML)
    assert page.status_code == 422
    assert "text is empty" in page.text
    assert ">???</textarea>" in page.text
    assert 'value="2020-01-01"' in page.text


def test_typed_text_is_never_markup(client: TestClient) -> None:
    nasty = '<script>alert(1)</script> "><img src=x onerror=alert(1)> {{ 7 * 7 }}'
    page = client.post("/", data={"text": nasty}, headers=HTML).text
    assert "<script>alert" not in page
    assert "<img" not in page
    assert "{{ 7 * 7 }}" in page
    assert "<img" not in client.get("/runs", headers=HTML).text


def test_pages_name_no_other_host(client: TestClient, article: Article) -> None:
    class Loads(HTMLParser):
        found: ClassVar[list[str]] = []

        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            for name, value in attrs:
                if name in {"src", "style"} or (name == "href" and tag == "link") or name.startswith("on"):
                    self.found.append(value or "")

    run = client.post("/v1/verify", json={"text": "How many died?"}).json()["run_id"]
    for path in ("/", "/runs", "/coverage", f"/runs/{run}", f"/articles/{article.article_id}", "/nothing"):
        Loads.found = []
        Loads().feed(client.get(path, headers=HTML).text)
        assert set(Loads.found) == {"/static/app.css", "/static/app.js", "/static/icon.svg"}
    for path in ("/static/app.css", "/static/app.js", "/static/icon.svg"):
        assert "http://" not in client.get(path).text.replace("http://www.w3.org/2000/svg", "")


def test_errors_are_pages_for_browsers_and_json_for_others(client: TestClient) -> None:
    assert client.get("/runs/nothing", headers=HTML).headers["content-type"].startswith("text/html")
    assert client.get("/runs/nothing").json()["code"] == "not_found"
    assert client.get("/v1/runs/nothing", headers=HTML).json()["code"] == "not_found"


def test_feedback_from_the_page(client: TestClient) -> None:
    run = client.post("/v1/verify", json={"text": "How many died?"}).json()["run_id"]
    given = client.post(f"/runs/{run}/feedback", data={"helpful": "yes", "reason": "clear"}, headers=HTML)
    assert "Thank you" in given.text
    assert client.get("/v1/feedback").json()[0]["reason"] == "clear"


def test_the_markdown_of_a_run(client: TestClient) -> None:
    run = client.post("/v1/verify", json={"text": "How many died?"}).json()["run_id"]
    page = client.get(f"/runs/{run}.md")
    assert page.headers["content-type"].startswith("text/markdown")
    assert "81 people" in page.text


def test_an_article_with_its_quote_marked(client: TestClient, article: Article) -> None:
    start = article.body.index("81")
    page = client.get(f"/articles/{article.article_id}", params={"start": start, "end": start + 2}, headers=HTML).text
    assert '<mark id="quote">81</mark>' in page
    assert article.content_hash in page
    assert "<mark" not in client.get(f"/articles/{article.article_id}", params={"start": 5, "end": 9999}).text


def test_coverage_shows_months_and_gaps() -> None:
    source = SourceCounts(source="A", articles=7, by_month={"2019-12": 4, "2021-01": 2, "undated": 1})
    (view,) = view_coverage(StoreCounts(articles=7, passages=9, revisions=0, sources=(source,)))
    assert [(row.year, row.total) for row in view.years] == [("2021", 2), ("2020", 0), ("2019", 4)]
    assert view.undated == 1
    assert view.years[2].cells[11].level == 5


@pytest.mark.parametrize(("count", "expected"), [(0, 0), (1, 1), (25, 2), (100, 5)])
def test_heat_levels(count: int, expected: int) -> None:
    assert level(count, 100) == expected


def test_answers_are_cut_at_known_citations_only() -> None:
    assert cut_answer("One Doc[1]. Two Doc[9] Doc[2]", known={1, 2}) == (
        Piece("One"),
        Piece("", 1),
        Piece(". Two Doc[9]"),
        Piece("", 2),
    )


def test_context_stays_in_the_paragraph_and_is_bounded() -> None:
    body = "First.\n\nBefore it. The quote. After it.\n\nLast."
    start = body.index("The quote.")
    assert context_of(body, start, start + 10) == ("Before it. ", " After it.")
    long = "word " * 400 + "QUOTE" + " word" * 400
    before, after = context_of(long, long.index("QUOTE"), long.index("QUOTE") + 5, max_chars=50)
    assert before.startswith("… ")
    assert len(before) <= 52
    assert after.endswith(" …")


def test_quotes_of_lost_articles_stay_without_context() -> None:
    view = view_result(make_result(Request(text="How many died?")), {})
    assert (view.cited[0].quotes[0].before, view.cited[0].quotes[0].after) == ("", "")
    assert BODY


def test_a_refusal_is_no_finding() -> None:
    result = make_result(
        Request(text="Who?"),
        status=Status.NO_EVIDENCE,
        verdict=Verdict.UNVERIFIED,
        references=(),
        answer="I cannot answer this.",
        kind=QueryKind.STATEMENT,
    )
    view = view_result(result, {})
    assert view.tone == "unverified"
    assert "no sign that it is false" in view.meaning
