"""The pages without JavaScript: what they say, and that typed and crawled text stays text."""

import html
import re
from html.parser import HTMLParser
from typing import ClassVar

import pytest
from fastapi.testclient import TestClient

from core.errors import ConfigError, InputError
from core.paths import ROOT
from core.settings import SearchKind, Settings
from core.types import Article, QueryKind, Relation, Request, Section, Status, Verdict
from indexing.stores.contract import SourceCounts, StoreCounts
from pipelines.contracts.system import SystemInfo
from pipelines.systems.registry import list_systems
from service.app import create_app
from service.schemas import inlined
from service.web.coverage import level, view_coverage
from service.web.options import read_options, view_systems
from service.web.view import Piece, context_of, cut_answer, view_result
from tests.service.fakes import BODY, FakeAsker, make_result

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


def test_the_page_tells_nothing_of_the_set_up(
    client: TestClient, asker: FakeAsker, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ConfigError("/secret/verify.yaml is not valid YAML", hint="Mend /secret/verify.yaml.")

    asker.work = fail
    monkeypatch.setattr("service.stores.open_store", fail)
    page = client.post("/", data={"text": "Who?"}, headers=HTML)
    assert page.status_code == 500
    assert page.text.count("The service is not set up as it should be.<") == 2  # the answer, and what is covered
    assert "secret" not in page.text


@pytest.mark.parametrize("blanks", ["", "据报道 "])
def test_a_long_text_without_blanks_is_repeated_as_far_as_there_is_room(blanks: str) -> None:
    result = make_result(Request(text=blanks + "萨摩亚解除紧急状态" * 100))
    shown = view_result(result, {}).asked
    assert 500 < len(shown) <= 602
    assert result.request.text.startswith(shown.removesuffix(" …"))


def test_lines_are_as_long_as_the_browser_counts_them(client: TestClient, asker: FakeAsker) -> None:
    lines = "\n".join(["x" * 99] * 20)
    page = client.post("/", data={"text": lines.replace("\n", "\r\n") + "y"}, headers=HTML)
    assert page.status_code == 200
    assert asker.asked[0][1].text.split() == (lines + "y").split()


def test_typed_text_is_never_markup(client: TestClient) -> None:
    nasty = '<script>alert(1)</script> "><img src=x onerror=alert(1)> {{ 7 * 7 }}'
    page = client.post("/", data={"text": nasty}, headers=HTML).text
    assert "<script>alert" not in page
    assert "<img" not in page
    assert "{{ 7 * 7 }}" in page
    assert "<img" not in client.get("/runs", headers=HTML).text


def test_no_text_turns_the_direction_of_a_page(client: TestClient, asker: FakeAsker) -> None:
    asked = "\u202eHow \u2066many died? \u05d0\u200f"
    found = make_result(Request(text=asked))
    reference = found.references[0]
    quote = reference.quotes[0].model_copy(update={"text": "\u202e81\u202c people"})
    asker.changes = {
        "answer": "\u202e81\u202c people Doc[1].",
        "references": (reference.model_copy(update={"headline": "\u202eSamoa", "quotes": (quote,)}),),
        "searched": found.searched and found.searched.model_copy(update={"sources": ("\u202eNews", "Post")}),
    }
    for page in (client.post("/", data={"text": asked}, headers=HTML).text, client.get("/runs", headers=HTML).text):
        assert not re.search("[\u202a-\u202e\u2066-\u2069]", page)
        assert "How many died? \u05d0\u200f" in page
    assert "\u202e81" in client.get("/v1/runs/run-1").json()["result"]["references"][0]["quotes"][0]["text"]


def test_older_runs_are_reached_page_by_page(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.web.answers.SHOWN", 2)
    for number in range(5):
        client.post("/", data={"text": f"Query {number}?"}, headers=HTML, follow_redirects=False)
    place, asked = "/runs", []
    while place:
        page = client.get(place, headers=HTML).text
        asked += re.findall(r"Query \d", page)
        assert ('href="/runs">Latest' in page) is (place != "/runs")
        older = re.search(r'href="(/runs\?before=[^"]+)"', page)
        place = older[1] if older else ""
    assert asked == [f"Query {number}" for number in (4, 3, 2, 1, 0)]
    assert client.get("/runs?before=gone", headers=HTML).status_code == 404


def test_the_list_of_runs_names_the_zone_of_its_times(client: TestClient) -> None:
    client.post("/v1/verify", json={"text": "Who?"})
    assert ">1 Jan 2024, 00:00 UTC</time>" in client.get("/runs", headers=HTML).text


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


def test_the_page_of_routes_shows_every_route_with_its_example(client: TestClient) -> None:
    page = html.unescape(client.get("/docs", headers=HTML).text)
    document = client.get("/openapi.json").json()
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            assert re.search(rf">{method.upper()}</span> <code>{re.escape(path)}</code>", page), (method, path)
            assert operation["summary"] in page
    assert '"text": ' in page
    assert '"code": ' not in page  # replies are those of success


def test_a_long_query_is_cut_in_the_list_of_runs(client: TestClient) -> None:
    client.post("/v1/verify", json={"text": "word " * 399})
    page = client.get("/runs", headers=HTML).text
    assert "word word" in page
    assert page.count("word") < 50


def test_feedback_from_the_page(client: TestClient) -> None:
    run = client.post("/v1/verify", json={"text": "How many died?"}).json()["run_id"]
    given = client.post(f"/runs/{run}/feedback", data={"helpful": "yes", "reason": "clear"}, headers=HTML)
    assert "Thank you" in given.text
    assert client.get("/v1/feedback").json()[0]["reason"] == "clear"


@pytest.mark.parametrize("said", [{}, {"helpful": ""}, {"helpful": "maybe"}])
def test_feedback_that_says_neither_yes_nor_no_is_refused(client: TestClient, said: dict[str, str]) -> None:
    run = client.post("/v1/verify", json={"text": "How many died?"}).json()["run_id"]
    given = client.post(f"/runs/{run}/feedback", data=said | {"reason": "clear"}, headers=HTML)
    assert given.status_code == 422
    assert client.get("/v1/feedback").json() == []


def test_enter_presses_no_button_of_the_feedback(client: TestClient) -> None:
    run = client.post("/v1/verify", json={"text": "How many died?"}).json()["run_id"]
    page = client.get(f"/runs/{run}", headers=HTML).text
    first_button = re.search(r'<form class="feedback.*?<button([^>]*)>', page, re.DOTALL)
    assert first_button is not None  # the one that Enter in a text field presses
    assert {"disabled", "hidden"} <= set(first_button[1].split())


def test_feedback_on_one_answer_of_several(client: TestClient, asker: FakeAsker) -> None:
    kinds = ("certainty", "question", "question", "candidate")
    parts = [{"kind": kind, "title": f"T{at}", "text": "x"} for at, kind in enumerate(kinds)]
    asker.changes = {"sections": [*parts, {"kind": "question", "title": "Not answered"}]}
    run = client.post("/v1/verify", json={"text": "How many died?"}).json()["run_id"]
    page = client.get(f"/runs/{run}", headers=HTML).text
    assert re.findall(r'name="part" value="(\d+)"', page) == ["2", "3"]
    assert page.count("Was this helpful?") == 3
    given = client.post(
        f"/runs/{run}/feedback", data={"helpful": "no", "part": "3"}, headers=HTML, follow_redirects=False
    )
    assert given.headers["location"] == f"/runs/{run}?thanks=1&part=3#part-3"
    thanked = client.get(f"/runs/{run}?thanks=1&part=3", headers=HTML).text
    assert re.findall(r'name="part" value="(\d+)"', thanked) == ["2"]
    assert thanked.count("Thank you") == 1
    assert "The result as a whole" in thanked
    assert [(word["part"], word["helpful"]) for word in client.get("/v1/feedback").json()] == [(3, False)]


@pytest.mark.parametrize("part", ["9", "0", "x", "-1", "99999", "²"])
def test_feedback_on_a_part_that_is_not_there_is_refused(client: TestClient, part: str) -> None:
    run = client.post("/v1/verify", json={"text": "How many died?"}).json()["run_id"]
    given = client.post(f"/runs/{run}/feedback", data={"helpful": "yes", "part": part}, headers=HTML)
    assert given.status_code == 422
    assert client.get("/v1/feedback").json() == []


def test_no_answer_is_asked_about_where_feedback_is_switched_off(settings: Settings, asker: FakeAsker) -> None:
    asker.changes = {"sections": [{"kind": "question", "title": "Who?"}]}
    app = create_app(settings.model_copy(update={"feedback": False}), asker=asker)
    with TestClient(app, base_url="http://127.0.0.1") as client:
        run = client.post("/v1/verify", json={"text": "How many died?"}).json()["run_id"]
        assert "helpful" not in client.get(f"/runs/{run}", headers=HTML).text
        assert client.post(f"/runs/{run}/feedback", data={"helpful": "yes", "part": "1"}).status_code == 404


@pytest.mark.parametrize(
    ("backend", "said"), [("store", "articles alone, with"), ("searxng", "from the web too, with")]
)
def test_the_foot_says_where_answers_come_from(settings: Settings, asker: FakeAsker, backend: str, said: str) -> None:
    app = create_app(settings.model_copy(update={"search_backend": SearchKind(backend)}), asker=asker)
    with TestClient(app, base_url="http://127.0.0.1") as client:
        assert f"{said} quotes to check" in client.get("/", headers=HTML).text


def test_the_markdown_of_a_run(client: TestClient) -> None:
    run = client.post("/v1/verify", json={"text": "How many died?"}).json()["run_id"]
    page = client.get(f"/runs/{run}.md")
    assert page.headers["content-type"].startswith("text/markdown")
    assert "81 people" in page.text


def test_an_article_of_the_year_1_does_not_fill_the_page_with_years() -> None:
    source = SourceCounts(source="Post", articles=3, by_month={"0001-01": 1, "2024-03": 1, "2026-01": 1})
    (view,) = view_coverage(StoreCounts(articles=3, passages=3, revisions=0, sources=(source,)))
    years = [row.year for row in view.years]
    assert years[:3] == ["2026", "2025", "2024"]
    assert years[-1] == "0001"
    assert len(years) < 20
    assert sum(row.total for row in view.years) == 3


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
        Piece("One."),
        Piece("", 1),
        Piece(" Two Doc[9]"),
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
    assert "does not mean that it is false" in view.meaning


def test_parts_of_an_answer_are_shown_with_their_sources(client: TestClient, asker: FakeAsker) -> None:
    sections = (
        Section(kind="side", title="Yes <b>", label="supports", text="81 died Doc[1].", numbers=(1,)),
        Section(kind="side", title="No", lines=("Nobody counted Doc[7].",), scores={"agreement": 0.75, "articles": 3}),
        Section(kind="candidate", title="Aside"),
    )
    request = Request(text="Did it end?")
    view = view_result(make_result(request, verdict=None, answer="Two sides.", sections=sections, system="sides"), {})
    assert (view.tone, view.word) == ("plain", "Sides")
    assert [len(group) for group in view.groups] == [2, 1]
    assert [reference.reference.number for reference in view.cited] == [1]
    asker.changes = {"verdict": None, "sections": sections}
    page = client.post("/", data={"text": "Did it end?"}, headers=HTML).text
    assert "Yes &lt;b&gt;" in page
    assert "Nobody counted Doc[7]." in page
    assert re.search(r'81 died\.<sup><button[^>]*popovertarget="cite-1"', page)
    assert '<meter min="0" max="1" value="0.75"' in page
    assert page.index("<summary>1 candidate</summary>") < page.index("Aside")
    assert "No result" not in client.get("/runs", headers=HTML).text


def test_what_supports_or_contradicts_is_evidence_even_if_it_is_not_cited() -> None:
    first = make_result(Request(text="How many died?")).references[0]
    mention = first.quotes[0].model_copy(update={"relation": Relation.MENTIONS})
    second = first.model_copy(update={"number": 2})
    third = first.model_copy(update={"number": 3, "quotes": (mention,)})
    view = view_result(make_result(Request(text="How many died?"), references=(first, second, third)), {})
    assert [one.reference.number for one in view.cited] == [1, 2]
    assert [one.reference.number for one in view.others] == [3]


INFO = SystemInfo(
    name="sides",
    title="Sides",
    summary="Shows sides.",
    options={
        "$defs": {"Tone": {"enum": ["plain", "warm"], "type": "string"}},
        "properties": {
            "tone": {"$ref": "#/$defs/Tone", "default": "plain"},
            "most": {"type": "integer", "minimum": 1, "maximum": 8, "default": 3},
            "retriever": {"anyOf": [{"enum": ["bm25", "hybrid"]}, {"type": "null"}], "default": None},
        },
    },
)


def test_options_of_any_system_become_fields_and_come_back_typed() -> None:
    (view,) = view_systems([INFO], first="verify")
    assert [(field.name, field.choices, field.default) for field in view.fields] == [
        ("option.sides.tone", ("plain", "warm"), "plain"),
        ("option.sides.most", (), "3"),
        ("option.sides.retriever", ("bm25", "hybrid"), ""),
    ]
    form = {"option.sides.tone": ["warm"], "option.sides.most": ["5"], "option.verify.mode": ["raw"]}
    assert read_options(INFO, form) == {"tone": "warm", "most": 5}
    with pytest.raises(InputError, match="most is 'x'"):
        read_options(INFO, {"option.sides.most": ["x"]})
    assert "$ref" not in str(inlined(INFO.options))


def test_the_form_offers_every_system(client: TestClient) -> None:
    page = client.get("/", headers=HTML).text
    for system in client.get("/v1/systems").json():
        assert f'value="{system["name"]}"' in page
    assert client.post("/", data={"text": "Who?", "system": "poem"}, headers=HTML).status_code == 404


def test_each_system_that_the_page_offers_has_an_example_for_the_sample_site() -> None:
    template = (ROOT / "service" / "web" / "templates" / "ask.html.j2").read_text(encoding="utf-8")
    examples = dict(re.findall(r'^  "(\w+)": "(.+)",$', template, re.MULTILINE))
    assert {info.name for info in list_systems()} - {"check"} <= examples.keys()
    assert all(examples.values())
