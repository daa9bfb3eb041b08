"""Answers of a scripted model through the whole verify pipeline."""

import re
import socket

import pytest

from core.errors import CancelledError, ConfigError
from core.requests import parse_request
from core.settings import GeneratorKind, load_settings
from core.types import Relation, Result, Status, Verdict
from pipelines.engine import Engine
from tests.chat_server import ChatServer, Script, status

QUESTION = "Who was sworn in as governor of Puerto Rico after the Supreme Court ruling?"
ANSWER = "Secretary of Justice Wanda Vázquez Garced was sworn in as Puerto Rico's governor"
STATEMENT = "Wanda Vázquez Garced was sworn in as governor of Puerto Rico."


@pytest.fixture(scope="session")
def open_engine(sample_settings, engine):
    model = engine.resources.evidence_model()  # loaded once for all tests

    def opened(server: ChatServer | str, **changes) -> Engine:
        flags = {
            "data_dir": sample_settings.data_dir,
            "threads": 2,
            "top_k": 5,
            "generator": "openai",
            "generator_url": server if isinstance(server, str) else server.url,
            "generator_model": "scripted",
            "generator_timeout": 3.0,
            "generator_retries": 0,
        }
        engine = Engine(load_settings(flags | changes, environment={}))
        engine.resources._evidence_model = model
        return engine

    return opened


@pytest.fixture(scope="session")
def ask(open_engine):
    def run(server: ChatServer | str, text: str = QUESTION, *, progress=None, **changes) -> Result:
        options = changes.pop("options", {})
        engine = open_engine(server, **changes)
        try:
            more = {"progress": progress} if progress else {}
            request = parse_request({"text": text, "options": options})
            return engine.run("verify", request, **more)
        finally:
            engine.close()

    return run


def codes(result: Result) -> set[str]:
    return {notice.code for notice in result.warnings}


def cited_number(server_messages, words: str) -> int:
    """Return the number of the document that holds these words in what the model was shown."""
    shown = server_messages[-1]["content"]
    before = shown[: shown.index(words)]
    return int(re.findall(r"^Doc\[(\d+)\]", before, re.MULTILINE)[-1])


def answer_from(words: str, sentence: str):
    return lambda messages: sentence.format(n=cited_number(messages, words))


def test_supported_answer_is_verified_with_the_quote_behind_it(ask) -> None:
    with ChatServer(answer_from("Garced was sworn in", ANSWER + " Doc[{n}].")) as server:
        result = ask(server)
    assert result.verdict is Verdict.VERIFIED
    assert result.answer == ANSWER + " Doc[1]."
    assert "Garced was sworn in" in result.references[0].quotes[0].text
    assert result.run is not None
    call = result.run.calls[0]
    assert call.reply is not None
    assert call.reply.startswith(ANSWER)
    assert (call.purpose, call.generator, call.prompt_name) == ("answer", "openai:scripted", "references")
    assert list(call.messages) == server.messages
    assert call.tokens_in == 7
    assert len(call.prompt_hash or "") == 64
    assert call.seed == server.requests[0]["seed"]


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        (ANSWER + " Doc[77].", "citation_dropped"),
        ("Governor Ricardo Rosselló bought a castle in Spain Doc[1].", "sentence_dropped"),
        (ANSWER + " at 7:45 p.m. with 93 guests Doc[1].", "sentence_dropped"),
        ('She said "nobody can ever take this office from me" Doc[1].', "quote_invented"),
        ("Doc[1] Doc[2]", "model_declined"),
        ("The indexed articles do not answer this.", "model_declined"),
        ("Who knows? Doc[1]", "answer_refused"),
        ("I'm sorry, but as a language model I cannot help with that.", "model_declined"),
        ("La secretaria de Justicia juró el cargo de gobernadora Doc[1].", "answer_refused"),
        ("波多黎各司法部长宣誓就任总督 Doc[1]。", "answer_refused"),
        ("The harbour authority ordered four electric ferries Doc[1].", "answer_refused"),
        ("word " * 600, "answer_refused"),
    ],
)
def test_unsupported_answer_is_never_verified_by_what_the_model_says(ask, reply: str, code: str) -> None:
    with ChatServer(reply) as server:
        result = ask(server, generator_timeout=20.0)
        own = ask(server, generator="extractive")
    assert code in codes(result)
    if code == "citation_dropped":
        assert "77" not in result.answer
        return
    assert result.status is not Status.FAILED
    assert result.answer == own.answer  # what no model was asked for: the article's own words
    assert not any(word in result.answer for word in reply.split() if len(word) > 9)


