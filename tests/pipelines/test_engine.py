import time
from datetime import UTC, datetime

import pytest

from core.errors import CancelledError, InputError, NotFoundError, StoreMissingError
from core.progress import Stage
from core.settings import Settings
from core.types import Filters, QueryKind, Relation, Request, Status, Verdict
from pipelines.engine import Engine
from pipelines.systems.registry import list_systems

QUESTION = "Which chat app did the leaked conversations that brought down Rosselló come from?"
STATEMENT = "Detectives had spoken to Bruce McArthur more than once before they tied him to the killings."
REFUTED = "Hurricane Dorian made landfall in the Bahamas as a Category 3 storm."


def test_question_is_answered_with_a_quote_that_stands_in_the_article(engine, sample_bodies):
    result = engine.run("verify", Request(text=QUESTION))
    assert (result.status, result.kind) == (Status.OK, QueryKind.QUESTION)
    assert result.references[0].quotes[0].relation is Relation.SUPPORTS
    assert "Telegram" in result.answer
    assert "Doc[1]" in result.answer
    for reference in result.references:
        for quote in reference.quotes:
            assert sample_bodies[reference.url][quote.start : quote.end] == quote.text


def test_statement_is_verified_by_its_quote(engine):
    result = engine.run("verify", Request(text=STATEMENT))
    assert result.verdict is Verdict.VERIFIED
    assert "twice interviewed" in result.references[0].quotes[0].text
    assert result.origins_supporting >= 1


def test_a_yes_or_no_question_is_judged_as_a_statement_and_answered(engine):
    said = engine.run("verify", Request(text=STATEMENT))
    asked = engine.run("verify", Request(text=f"Is it true that {STATEMENT[0].lower()}{STATEMENT[1:-1]}?"))
    assert (asked.kind, asked.verdict) == (QueryKind.QUESTION, Verdict.VERIFIED)
    assert asked.answer.startswith("Yes. ")
    assert "twice interviewed" in asked.references[0].quotes[0].text
    assert asked.articles_supporting == said.articles_supporting


def test_the_quote_that_refutes_the_statement_supports_the_answer_no(engine):
    refuted = engine.run("verify", Request(text=REFUTED))
    asked = engine.run("verify", Request(text=f"Did {REFUTED[:-1].replace('made', 'make')}?"))
    assert refuted.verdict is Verdict.REFUTED
    assert (asked.kind, asked.verdict) == (QueryKind.QUESTION, Verdict.VERIFIED)
    assert asked.answer.startswith("No. ")
    assert asked.references[0].quotes[0].relation is Relation.SUPPORTS
    assert asked.references[0].quotes[0].text == refuted.references[0].quotes[0].text
    assert asked.conflicts == refuted.conflicts
    assert (asked.articles_supporting, asked.articles_refuting) == (refuted.articles_refuting, 0)


def test_a_question_of_two_parts_answers_both_or_names_the_one_that_it_lacks(engine):
    asked = f"{QUESTION} And what is the zyzzyva's favourite qwrtplk?"
    result = engine.run("verify", Request(text=asked))
    assert [section.title for section in result.sections] == [QUESTION, "What is the zyzzyva's favourite qwrtplk?"]
    assert (result.kind, result.verdict) == (QueryKind.QUESTION, Verdict.UNVERIFIED)
    assert "Telegram" in result.answer
    assert "Not answered: “What is the zyzzyva's favourite qwrtplk?”" in result.answer
    assert result.run.request.text == asked
    assert result.run.verdict_inputs["parts"] == 2


def test_a_statement_of_several_sentences_is_verified_only_if_each_of_them_is(engine):
    true = engine.run("verify", Request(text=f"{STATEMENT} {REFUTED.replace('3', '5')}"))
    false = engine.run("verify", Request(text=f"{STATEMENT} {REFUTED}"))
    assert [section.label for section in true.sections] == ["verified", "verified"]
    assert true.verdict is Verdict.VERIFIED
    assert len({reference.article_id for reference in true.references}) == len(true.references)
    assert [section.label for section in false.sections] == ["verified", "refuted"]
    assert (false.verdict, false.conflicts[0].stated) == (Verdict.REFUTED, "Category 3")
    assert false.conflicts[0].number in false.sections[1].numbers


def test_a_statement_that_is_too_long_to_be_judged_whole_stays_unverified(engine):
    added = ", and the prime minister was arrested for murder" * 20
    result = engine.run("verify", Request(text=f"{STATEMENT[:-1]}{added}.", kind=QueryKind.STATEMENT))
    assert result.verdict is Verdict.UNVERIFIED
    assert "statement_cut" in {notice.code for notice in result.warnings}
    assert "statement_cut" not in {notice.code for notice in engine.run("verify", Request(text=STATEMENT)).warnings}


def test_same_request_gives_the_same_result(engine):
    first, second = (engine.run("verify", Request(text=QUESTION)) for _ in range(2))
    changing = {"run_id", "run", "timings"}
    assert first.model_dump(exclude=changing) == second.model_dump(exclude=changing)


def test_nothing_relevant_declines_and_names_what_was_searched(engine):
    result = engine.run("verify", Request(text="zyzzyva qwrtplk"))
    assert (result.status, result.verdict) == (Status.NO_EVIDENCE, Verdict.UNVERIFIED)
    assert "429 articles" in result.answer
    assert result.missing
    assert result.references == ()


