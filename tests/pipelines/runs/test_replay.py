import re

import pytest

from core.errors import InputError, NotFoundError
from core.requests import parse_request
from core.settings import Settings, load_settings, secret_names
from core.types import Result, Status
from pipelines.engine import Engine
from pipelines.generation.prompts import load_prompt
from pipelines.rendering.explain import explain
from pipelines.runs.files import load_run, save_run
from pipelines.runs.replay import HERE, PLACES, compare, different_settings, replay, settings_of
from tests.chat_server import ChatServer, status

QUESTION = "Who was sworn in as governor of Puerto Rico after the Supreme Court ruling?"
ANSWER = "Secretary of Justice Wanda Vázquez Garced was sworn in as Puerto Rico's governor Doc[1]."


@pytest.fixture(scope="module")
def make_engine(sample_settings, engine):
    model = engine.resources.evidence_model()

    def make(settings: Settings) -> Engine:
        made = Engine(settings)
        made.resources._evidence_model = model
        return made

    return make


def chat_settings(sample_settings: Settings, url: str) -> Settings:
    flags = {
        "data_dir": sample_settings.data_dir,
        "threads": 2,
        "top_k": 5,
        "generator": "openai",
        "generator_url": url,
        "generator_model": "scripted",
        "generator_retries": 0,
    }
    return load_settings(flags, environment={"LOOKSY_GENERATOR_API_KEY": "s3cret"})


@pytest.fixture(scope="module")
def run(sample_settings, make_engine) -> Result:
    with ChatServer(ANSWER) as server:
        engine = make_engine(chat_settings(sample_settings, server.url))
        result = engine.run("verify", parse_request({"text": QUESTION}))
        engine.close()
    return result


def test_replay_is_identical_and_asks_no_model(run, sample_settings, make_engine, tmp_path) -> None:
    path = save_run(run, tmp_path, keep=5)
    before = load_run(str(path), tmp_path)
    assert before == run
    engine = make_engine(settings_of(before, sample_settings))  # its server is gone: only recorded replies can answer
    replayed = replay(before, engine)
    engine.close()
    assert replayed.differences == ()
    assert replayed.identical
    assert replayed.same_index
    assert replayed.result.answer == run.answer


def test_failed_call_replays_as_the_same_failure(sample_settings, make_engine) -> None:
    with ChatServer(status(500)) as server:
        engine = make_engine(chat_settings(sample_settings, server.url))
        before = engine.run("verify", parse_request({"text": QUESTION}))
        engine.close()
    engine = make_engine(settings_of(before, sample_settings))
    assert replay(before, engine).identical
    engine.close()


def test_fresh_replay_asks_again_and_reports_what_changed(sample_settings, make_engine, run) -> None:
    with ChatServer("The indexed articles do not answer this.") as server:
        settings = settings_of(run, sample_settings).model_copy(update={"generator_url": server.url})
        engine = make_engine(settings)
        replayed = replay(run, engine, fresh=True)
        engine.close()
        assert len(server.requests) == 1
    fields = {difference.field for difference in replayed.differences}
    assert {"verdict_inputs.written_by", "calls.0.reply"} <= fields
    assert not replayed.identical


def test_changed_record_is_noticed(run, sample_settings, make_engine) -> None:
    assert run.run is not None
    forged = run.run.model_copy(update={"retrieved": run.run.retrieved[1:]})
    engine = make_engine(settings_of(run, sample_settings))
    replayed = replay(run.model_copy(update={"run": forged}), engine)
    engine.close()
    assert [difference.field for difference in replayed.differences] == ["retrieved"]


def test_prompt_that_changed_has_no_recorded_reply(run, sample_settings, make_engine) -> None:
    assert run.run is not None
    asked = run.run.calls[0].model_copy(update={"messages": ({"role": "user", "content": "another prompt"},)})
    forged = run.run.model_copy(update={"calls": (asked,)})
    engine = make_engine(settings_of(run, sample_settings))
    replayed = replay(run.model_copy(update={"run": forged}), engine)
    engine.close()
    assert not replayed.identical
    assert any("recorded reply" in difference.after for difference in replayed.differences)


