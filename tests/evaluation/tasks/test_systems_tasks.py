"""The tasks of agent, counter and lateral: from data to measures, on a small corpus and on made predictions."""

import json

import pytest
from typer.testing import CliRunner

from core.errors import InputError
from core.types import Status, Verdict
from evaluation.data.formats.labels import Label
from evaluation.runs.models import Prediction
from evaluation.tasks.agent import task as agent
from evaluation.tasks.agent.figures import Source
from evaluation.tasks.counter import task as counter
from evaluation.tasks.lateral import task as lateral
from service.cli.main import app
from tests.evaluation.data.test_formats import write

BODY = (
    "The repairs of the Osterholm bridge cost 48 million crowns, the treasurer Anna Berg said. "
    "Lena Voss leads the Harbour Company. The Osterholm bridge was repaired by the Harbour Company in eleven weeks."
)


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    folder = tmp_path_factory.mktemp("systems")
    article = {"id": "a", "url": "https://a.example/x", "headline": "Osterholm bridge repaired", "body": BODY}
    write(folder, "articles.jsonl", json.dumps(article | {"published_at": "2020-01-02"}))
    claims = [
        {"id": "t", "claim": "The repairs of the Osterholm bridge cost 48 million crowns.", "label": "supported"},
        {"id": "f", "claim": "The repairs of the Osterholm bridge cost 95 million crowns.", "label": "refuted"},
    ]
    write(folder, "claims.jsonl", "\n".join(map(json.dumps, claims)))
    text = "Anna Berg praised the Harbour Company for its work on the Osterholm bridge and its many tall towers."
    write(folder, "texts.jsonl", json.dumps({"id": "p", "text": text}))
    return folder


def measures(data, tmp_path, task, file):
    arguments = ["evaluate", task, "--data", data / file, "--out", tmp_path / "out", "--data-dir", tmp_path / "var"]
    done = CliRunner().invoke(app, list(map(str, arguments)))
    assert done.exit_code == 0, done.output
    report = json.loads((tmp_path / "out/report.json").read_text())
    return {name: value["value"] for name, value in report["measures"].items()}


def test_agent_is_scored_by_its_verdicts_and_searches(data, tmp_path):
    found = measures(data, tmp_path, "agent", "claims.jsonl")
    assert found["accuracy"] == found["macro_f1"] == found["parsable"] == 1.0
    assert found["searches"] >= 1
    assert 0 <= found["brier"] <= 1


def test_counter_is_scored_by_its_replies(data, tmp_path):
    found = measures(data, tmp_path, "counter", "claims.jsonl")
    assert (found["replied_to_false"], found["replied_to_true"], found["replied"]) == (1.0, 0.0, 0.5)
    assert found["politeness"] == 1.0
    assert found["words"] < 120


def test_lateral_is_scored_by_its_questions(data, tmp_path):
    found = measures(data, tmp_path, "lateral", "texts.jsonl")
    assert found["questions"] >= 1
    assert found["answerable"] > 0
    assert found["self_contained"] == 1.0
    assert 0 < found["diversity"] <= 1
    assert found["leads_back"] is None


def test_a_question_leads_back_to_an_article_by_any_of_its_addresses(data, tmp_path):
    write(data, "urls.jsonl", json.dumps({"id": "u", "url": "https://www.a.example/x/?utm_source=rss"}))
    assert measures(data, tmp_path, "lateral", "urls.jsonl")["leads_back"] == 1.0


def test_an_address_that_is_not_indexed_fails_alone(data, tmp_path):
    rows = [{"id": "lost", "url": "https://a.example/lost"}, {"id": "u", "url": "https://a.example/x"}]
    write(data, "lost.jsonl", "\n".join(map(json.dumps, rows)))
    assert measures(data, tmp_path, "lateral", "lost.jsonl")["questions"] >= 1
    (failure,) = json.loads((tmp_path / "out/report.json").read_text())["failures"]
    assert (failure["id"], failure["message"]) == (
        "lost",
        "no article in the archive has the address https://a.example/lost",
    )


def prediction(name, output):
    return Prediction(id=name, status=Status.OK, output=output)


def test_certainties_are_scored_against_what_is_right():
    items = [agent.AgentItem(id=name, text=name, label=Label.REFUTES) for name in "ab"]
    sure = {"searches": 2, "parsable": True, "sources": (Source(host="x.example", articles=3),)}
    outputs = [
        prediction("a", agent.AgentOutput(verdict=Verdict.REFUTED, certainty=0.9, **sure)),
        prediction("b", agent.AgentOutput(verdict=Verdict.VERIFIED, certainty=0.7, **sure | {"parsable": False})),
    ]
    scores = agent.score(items, outputs)
    values = {name: value.value for name, value in scores.measures.items()}
    assert (values["accuracy"], values["parsable"], values["searches"]) == (0.5, 0.5, 2.0)
    assert values["brier"] == pytest.approx((0.1**2 + 0.7**2) / 2)
    assert values["ece"] == pytest.approx((0.1 + 0.7) / 2)
    assert values["macro_f1"] == pytest.approx(2 / 3)
    assert scores.tables[0].rows == (("x.example", 6),)