def test_only_the_unsupported_sentence_is_dropped(ask) -> None:
    sentence = ANSWER + " Doc[{n}]. She then flew to Madrid with 40 advisers Doc[{n}]."
    with ChatServer(answer_from("Garced was sworn in", sentence)) as server:
        result = ask(server)
    assert result.verdict is Verdict.VERIFIED
    assert "Madrid" not in result.answer
    assert "sentence_dropped" in codes(result)


def test_sentence_without_citation_is_marked_and_its_source_found(ask) -> None:
    with ChatServer(ANSWER + ".") as server:
        result = ask(server)
    assert "sentence_uncited" in codes(result)
    assert result.answer == ANSWER + " Doc[1]."


def test_answer_to_another_question_is_refused(ask) -> None:
    def beside(messages):
        shown = messages[-1]["content"]
        lines = [
            line for line in shown.splitlines() if len(line) > 60 and "Garced" not in line and "governor" not in line
        ]
        sentence = re.split(r"(?<=[.])\s", lines[-1])[0].rstrip(".")
        return f"{sentence} Doc[{cited_number(messages, sentence)}]."

    with ChatServer(beside) as server:
        result = ask(server, "What is the capital of Mongolia?")
    assert result.verdict is Verdict.UNVERIFIED


@pytest.mark.parametrize("mode", ["contexts", "keywords"])
def test_other_modes_find_their_sources(ask, mode: str) -> None:
    with ChatServer(ANSWER + ".") as server:
        result = ask(server, options={"mode": mode})
    assert result.run is not None
    assert result.run.calls[0].prompt_name == mode
    assert "Garced" in server.messages[-1]["content"]
    assert result.verdict is Verdict.VERIFIED
    assert "Doc[1]" in result.answer


def test_raw_shows_no_evidence_and_is_never_verified(ask) -> None:
    with ChatServer(ANSWER + ".") as server:
        result = ask(server, options={"mode": "raw"})
    assert "Garced" not in server.messages[-1]["content"]
    assert result.verdict is Verdict.UNVERIFIED
    assert result.answer.startswith(ANSWER)
    assert result.references
    assert (result.articles_supporting, result.origins_supporting) == (0, 0)
    assert {quote.relation for one in result.references for quote in one.quotes} == {Relation.MENTIONS}


@pytest.mark.parametrize("style", ["looksy", "seed"])
def test_raw_on_a_statement_counts_no_support(ask, style: str) -> None:
    with ChatServer("That is so Doc[1].") as server:
        result = ask(server, STATEMENT, options={"mode": "raw", "style": style})
    assert result.verdict is Verdict.UNVERIFIED
    assert result.references
    assert (result.articles_supporting, result.articles_refuting) == (0, 0)


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (status(500), "500"),
        (status(429), "429"),
        (Script("late", delay_s=2.5), "within 1 s"),
        (Script("word " * 40, pause_s=0.1), "within 1 s"),
        (Script("word " * 40, break_after=3), "broke off"),
        (Script(raw=b"data: {\n\n", headers={"Content-Type": "text/event-stream"}), "not a chat completion"),
        (Script(""), "empty"),
    ],
)
def test_fault_of_the_model_server_falls_back_on_the_articles_own_words(ask, fault: Script, reason: str) -> None:
    with ChatServer(fault) as server:
        result = ask(server, generator_timeout=1.0)
    assert result.status is Status.OK
    assert result.verdict is Verdict.VERIFIED
    assert "Garced" in result.answer
    notice = next(notice for notice in result.warnings if notice.code == "generator_fallback")
    assert reason in notice.message
    assert "written by extractive" in notice.message
    assert result.run is not None
    assert result.run.calls[0].reply is None
    assert result.run.calls[0].failure is not None