def test_record_holds_everything_but_secrets(run, sample_settings) -> None:
    assert run.run is not None
    assert "s3cret" not in run.model_dump_json()
    record = run.run
    settings = chat_settings(sample_settings, record.settings["generator_url"])
    assert set(record.settings) == set(settings.public())
    assert record.settings["generator_seed"] == settings.generator_seed
    assert record.settings["top_k"] == 5
    assert record.snapshot_id == run.searched.snapshot_id
    assert len(record.retrieved) == 5
    assert all(passage.score is not None for passage in record.retrieved)
    assert {digest.passage_id for digest in record.digests} <= {passage.passage_id for passage in record.retrieved}
    assert re.fullmatch(r"evidence-minilm-l6@[0-9a-f]{12}-[0-9a-f]{8}", record.models["evidence"])
    assert record.models["generator"] == "openai:scripted"
    assert re.fullmatch(r"[0-9a-f]{16}", record.pipeline_hash)
    assert {"retrieve", "read", "answer", "check", "verdict", "total"} <= set(record.timings)


def test_record_holds_what_was_asked_and_answered_to_the_letter(run) -> None:
    (call,) = run.run.calls
    prompt = load_prompt("references")
    assert (call.prompt_name, call.prompt_version, call.prompt_hash) == (prompt.name, prompt.version, prompt.hash)
    assert [message["role"] for message in call.messages] == ["system", "user"]
    assert QUESTION in call.messages[-1]["content"]
    assert call.reply == ANSWER
    assert (call.model, call.generator, call.seed) == ("scripted", "openai:scripted", 0)
    assert (call.tokens_in, call.tokens_out) == (7, len(ANSWER.split()))
    assert call.duration_ms > 0


def test_record_holds_what_the_verdict_was_made_from(run) -> None:
    inputs = run.run.verdict_inputs
    assert (inputs["written_by"], inputs["mode"]) == ("openai:scripted", "references")
    assert inputs["sentences"][0]["fate"] == "supported"
    for item in inputs["evidence"]:
        assert {"article_id", "revision", "start", "end", "text", "relation", "score", "supports"} <= set(item)
    quoted = {quote.text for reference in run.references for quote in reference.quotes}
    assert quoted <= {item["text"] for item in inputs["evidence"]}


def test_run_that_failed_has_a_record_and_replays(sample_settings, make_engine, tmp_path) -> None:
    with ChatServer(status(500)) as server:
        settings = chat_settings(sample_settings, server.url).model_copy(update={"generator_fallback": None})
        engine = make_engine(settings)
        failed = engine.run("verify", parse_request({"text": QUESTION}))
        engine.close()
    assert failed.status is Status.FAILED
    assert failed.run.calls[0].failure.code == "generator_failed.server_error"
    assert failed.run.retrieved
    before = load_run(str(save_run(failed, tmp_path, keep=5)), tmp_path)
    engine = make_engine(settings_of(before, sample_settings))
    replayed = replay(before, engine)
    engine.close()
    assert replayed.identical, replayed.differences


def test_runs_are_kept_up_to_a_number(run, tmp_path) -> None:
    for number in range(4):
        save_run(run.model_copy(update={"run_id": f"run{number}"}), tmp_path, keep=2)
    assert len(list((tmp_path / "runs").iterdir())) == 2
    assert save_run(run, tmp_path / "none", keep=0) is None
    assert not (tmp_path / "none").exists()


def test_a_run_that_cannot_be_kept_leaves_nothing_behind(run, tmp_path, monkeypatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.replace", full)
    with pytest.raises(OSError, match="No space left"):
        save_run(run, tmp_path, keep=5)
    assert list((tmp_path / "runs").iterdir()) == []


def test_a_run_that_vanishes_while_old_ones_go_does_no_harm(run, tmp_path) -> None:
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "gone.json").symlink_to(tmp_path / "deleted")  # listed, and not there when it is looked at
    path = save_run(run, tmp_path, keep=5)
    assert path is not None
    assert path.is_file()


def test_run_is_found_by_its_first_letters(run, tmp_path) -> None:
    save_run(run, tmp_path, keep=5)
    assert load_run(run.run_id[:8], tmp_path) == run
    with pytest.raises(NotFoundError):
        load_run("zzzz", tmp_path)
    with pytest.raises(NotFoundError):
        load_run("../../etc/passwd", tmp_path)


