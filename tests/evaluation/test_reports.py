import re
from xml.etree import ElementTree

import pytest

from evaluation.reports.html import to_html
from evaluation.reports.latex import to_latex
from evaluation.reports.markdown import to_markdown
from evaluation.reports.models import Bar, BarFigure, Line, LineFigure, MatrixFigure
from evaluation.reports.svg import draw
from evaluation.runs.predictions import Answered
from evaluation.runs.session import run_task
from evaluation.tasks.retrieval.task import TASK, Ranked, RetrievalItem, RetrievalOutput
from tests.evaluation.runs.test_session import DATA, plan, settings

NASTY = "<script>alert('x')</script> & 50% of_it \\ {a}"


@pytest.fixture
def report(tmp_path):
    items = [RetrievalItem(id=NASTY, text=NASTY, judgements={"d1": 1})]
    ranked = RetrievalOutput(ranked=(Ranked(id="d1", headline=NASTY), Ranked(id="d2")))
    data = DATA.model_copy(update={"items": 1})
    chosen = plan(lambda item: Answered(output=ranked), items=items, title=NASTY, data=data, notes=(NASTY,))
    return run_task(TASK, chosen, settings(tmp_path))[1]


def test_the_page_escapes_everything_and_needs_no_network(report):
    page = to_html(report)
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert not re.search(r"""src\s*=|href="(?!records/)|url\(|@import""", page)
    assert "default-src 'none'" in page
    assert page.count("<svg") == len(report.figures) > 0


def test_markdown_tables_keep_their_columns(report):
    rows = [line for line in to_markdown(report).splitlines() if line.startswith("|")]
    assert len(rows) == len(report.measures) + 2
    assert {line.replace("\\|", "").count("|") for line in rows} == {5}


def test_latex_is_escaped(report):
    table = to_latex(report)
    assert r"50\% of\_it" in table
    assert r"mean\_precision@10" in table
    assert table.count(r"\\") >= len(report.measures)
    assert "bootstrap" not in table  # with repeats it is Student's interval, from 5,000 items on the normal one


@pytest.mark.parametrize(
    "figure",
    [
        BarFigure(title=NASTY, bars=(Bar(label=NASTY, value=0.5, low=0.4, high=0.6), Bar(label="b", value=0))),
        BarFigure(title="none", bars=()),
        BarFigure(title="large", bars=(Bar(label="b", value=4321.0),), unit=" ms"),
        LineFigure(title="l", x=NASTY, y="y", lines=(Line(label="a", points=((0, 0), (1, 2))),), diagonal=True),
        LineFigure(title="l", x="x", y="y", lines=(Line(label="a", points=()), Line(label="b", points=((0, 0),)))),
        MatrixFigure(title="m", rows=(NASTY, "b"), columns=("a", "b"), counts=((0, 0), (3, 1))),
    ],
)
def test_figures_are_well_formed(figure):
    root = ElementTree.fromstring(str(draw(figure)))
    assert root.tag.endswith("svg")
    _, _, width, height = (float(part) for part in root.get("viewBox").split())
    for node in root.iter():
        x, y = float(node.get("x", 0)), float(node.get("y", 0))
        assert -1 <= x <= width
        assert -1 <= y <= height