def test_replies_to_claims_that_are_not_false_are_counted_as_mistakes():
    items = [
        counter.CounterItem(id=name, text=name, label=label)
        for name, label in (("a", Label.SUPPORTS), ("b", Label.REFUTES))
    ]
    output = counter.CounterOutput(
        verdict=Verdict.REFUTED, reply="Three words here", scores=dict.fromkeys(counter.SCORES, 0.5)
    )
    values = counter.score(items, [prediction("a", output), prediction("b", output)]).measures
    assert values["replied_to_true"].value == 1.0
    assert values["refutation"].value == 0.5
    assert values["words"].value == 3


def test_questions_are_averaged_and_citations_counted_apart():
    asked = [
        lateral.AskedQuestion(
            text="Who leads the Harbour Company?", is_answered=True, leads_back=True, known=0.9, citations=(0.9, 0.1)
        ),
        lateral.AskedQuestion(text="When did he go?", is_answered=False, leads_back=False, known=0.1),
    ]
    items = [lateral.LateralItem(id="a", text="x")]
    values = lateral.score(items, [prediction("a", lateral.LateralOutput(questions=tuple(asked)))]).measures
    found = {name: value.value for name, value in values.items()}
    assert found["self_contained"] == found["leads_back"] == found["not_in_text"] == found["answerable"] == 0.5
    assert found["citation_precision"] == 0.5
    assert found["diversity"] == pytest.approx(1.0)


def test_a_texts_questions_stand_or_fall_together():
    def text(name, right):
        asked = [
            lateral.AskedQuestion(text=f"Who is {at}?", is_answered=right, leads_back=None, known=None)
            for at in "abcde"
        ]
        return prediction(name, lateral.LateralOutput(questions=tuple(asked)))

    items = [lateral.LateralItem(id=f"t{at}", text="x") for at in range(12)]
    scores = lateral.score(items, [text(f"t{at}", at % 2 == 0) for at in range(12)])
    answered = scores.measures["answerable"]
    assert (answered.value, answered.n) == (0.5, 60)
    assert answered.high - answered.low > 0.4  # as of 12 texts, not of 60 questions
    assert {values["answerable"] for values in scores.per_item.values()} == {0.0, 1.0}


def test_rows_without_text_are_refused(tmp_path):
    with pytest.raises(InputError, match="line 1: no text or url"):
        lateral.read(write(tmp_path, "texts.jsonl", json.dumps({"id": "p"})), None)


def test_texts_of_one_id_are_refused(tmp_path):
    rows = [{"id": "p", "text": "The mayor opened it."}, {"id": "p", "text": "It closed."}]
    with pytest.raises(InputError, match="line 2: id p stands twice"):
        lateral.read(write(tmp_path, "twice.jsonl", "\n".join(map(json.dumps, rows))), None)


def test_the_agents_figures_are_split_by_credibility_and_block_list():
    items = [agent.AgentItem(id=name, text=name, label=Label.REFUTES) for name in "abcde"]
    good, bad, strange = (
        Source(host=f"{name}.example", articles=2, grade=grade)
        for name, grade in (("good", 0.9), ("bad", 0.1), ("strange", None))
    )
    given = [
        (Verdict.REFUTED, (good, bad), False),
        (Verdict.REFUTED, (good,), True),
        (Verdict.VERIFIED, (bad,), True),
        (Verdict.REFUTED, (strange,), False),
        (Verdict.UNVERIFIED, (), True),
    ]
    outputs = [
        agent.AgentOutput(
            verdict=verdict, certainty=0.5, searches=1, parsable=True, sources=sources, has_grades=True, blocked=blocked
        )
        for verdict, sources, blocked in given
    ]
    made = [prediction(item.id, output) for item, output in zip(items, outputs, strict=True)]
    sites, credibility, blocked = agent.score(items, made).tables
    assert sites.columns == ("site", "articles", "grade")
    assert sites.rows == (("bad.example", 4, 0.1), ("good.example", 4, 0.9), ("strange.example", 2, "unknown"))
    assert {row[0]: row[1:3] for row in credibility.rows} == {
        "0.7 or more": (2, 1.0),
        "below 0.4": (1, 0.0),
        "nothing cited": (1, 0.0),
        "unknown only": (1, 1.0),
    }
    assert {row[0]: (row[1], row[2]) for row in blocked.rows} == {
        "nothing was blocked": (2, 1.0),
        "something was blocked": (3, pytest.approx(1 / 3)),
    }
    plain = [one.model_copy(update={"has_grades": False, "blocked": False}) for one in outputs]
    assert (
        len(agent.score(items, [prediction(item.id, one) for item, one in zip(items, plain, strict=True)]).tables) == 1
    )


def test_the_agent_is_measured_with_a_block_list_and_grades(data, tmp_path):
    grades = write(tmp_path, "grades.yaml", "domains: {a.example: 0.8}\n")
    arguments = ["evaluate", "agent", "--data", data / "claims.jsonl", "--out", tmp_path / "out"]
    arguments += ["--data-dir", tmp_path / "var", "--set", f"source_grades={grades}"]
    for further, title, row in (
        (["--option", "order=credibility"], "By credibility", ["0.7 or more", 2]),
        (["--option", "block=a.example"], "By block list", ["something was blocked", 2]),
    ):
        done = CliRunner().invoke(app, list(map(str, [*arguments, *further])))
        assert done.exit_code == 0, done.output
        tables = {one["title"]: one["rows"] for one in json.loads((tmp_path / "out/report.json").read_text())["tables"]}
        assert tables[title][0][:2] == row