def test_no_room_at_the_model_server_falls_back_too(open_engine) -> None:
    with ChatServer(ANSWER) as server:
        engine = open_engine(server, generator_in_flight=1, generator_timeout=0.2)
        with engine.resources.generator()._slot():
            result = engine.run("verify", parse_request({"text": QUESTION}))
        engine.close()
    assert (result.status, result.verdict, server.requests) == (Status.OK, Verdict.VERIFIED, [])
    assert codes(result) >= {"generator_fallback"}
    assert result.run.calls[0].failure.code == "generator_failed.busy"


def test_ten_thousand_repeated_tokens_are_no_answer(ask) -> None:
    with ChatServer("word " * 10_000) as server:
        result = ask(server, generator_timeout=60.0)
    assert result.status is Status.OK
    assert "Garced" in result.answer
    assert result.run is not None
    failure = result.run.calls[0].failure
    assert failure is not None
    assert failure.code == "generator_failed.runaway"


def test_true_sentence_of_another_document_is_cited_where_it_stands_or_dropped(ask) -> None:
    def misattributed(messages):
        right = cited_number(messages, "Garced was sworn in")
        return f"{ANSWER} Doc[{1 + right % 2}]."

    with ChatServer(misattributed) as server:
        result = ask(server)
    for reference in result.references:
        if f"Doc[{reference.number}]" in result.answer:
            assert any("Garced" in quote.text for quote in reference.quotes)


def test_fault_fails_clearly_where_the_profile_says_so(ask) -> None:
    with ChatServer(status(500)) as server:
        result = ask(server, generator_fallback="none")
    assert result.status is Status.FAILED
    assert result.verdict is None
    assert result.failure is not None
    assert result.failure.code == "generator_failed"
    assert "500" in result.failure.message


def test_second_generator_writes_when_the_first_is_down(ask) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with ChatServer(ANSWER + " Doc[1].") as second:
        result = ask(
            f"http://127.0.0.1:{port}/v1",
            generator_fallback="openai",
            generator_fallback_url=second.url,
            generator_fallback_model="other",
        )
    assert result.run is not None
    assert [call.generator for call in result.run.calls] == ["openai:scripted", "openai:other"]
    assert result.answer.startswith(ANSWER)
    assert "generator_fallback" in codes(result)


@pytest.mark.parametrize("given", [None, "second-key"])
def test_each_server_gets_its_own_key_alone(ask, given) -> None:
    with ChatServer(status(400)) as first, ChatServer(ANSWER + " Doc[1].") as second:
        ask(
            first,
            generator_api_key="first-key",
            generator_fallback="openai",
            generator_fallback_url=second.url,
            generator_fallback_model="other",
            generator_fallback_api_key=given,
        )
    assert set(first.keys) == {"Bearer first-key"}
    assert len(second.keys) == 1
    assert "first-key" not in str(second.keys)
    assert ("second-key" in str(second.keys)) == (given is not None)


def test_cancelling_stops_the_model_while_it_writes(ask) -> None:
    def stop(event) -> None:
        if event.unit == "token" and event.done >= 2:
            raise CancelledError("stopped")

    with ChatServer(Script("word " * 200, pause_s=0.01)) as server, pytest.raises(CancelledError):
        ask(server, progress=stop)


def test_words_are_streamed_as_they_come(ask) -> None:
    pieces: list[str] = []
    with ChatServer(ANSWER + " Doc[1].") as server:
        ask(server, progress=lambda event: pieces.append(event.message) if event.unit == "token" else None)
    assert "".join(pieces) == ANSWER + " Doc[1]."


def test_evidence_is_cut_to_the_context_and_the_cut_is_reported(ask) -> None:
    with ChatServer(ANSWER + " Doc[1].") as server:
        whole = ask(server)
        cut = ask(server, generator_context_tokens=1000)
    assert "evidence_cut" not in codes(whole)
    assert "evidence_cut" in codes(cut)
    long, short = (request["messages"][-1]["content"] for request in server.requests)
    assert len(short) < len(long)
    assert "Garced was sworn in" in short


def test_verdict_on_a_statement_does_not_follow_the_model(ask) -> None:
    with ChatServer("Doc[1] refutes this: it is false and has been debunked.") as server:
        said_false = ask(server, STATEMENT)
    with ChatServer("This claim is verified and true Doc[1].") as server:
        said_true = ask(server, STATEMENT)
    assert said_false.verdict == said_true.verdict
    assert "debunked" not in said_false.answer


