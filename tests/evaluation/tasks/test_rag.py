"""Every mode through a scripted chat server."""

import json

import pytest

from core.errors import ConfigError
from core.settings import load_settings
from core.types import ModelCall, Quote, Reference, Relation, Result, RunRecord, Status, Verdict
from evaluation.reports.stage_times import stage_figure
from evaluation.runs.ask_system import open_engine
from evaluation.runs.models import Prediction
from evaluation.tasks.rag.run import MODES, RagOptions, evaluate_rag, output_of
from evaluation.tasks.rag.task import RagItem, RagOutput, score_rag
from indexing.job import run_index
from indexing.stores.open import open_store
from pipelines.runs.files import load_run
from pipelines.runs.replay import replay, settings_of
from tests.chat_server import MODEL, ChatServer, status
from tests.evaluation.data.test_formats import write

SENTENCE = "Officials said 81 people died in the flood in Brazil."


@pytest.fixture
def data(tmp_path):
    article = {
        "id": "flood",
        "url": "https://example.org/flood",
        "headline": "Flood in Brazil",
        "body": f"The flood began on Monday. {SENTENCE}",
        "published_at": "2020-01-02",
    }
    write(tmp_path, "articles.jsonl", json.dumps(article))
    rows = [
        {
            "id": "q1",
            "question": "How many people died in the flood in Brazil?",
            "answer": "81",
            "article_ids": ["flood"],
        }
    ]
    return write(tmp_path, "qa.jsonl", "\n".join(json.dumps(row) for row in rows))


def with_model(folder, server):
    return load_settings(
        {
            "data_dir": folder,
            "generator": "openai",
            "generator_url": server.url,
            "generator_model": MODEL,
            "generator_retries": 0,
        },
        environment={},
    )


def test_each_mode_is_a_run_of_its_own(tmp_path, data):
    with ChatServer(f"{SENTENCE[:-1]} Doc[1].") as server:
        done = evaluate_rag(data, with_model(tmp_path / "var", server), RagOptions())
    assert [report.run.options["mode"] for _, report in done] == list(MODES)
    for folder, report in done:
        assert report.failed == 0
        assert report.measures["answer_in_answer"].value == 1.0
        output = next(folder.predictions(RagOutput))
        assert "Doc[" not in output.output.answer
        assert (folder.path / output.run_record).is_file()


def test_the_extractive_answer_is_measured_without_the_chat_model_that_is_set(tmp_path, data):
    with ChatServer("Nobody died Doc[1].") as server:
        chosen = with_model(tmp_path / "var", server).model_copy(update={"judge": "chat"})
        ((folder, report),) = evaluate_rag(data, chosen, RagOptions(modes=("extractive",)))
        assert server.requests == []
        both = evaluate_rag(data, with_model(tmp_path / "var", server), RagOptions(modes=("references", "extractive")))
        assert server.requests
    assert (report.failed, report.run.settings["generator"]) == (0, "extractive")
    assert report.measures["answer_in_answer"].value == 1.0
    assert [one.run.settings["generator"] for _, one in both] == ["openai", "extractive"]
    assert values(both[1][0]) == values(folder)


def values(folder):
    return [one.output.model_copy(update={"stage_ms": {}}) for one in folder.predictions(RagOutput)]


def test_a_model_that_is_down_is_a_failure_and_not_a_wrong_answer(tmp_path, data):
    with ChatServer(status(500)) as server:
        done = evaluate_rag(data, with_model(tmp_path / "var", server), RagOptions(modes=("references",)))
    report = done[0][1]
    assert report.failed == 1
    assert "f1" not in report.measures
    assert "1 of 1 predictions failed" in report.notes[0]


def test_a_mode_without_a_model_says_how_to_set_one(tmp_path, data):
    with pytest.raises(ConfigError) as caught:
        evaluate_rag(data, load_settings({"data_dir": tmp_path}, environment={}), RagOptions(modes=("raw",)))
    assert "LOOKSY_GENERATOR" in caught.value.hint


def test_without_evidence_there_is_nothing_to_quote_and_a_refusal_is_one(tmp_path, data):
    for reply, refused in (("81 people died.", 0.0), ("I do not know.", 1.0)):
        with ChatServer(reply) as server:
            done = evaluate_rag(data, with_model(tmp_path / reply[:2], server), RagOptions(modes=("raw",)))
        measures = done[0][1].measures
        assert measures["refused"].value == refused
        assert not {"answer_in_evidence", "citation_precision", "citation_recall"} & set(measures)
        output = next(done[0][0].predictions(RagOutput)).output
        assert (output.quotes, output.cited) == ((), ())


def quoted(name, number, *quotes):
    return Reference(
        number=number,
        article_id=name,
        revision=1,
        url=f"https://example.org/{name}",
        headline=name,
        published_at=None,
        source="Daily",
        origin_id=name,
        quotes=quotes,
    )


def test_only_what_is_shown_as_supporting_and_what_is_cited_counts():
    def quote(text, relation):
        return Quote(
            text=text,
            start=0,
            end=len(text),
            relation=relation,
            score=0.5,
            content_hash="0",
            link="https://example.org",
        )

    result = Result.model_construct(
        status=Status.OK,
        verdict=Verdict.VERIFIED,
        answer="In Kerman Doc[1].",
        references=(
            quoted("x", 1, quote("They met in Kerman.", Relation.SUPPORTS), quote("It rained.", Relation.MENTIONS)),
            quoted("y", 2, quote("Kerman is dry.", Relation.MENTIONS)),
        ),
        sections=(),
        timings={},
        run=None,
    )
    output = output_of(result)
    assert output.quotes == ("They met in Kerman.",)
    assert output.cited == ("x",)
    assert output.answer == "In Kerman."