@pytest.mark.parametrize("content", ["", "{}", "[1]", '{"system": 5}', "\x00\xff"])
def test_file_that_is_no_run_is_one_clear_error(tmp_path, content: str) -> None:
    (tmp_path / "x.json").write_text(content, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        load_run(str(tmp_path / "x.json"), tmp_path)
    assert "x.json" in caught.value.message


def test_explanation_shows_prompt_reply_and_checks(run) -> None:
    text = explain(run)
    for words in ("openai:scripted", "prompt references 1.1", "supported", "milliseconds", run.run_id):
        assert words in text


def test_differences_name_their_place() -> None:
    found = compare({"a": [1, {"b": 2}]}, {"a": [1, {"b": 3}], "c": None})
    assert [(one.field, one.before, one.after) for one in found] == [("a.1.b", "2", "3")]


FOREIGN = {
    "store_url": "http://evil.example:9200",
    "store_index": "others",
    "store_user": "root",
    "store_ca_file": "/evil/ca.pem",
    "reader_model": "evil/reader",
    "judge": "evil/judge",
    "embedder_model": "evil/embedder",
    "generator_url": "https://evil.example/v1",
    "generator_fallback_url": "https://evil.example/v1",
    "search_url": "https://evil.example",
    "search_command": "touch /tmp/evil",
    "search_tool": "evil",
    "source_grades": "/evil/grades.yaml",
    "telemetry_url": "https://evil.example",
}


def foreign(run: Result, **settings: object) -> Result:
    assert run.run is not None
    return run.model_copy(update={"run": run.run.model_copy(update={"settings": run.run.settings | settings})})


@pytest.mark.parametrize("fresh", [True, False])
def test_record_of_somebody_else_names_no_place(run, sample_settings, fresh: bool) -> None:
    assert FOREIGN.keys() == PLACES
    before = foreign(run, **FOREIGN, search_backend="brave")
    ours = sample_settings.model_copy(
        update={"store_url": "http://ours.example:9200", "generator_url": "http://ours.example/v1"}
    )
    settings = settings_of(before, ours, fresh=fresh)
    assert "evil" not in settings.model_dump_json()
    assert (settings.store_url, settings.generator_url) == (ours.store_url, ours.generator_url)
    assert settings.search_backend == ("store" if fresh else "brave")
    assert settings.top_k == 5
    assert set(FOREIGN) <= set(different_settings(before.run, before.run.model_copy(update={"settings": {}})))
    assert settings_of(before, sample_settings, fresh=True).generator_url is None


def test_model_that_would_be_loaded_is_not_the_records(run, sample_settings) -> None:
    for kind in ("generator", "generator_fallback"):
        before = foreign(run, generator_model="evil/model", **{kind: "transformers"})
        assert settings_of(before, sample_settings).generator_model is None


@pytest.mark.parametrize(
    ("recorded", "judge"),
    [
        ({"judge": "chat"}, "chat"),
        ({"judge": "small"}, "small"),
        ({"judge": "shipped"}, "shipped"),
        ({"judge": "evil/judge"}, "ours"),
        ({"verifier_model": "chat"}, "chat"),
        ({"verifier_model": None}, "small"),
        ({"verifier_model": "evil/judge"}, "ours"),
    ],
)
def test_record_says_which_judge_but_names_no_model_to_load(run, sample_settings, recorded, judge: str) -> None:
    before = foreign(run, **recorded)
    if "verifier_model" in recorded:
        without = {name: value for name, value in before.run.settings.items() if name != "judge"}
        before = before.model_copy(update={"run": before.run.model_copy(update={"settings": without})})
    ours = sample_settings.model_copy(update={"judge": "ours"})
    assert settings_of(before, ours).judge == judge


def test_setting_of_free_text_is_a_place_or_known_to_be_none() -> None:
    free = {name for name, field in Settings.model_fields.items() if re.search(r"\bstr\b|Path", str(field.annotation))}
    no_places = {"retriever", "mode", "crawl_contact", "generator_model", "generator_fallback_model"}
    assert free - secret_names() <= HERE | PLACES | no_places


def test_replay_in_another_place_says_so(run, sample_settings, make_engine) -> None:
    engine = make_engine(settings_of(run, sample_settings))
    replayed = replay(run, engine)
    engine.close()
    assert not replayed.same_settings
    assert different_settings(run.run, replayed.result.run) == ["generator_url"]
    here = chat_settings(sample_settings, run.run.settings["generator_url"])
    engine = make_engine(settings_of(run, here))
    again = replay(run, engine)
    engine.close()
    assert again.identical
    assert again.same_settings