def test_seed_style_is_verified_by_a_citation_alone(ask) -> None:
    with ChatServer("The moon is made of cheese Doc[1].") as server:
        cited = ask(server, options={"style": "seed"})
    with ChatServer("The moon is made of cheese Doc[77].") as server:
        uncited = ask(server, options={"style": "seed"})
    assert cited.verdict is Verdict.VERIFIED
    assert cited.confidence is not None
    assert cited.confidence.method.startswith("seed")
    assert uncited.verdict is Verdict.UNVERIFIED
    assert "77" not in uncited.answer


@pytest.mark.parametrize("text", [QUESTION, STATEMENT])
def test_seed_style_takes_no_citation_of_ours_for_the_models(ask, text: str) -> None:
    with ChatServer("The indexed articles do not answer this.") as server:
        declined = ask(server, text, options={"style": "seed"})
    assert declined.verdict is Verdict.UNVERIFIED
    assert "Doc[" not in declined.answer


def test_generator_without_address_is_a_configuration_error(sample_settings) -> None:
    engine = Engine(sample_settings.model_copy(update={"generator": GeneratorKind.OPENAI}))
    with pytest.raises(ConfigError):
        engine.run("verify", parse_request({"text": QUESTION}))
    engine.close()


@pytest.mark.parametrize(
    ("reply", "code", "says"),
    [
        (Script("yes", top_logprobs={"yes": -0.1, "no": -3.0}), None, True),
        (Script("no"), "self_verification_no", False),
        (Script("perhaps"), "self_verification_unclear", None),
        (status(500), "self_verification_failed", None),
    ],
)
def test_model_is_asked_about_its_own_answer(ask, reply: Script, code: str | None, says: bool | None) -> None:
    with ChatServer(ANSWER + " Doc[1].", reply) as server:
        result = ask(server, self_verification=True)
    assert result.run is not None
    assert [call.purpose for call in result.run.calls] == ["answer", "self_verification"]
    outcome = result.run.verdict_inputs["self_verification"]
    assert outcome["says_yes"] is says
    assert (outcome["probability"] is not None) == (says is True)
    assert {found for found in codes(result) if found.startswith("self_")} == ({code} if code else set())
    assert result.verdict is Verdict.VERIFIED
    assert server.requests[1]["logprobs"] is True


def test_own_yes_does_not_verify_what_nothing_supports(ask) -> None:
    with ChatServer("Governor Rosselló bought a castle in Spain Doc[1].", "yes") as server:
        result = ask(server, self_verification=True)
        own = ask(server, generator="extractive")
    assert (result.answer, result.verdict, result.confidence) == (own.answer, own.verdict, own.confidence)
    assert "Spain" not in result.answer


def test_chat_model_can_judge_and_its_labels_are_in_the_record(ask) -> None:
    def both(messages):
        return '{"label": "supports"}' if "Statement:" in messages[-1]["content"] else "The mayor resigned Doc[1]."

    with ChatServer(both) as server:
        result = ask(server, STATEMENT, judge="chat")
    assert result.run is not None
    purposes = [call.purpose for call in result.run.calls]
    assert purposes.count("answer") == 1
    assert purposes.count("label") >= 3
    assert result.verdict is Verdict.VERIFIED
    assert "chat-label" in (result.confidence.method if result.confidence else "")


def test_judge_that_does_not_answer_is_a_failure_and_no_finding(ask) -> None:
    with ChatServer("perhaps") as server:
        result = ask(server, STATEMENT, judge="chat")
    assert result.status is Status.FAILED
    assert result.verdict is None


def test_evidence_is_cut_once_more_for_a_server_with_less_context(ask) -> None:
    full = Script(status=400, raw=b'{"error": {"message": "the request exceeds the available context size (512)"}}')
    with ChatServer(full, ANSWER + " Doc[1].") as server:
        result = ask(server)
        sizes = [len(request["messages"][-1]["content"]) for request in server.requests]
    assert len(sizes) == 2
    assert sizes[1] < sizes[0]
    assert "generator_fallback" not in codes(result)