@pytest.mark.parametrize("text", ["Brexit", "x", "日本語で書かれた質問", "???!a", '(AND) OR "', "Wer war es? Ä" * 100])
def test_odd_queries_get_a_result(engine, text):
    assert engine.run("verify", Request(text=text[:2000])).status in {Status.OK, Status.NO_EVIDENCE}


def test_as_of_bounds_the_evidence(engine):
    result = engine.run("verify", Request(text=QUESTION, as_of=datetime(2010, 1, 1, tzinfo=UTC)))
    assert all(ref.published_at < datetime(2010, 1, 2, tzinfo=UTC) for ref in result.references)
    assert "Telegram" not in result.answer
    early = engine.run("verify", Request(text=QUESTION, as_of=datetime(2005, 1, 1, tzinfo=UTC)))
    assert [notice.code for notice in early.warnings] == ["nothing_known_yet"]


def test_filters_pass_through(engine):
    request = Request(text="Who won the election?", filters=Filters(sections=("Sports",)))
    retrieved = engine.run("verify", request).run.retrieved
    assert retrieved
    every = engine.run("verify", Request(text="Who won the election?")).run.retrieved
    assert {row.passage_id for row in retrieved}.isdisjoint({row.passage_id for row in every[:3]})


def test_filters_are_fitted_to_the_index(engine):
    result = engine.run("verify", Request(text=QUESTION, filters=Filters(sources=("Reuters", "EN.WIKINEWS.ORG"))))
    assert (result.status, result.run.request.filters.sources) == (Status.OK, ("Reuters", "en.wikinews.org"))
    assert result.warnings[0].code == "source_unknown"
    for system in ("verify", "lateral", "agent", "perspectives", "counter"):
        with pytest.raises(InputError, match="'Reuters'"):
            engine.run(system, Request(text=QUESTION, filters=Filters(sources=("Reuters",))))


def test_kind_that_is_given_wins(engine):
    assert engine.run("verify", Request(text=STATEMENT, kind=QueryKind.QUESTION)).kind is QueryKind.QUESTION


def test_top_k_bounds_what_is_read(engine):
    run = engine.run("verify", Request(text=QUESTION, top_k=3)).run
    assert len(run.retrieved) == 3
    assert {digest.passage_id for digest in run.digests} <= {row.passage_id for row in run.retrieved}


def test_unknown_system_and_option_are_input_errors(engine):
    with pytest.raises(NotFoundError, match="no system 'astrology'"):
        engine.run("astrology", Request(text="x"))
    with pytest.raises(InputError, match="colour is not a known field"):
        engine.run("verify", Request(text="x", options={"colour": "red"}))


def test_missing_index_is_raised_not_answered(tmp_path):
    with pytest.raises(StoreMissingError):
        Engine(Settings(data_dir=tmp_path)).run("verify", Request(text="x"))


@pytest.mark.parametrize("component", ["retriever", "loader", "reader", "verifier", "generator", "checker", "verdict"])
def test_a_component_that_dies_gives_a_failure_and_no_verdict(sample_settings, component):
    engine = Engine(sample_settings)
    engine.warm_up()
    pipeline = engine._pipeline("verify", {})

    def die(**kwargs):
        raise MemoryError("gone")

    pipeline.get_component(component).run = die
    result = engine.run("verify", Request(text=QUESTION))
    engine.close()
    assert (result.status, result.verdict, result.answer) == (Status.FAILED, None, "")
    assert result.failure.code == "internal_error"
    assert "gone" not in result.model_dump_json()
    assert result.run_id in result.failure.hint
    assert result.run.snapshot_id == result.searched.snapshot_id
    assert bool(result.run.retrieved) == (component != "retriever")
    assert bool(result.run.digests) == (component not in {"retriever", "loader", "reader"})
    assert bool(result.run.verdict_inputs["evidence"]) == (component == "verdict")


def test_progress_names_the_stages_and_can_cancel(engine):
    seen = []
    engine.run("verify", Request(text=QUESTION), progress=lambda event: seen.append(event.stage))
    assert seen[0] is Stage.RETRIEVE
    assert {Stage.READ, Stage.ANSWER, Stage.CHECK, Stage.VERDICT} <= set(seen)

    def cancel(event):
        if event.stage is Stage.READ:
            raise CancelledError("stopped")

    with pytest.raises(CancelledError):
        engine.run("verify", Request(text=QUESTION), progress=cancel)


def test_run_record_names_snapshot_models_and_pipeline(engine):
    record = engine.run("verify", Request(text=QUESTION)).run
    assert record.snapshot_id
    assert record.models["evidence"].startswith("evidence-minilm-l6@")
    assert len(record.pipeline_hash) == 16
    assert record.retrieved[0].score is not None
    assert set(record.timings) >= {"retrieve", "read", "check", "verdict", "total"}


def test_the_total_time_holds_all_that_the_engine_does(engine, monkeypatch):
    """Also writing result and record down: what a service adds is measured from it."""
    record = Engine._record

    def slow_record(*args, **kwargs):
        time.sleep(0.05)
        return record(*args, **kwargs)

    monkeypatch.setattr(Engine, "_record", slow_record)
    result = engine.run("verify", Request(text=QUESTION))
    stages = sum(spent for stage, spent in result.timings.items() if stage != "total")
    assert result.timings["total"] >= stages + 50
    assert result.run.timings == result.timings


def test_systems_are_listed_with_their_options():
    (verify,) = [info for info in list_systems() if info.name == "verify"]
    assert "style" in verify.options["properties"]
