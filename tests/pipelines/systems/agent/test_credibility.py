"""Sources by a newsroom's grades: read first, left out, or only shown; unknown ones are said to be unknown."""

import pytest

from core.errors import ConfigError, InputError
from core.settings import load_settings
from core.types import Request, Verdict
from pipelines.engine import Engine
from pipelines.systems.agent.credibility import Order, grade_of, read_grades
from pipelines.systems.agent.source_filter import SourceFilter
from tests.pipelines.systems.agent.search_server import SearchServer
from tests.pipelines.systems.articles import BRIDGE, open_engine

CLAIM = "The repairs of the Osterholm bridge cost 48 million crowns."
GRADES = """
name: Night desk
version: 2026-11
domains: {valley.example: 0.9, tabloid.example: 0.2, sport.valley.example: 0.4}
types: {national_paper: 0.8, broadcaster: 0.7}
"""
ROWS = [
    {"title": f"Osterholm bridge, {host}", "url": f"https://{host}/bridge", "text": f"{CLAIM} So {host} wrote."}
    for host in ("tabloid.example", "nobody.example", "www.valley.example", "blog.tabloid.example")
]


@pytest.fixture
def grades(tmp_path):
    path = tmp_path / "grades.yaml"
    path.write_text(GRADES)
    return path


@pytest.fixture
def ask(tmp_path, grades):
    open_engine(tmp_path / "index", BRIDGE).close()

    def run(file=grades, **options):
        with SearchServer(ROWS) as server:
            flags = {"search_backend": "searxng", "search_url": server.url, "threads": 2, "source_grades": file}
            engine = Engine(load_settings(flags | {"data_dir": tmp_path / "index"}, environment={}))
            result = engine.run("agent", Request(text=CLAIM, options={"rounds": 1} | options))
            engine.close()
        return result

    return run


def part(result, kind):
    return [section for section in result.sections if section.kind == kind]


def found_hosts(result):
    (searched,) = part(result, "round")
    return [line.split("(")[-1].split(")")[0] for line in searched.lines if line.startswith("Osterholm")]


def test_a_domain_goes_before_its_type_and_the_longest_domain_before_others(grades):
    listed = read_grades(grades)
    assert grade_of("https://www.valley.example/a", listed).value == 0.9
    assert grade_of("https://sport.valley.example/a", listed).value == 0.4
    assert grade_of("https://www.straitstimes.com/a", listed).value == 0.8
    assert grade_of("https://www.straitstimes.com/a", listed).why == "as national paper"
    assert grade_of("https://notvalley.example/a", listed).value is None


def test_without_being_asked_for_grades_are_only_shown(ask):
    result = ask()
    assert result.verdict is Verdict.VERIFIED
    assert found_hosts(result) == ["tabloid.example", "nobody.example", "valley.example", "blog.tabloid.example"]
    (sources,) = part(result, "sources")
    assert sources.label == "Night desk 2026-11"
    assert [line.split(";")[0] for line in sources.lines] == [
        "valley.example: 0.90, as valley.example",
        "blog.tabloid.example: 0.20, as tabloid.example",
        "tabloid.example: 0.20, as tabloid.example",
        "nobody.example: unknown, not in the list",
    ]
    assert sources.scores == {"valley.example": 0.9, "blog.tabloid.example": 0.2, "tabloid.example": 0.2}
    cited = {reference.number for reference in result.references}
    assert set(sources.numbers) == cited
    assert any("cited: Doc[1]" in line for line in sources.lines)


def test_higher_grades_are_read_first_and_unknown_ones_in_the_middle(ask):
    result = ask(order="credibility")
    assert found_hosts(result) == ["valley.example", "nobody.example", "tabloid.example", "blog.tabloid.example"]
    assert "read first" in part(result, "sources")[0].text


def test_low_grades_are_left_out_and_named_unknown_ones_stay(ask):
    result = ask(least_grade=0.5)
    assert found_hosts(result) == ["nobody.example", "valley.example"]
    (sources,) = part(result, "sources")
    assert "tabloid.example: 0.20, as tabloid.example; left out." in sources.lines
    assert any(line.startswith("nobody.example: unknown") for line in sources.lines)
    assert not any("tabloid" in reference.url for reference in result.references)
    assert part(result, "round")[0].scores == {"share graded too low": 0.5}


def test_grades_do_not_change_what_is_found_where_nothing_is_graded(ask, tmp_path):
    empty = tmp_path / "empty.yaml"
    empty.write_text("domains: {}\n")
    result = ask(empty, order="credibility", least_grade=1.0)
    assert len(found_hosts(result)) == 4
    assert part(result, "sources")[0].scores == {}
    assert all("unknown" in line for line in part(result, "sources")[0].lines)


def test_without_a_list_nothing_is_shown_and_ordering_is_refused(ask):
    assert part(ask(None), "sources") == []
    for options in ({"order": "credibility"}, {"least_grade": 0.1}):
        with pytest.raises(ConfigError, match="source_grades is not set"):
            ask(None, **options)


@pytest.mark.parametrize("options", [{"order": "fame"}, {"least_grade": 2}, {"least_grade": -0.1}])
def test_bad_options_are_refused(ask, options):
    with pytest.raises(InputError, match=next(iter(options))):
        ask(**options)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("domains: {valley.example: 3}", "domains.valley.example"),
        ("domains: {valley.example: good}", "domains.valley.example"),
        ("domains: {'not a domain!': 0.5}", "not a domain"),
        ("types: {national_papr: 0.5}", "'national papr', which is not a type of source"),
        ("colour: red", "colour"),
        ("- a\n- b", "holds no 'domains:'"),
        ("{", "is not valid YAML"),
        (None, "cannot be read"),
    ],
)
def test_a_list_that_cannot_be_used_says_why(tmp_path, text, why):
    path = tmp_path / "bad.yaml"
    if text is not None:
        path.write_text(text)
    with pytest.raises(ConfigError, match=why) as raised:
        read_grades(path)
    assert raised.value.hint


def test_a_changed_list_is_read_again(grades):
    assert read_grades(grades).version == "2026-11"
    grades.write_text("version: second one\n")
    assert read_grades(grades).version == "second one"


def test_equal_grades_keep_the_order_of_the_engine(ask, grades):
    found = ask(order="credibility")
    assert found_hosts(found)[2:] == ["tabloid.example", "blog.tabloid.example"]
    assert SourceFilter().needs_grades is False
    assert SourceFilter(order=Order.CREDIBILITY).needs_grades