@pytest.mark.parametrize(
    ("reply", "says_yes"), [("Yes.", True), ("The answer is yes.", True), ("No.", False), ("I cannot tell.", None)]
)
def test_a_self_verification_is_read_as_the_product_reads_it(reply, says_yes):
    call = ModelCall.model_construct(purpose="self_verification", reply=reply)
    run = RunRecord.model_construct(calls=(call,), verdict_inputs={})
    fields = {"status": Status.OK, "verdict": None, "answer": "81", "references": (), "sections": (), "timings": {}}
    result = Result.model_construct(**fields, run=run)
    assert output_of(result).self_verified is says_yes


def prediction(name, answer, **fields):
    from core.types import Status
    from evaluation.runs.models import Prediction

    return Prediction[RagOutput](id=name, status=Status.OK, output=RagOutput(answer=answer, **fields))


def test_refusals_are_right_or_wrong_by_whether_there_is_an_answer():
    items = [
        RagItem(id="a", text="t", answers=("81",), articles=("x",)),
        RagItem(id="b", text="t", answers=()),
        RagItem(id="c", text="t", answers=("Kerman",), articles=("x", "y")),
    ]
    scores = score_rag(
        items,
        [
            prediction("a", ""),
            prediction("b", ""),
            prediction("c", "In Kerman", quotes=("in Kerman.",), cited=("x", "z")),
        ],
    )
    values = {name: one.value for name, one in scores.measures.items()}
    assert values["refused"] == 0.5
    assert values["refused_rightly"] == 1.0
    assert values["answer_in_evidence"] == 0.5
    assert values["citation_precision"] == 0.5
    assert values["citation_recall"] == pytest.approx((0 + 0.5) / 2)


def test_stage_times_are_averaged():
    figure = stage_figure([{"read": 10.0, "total": 12.0}, {"read": 20.0, "answer": 2.0}])[0]
    assert {bar.label: bar.value for bar in figure.bars} == {"read": 15.0, "answer": 1.0}
    assert stage_figure([]) == ()


@pytest.mark.parametrize("corpus", ["beside the data", "the own index"])
def test_articles_that_are_named_and_not_searched_are_told(tmp_path, data, corpus):
    settings = load_settings({"data_dir": tmp_path / "var"}, environment={})
    if corpus == "the own index":
        store = open_store(settings, must_exist=False)
        run_index(store, data_dir=settings.data_dir, articles=tmp_path / "articles.jsonl")
        store.close()
        (tmp_path / "articles.jsonl").unlink()
    named = ["https://www.example.org/flood/?utm_source=x", "https://example.org/fl00d"]
    write(tmp_path, "qa.jsonl", json.dumps({"question": "How many died?", "answer": "81", "article_urls": named}))
    ((_, report),) = evaluate_rag(data, settings, RagOptions(bertscore_model="none"))
    assert report.notes[0] == "1 articles that the data names are not among those searched: https://example.org/fl00d"


def test_verdicts_are_scored_and_refusals_are_apart() -> None:
    items = [RagItem(id=name, text="How many?", answers=("81",)) for name in ("right", "wrong", "open", "none")]
    outputs = [
        RagOutput(answer="81 died.", verdict=Verdict.VERIFIED, self_verified=True, bertscore=0.8),
        RagOutput(answer="90 died.", verdict=Verdict.VERIFIED, self_verified=False, bertscore=0.4),
        RagOutput(answer="81 died.", verdict=Verdict.UNVERIFIED, bertscore=0.6),
        RagOutput(answer="", verdict=Verdict.UNVERIFIED, self_verified=False, bertscore=0.0),
    ]
    done = [
        Prediction[RagOutput](id=item.id, status=Status.OK, output=out)
        for item, out in zip(items, outputs, strict=True)
    ]
    measures = score_rag(items, done).measures
    assert measures["verified"].value == 0.5
    assert measures["verified_right"].value == 0.5
    assert measures["self_verified"].value == 0.5
    assert measures["bertscore"].value == pytest.approx(0.45)
    assert measures["bertscore_answered"].value == pytest.approx(0.6)
    assert measures["bleu_answered"].n == 3


def test_an_answer_of_an_evaluation_can_be_replayed(tmp_path, data) -> None:
    with ChatServer(f"{SENTENCE[:-1]} Doc[1].") as server:
        ((folder, _),) = evaluate_rag(data, with_model(tmp_path / "var", server), RagOptions(modes=("references",)))
    (prediction,) = folder.predictions(RagOutput)
    assert (prediction.output.verdict, prediction.output.written_by) == (Verdict.UNVERIFIED, f"openai:{MODEL}")
    kept = load_run(str(folder.path / prediction.run_record), tmp_path)
    settings = settings_of(kept, load_settings({"data_dir": tmp_path / "var"}, environment={}))
    with open_engine(data, settings, corpus=None) as opened:
        replayed = replay(kept, opened.engine)
    assert replayed.differences == ()
