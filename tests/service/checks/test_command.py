"""`looksy check`: formats, and one clear error for what cannot be used."""

import pytest

from core.errors import InputError
from pipelines.systems.check import CheckRequest, TextChecker
from service.checks.report.view import view_check
from service.checks.request import article_request, check_request
from service.cli.check import _format, _write
from tests.service.checks.samples import TEXT, FakeAnswerer


@pytest.fixture
def view():
    request = CheckRequest(text=TEXT)
    return view_check(request, TextChecker(FakeAnswerer()).check(request))


@pytest.mark.parametrize(
    ("name", "begins"), [("a.html", "<!doctype html>"), ("a.htm", "<!doctype"), ("a.md", "# Checked"), ("a.json", "{")]
)
def test_the_ending_of_the_output_says_its_format(tmp_path, view, name, begins):
    path = tmp_path / name
    _write(view, _format({}, path), path)
    assert path.read_text().startswith(begins)


def test_a_table_for_spreadsheets_begins_with_the_mark_that_they_need(tmp_path, view):
    path = tmp_path / "a.csv"
    _write(view, _format({}, path), path)
    assert path.read_bytes().startswith(b"\xef\xbb\xbfid,order")


def test_two_formats_or_an_unknown_ending_are_refused(tmp_path):
    with pytest.raises(InputError, match="--json and --csv"):
        _format({"json": True, "csv": True}, None)
    with pytest.raises(InputError, match="no format"):
        _format({}, tmp_path / "a.xls")


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"text": " "}, "text"),
        ({"text": "word " * 20_001}, "text"),
        ({"text": "x" * 2_000_000}, "text"),
        ({"text": "a", "max_claims": 0}, "max_claims"),
        ({"text": "a", "written_on": "soon"}, "written_on"),
        ({"text": "a", "as_of": "soon"}, "as_of"),
        ({"text": "a", "options": {"depht": "full"}}, "depht"),
    ],
)
def test_a_field_that_cannot_be_used_is_named(fields, field):
    with pytest.raises(InputError) as caught:
        check_request(fields)
    assert field in f"{caught.value.field} {caught.value.message}"


class _Store:
    def __init__(self, article):
        self.article = article

    def get_articles(self, names):
        return {self.article.article_id: self.article} if self.article.article_id in names else {}


def test_an_indexed_article_is_no_evidence_for_itself():
    from datetime import UTC, datetime

    from core.types import Article
    from core.urls import article_id

    url = "https://news.example/story"
    article = Article(
        article_id=article_id(url),
        url=url,
        headline="Ferry sinks",
        body="A ferry sank.",
        published_at=datetime(2031, 5, 4, tzinfo=UTC),
        first_seen_at=datetime(2031, 5, 4, tzinfo=UTC),
        source="news.example",
        origin_id="first",
        content_hash="0" * 64,
    )
    request = article_request(url, {}, _Store(article))
    assert request.text == "A ferry sank."
    assert request.options == {"without_origins": "first"}
    assert str(request.written_on) == "2031-05-04"
