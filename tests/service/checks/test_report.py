"""The report: marked text, quotes, what was searched; hostile words stay words."""

import csv
import io
import re

import pytest

from pipelines.systems.check import CheckRequest, TextChecker
from service.checks.report import to_csv, to_html, to_markdown
from service.checks.report.csv_table import COLUMNS, cell
from service.checks.report.view import view_check
from tests.service.checks.samples import TEXT, FakeAnswerer


@pytest.fixture
def view():
    request = CheckRequest(text=TEXT, title="=HYPERLINK(1) | speech")
    return view_check(request, TextChecker(FakeAnswerer()).check(request))


def test_the_marked_pieces_make_up_the_whole_text(view):
    assert "".join(piece.text for piece in view.segments) == TEXT
    marked = [piece for piece in view.segments if piece.claim]
    assert [piece.claim.tone for piece in marked] == ["verified", "refuted", "unclear", "verified"]
    assert [piece.text for piece in view.segments if piece.skipped] == ["Good evening!"]


def test_the_html_report_needs_nothing_else_and_runs_nothing(view):
    page = to_html(view)
    assert "<script" not in page
    assert "javascript:" not in page
    assert not re.search(r"(?:src|href)=\"(?!#|https://news\.example)", page)
    assert "@import" not in page
    assert "&lt;b&gt;The port of Ostrava has 40 cranes." in page
    for words in ("Refuted", "Verified", "Silence in them is not proof", view.checked.text_sha256, view.checked.id):
        assert words in page


def test_every_claim_is_linked_both_ways(view):
    page = to_html(view)
    for one in view.claims:
        assert page.count(f'id="{one.claim.id}"') == 1
        assert page.count(f'id="in-{one.claim.id}"') == 1


def test_markdown_escapes_what_articles_and_texts_say(view):
    text = to_markdown(view)
    assert "<b>" not in text
    assert "<script>" not in text
    assert "## 1. " in text
    assert "Not checkable" in text


def test_csv_has_a_row_a_claim_and_no_formula(view):
    rows = list(csv.reader(io.StringIO(to_csv(view))))
    assert tuple(rows[0]) == COLUMNS
    assert len(rows) == 1 + len(view.claims)
    for row in rows[1:]:
        for name, value in zip(COLUMNS, row, strict=True):
            assert not value.startswith(("=", "+", "@", "\t")), name


@pytest.mark.parametrize("text", ["=1+1", "+41 79", "-2 % a year", "@SUM(A1)", "\t=1", "\n=cmd|' /C calc'!A0", "%x"])
def test_a_cell_that_a_spreadsheet_would_work_out_is_text(text):
    assert cell(text).startswith("'")


def test_plain_cells_stay_as_they_are():
    assert cell("Two  cranes\nwere sold.") == "Two cranes were sold."
