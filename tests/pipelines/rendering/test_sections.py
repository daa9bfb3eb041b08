import pytest
from markdown_it import MarkdownIt

from core.types import Failure, QueryKind, Request, Result, Section, Status, Verdict
from pipelines.rendering.render import to_markdown
from pipelines.rendering.sections import cited_numbers

SECTION = Section(
    kind="question",
    title="When did <b>it</b> happen?",
    label="answered",
    text="On Monday Doc[2].",
    lines=("“A quote” Doc[3]", "[click](javascript:x)"),
    numbers=(5,),
    scores={"diversity": 0.25},
)


def result(**fields):
    values = {
        "system": "lateral",
        "request": Request(text="x"),
        "kind": QueryKind.STATEMENT,
        "status": Status.OK,
        "verdict": None,
        "answer": "One Doc[1].",
        "run_id": "r",
    }
    return Result.model_validate(values | fields)


def test_sections_are_rendered_as_text_not_markup():
    text = to_markdown(result(sections=(SECTION,)))
    html = MarkdownIt("gfm-like", {"linkify": False, "html": True}).render(text)
    assert "<b>" not in html
    assert "javascript" not in "".join(part for part in html.split("<a")[1:])
    assert "(answered)" in html
    assert "diversity 0.25" in html
    assert "On Monday Doc[2]." in html


def test_numbers_of_answer_text_lines_and_sections_count_as_cited():
    assert cited_numbers(result(sections=(SECTION,))) == {1, 2, 3, 5}


def test_a_system_without_verdict_is_named_in_the_heading():
    assert to_markdown(result()).startswith("# Lateral\n")
    assert to_markdown(result(status=Status.NO_EVIDENCE)).startswith("# Lateral: nothing relevant")


def test_long_texts_are_shortened_above_the_answer():
    assert len(to_markdown(result(request=Request(text="word " * 3000)))) < 2000


def test_only_a_failure_has_a_failure():
    failure = Failure(code="x", message="y")
    with pytest.raises(ValueError, match="status failed"):
        result(failure=failure)
    with pytest.raises(ValueError, match="status failed"):
        result(status=Status.FAILED)
    with pytest.raises(ValueError, match="status failed"):
        result(status=Status.FAILED, failure=failure, verdict=Verdict.REFUTED)
