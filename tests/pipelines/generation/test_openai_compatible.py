import json
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress

import pytest

from core.errors import CancelledError, ConfigError, GeneratorError
from pipelines.contracts.generator import Reply
from pipelines.generation.openai_compatible import OpenAICompatibleGenerator
from pipelines.generation.reply_stream import MAX_REPLY_CHARS
from tests.chat_server import ChatServer, Script, status

SSE = {"Content-Type": "text/event-stream"}
MESSAGES = ({"role": "user", "content": "Who resigned?"},)


def streamed(*contents: object, **more: object) -> Script:
    """Send these contents as chunks, as they are; `more` stands in each chunk."""
    choices = [{"index": 0, "delta": {"content": content}, "finish_reason": "stop"} for content in contents]
    events = [json.dumps({"id": "c", "choices": [choice]} | more) for choice in choices]
    return Script(raw="".join(f"data: {event}\n\n" for event in [*events, "[DONE]"]).encode(), headers=SSE)


def ask(url: str, *, timeout_s: float = 5.0, retries: int = 0, **more: object) -> Reply:
    generator = OpenAICompatibleGenerator(url=url, model="m", timeout_s=timeout_s, retries=retries)
    try:
        return generator.complete(MESSAGES, max_tokens=50, seed=3, **more)  # type: ignore[arg-type]
    finally:
        generator.close()


def test_reply_comes_with_tokens_and_the_request_is_what_was_asked() -> None:
    with ChatServer("The mayor resigned.") as server:
        pieces: list[str] = []
        reply = ask(server.url, on_token=pieces.append)
    assert reply.text == "The mayor resigned." == "".join(pieces)
    assert len(pieces) == 3
    assert (reply.tokens_in, reply.tokens_out, reply.model, reply.generator) == (7, 3, "scripted", "openai:m")
    request = server.requests[0]
    assert request["messages"] == list(MESSAGES)
    assert (request["model"], request["max_tokens"], request["seed"], request["temperature"]) == ("m", 50, 3, 0.0)


def test_key_is_sent_and_a_server_without_key_works() -> None:
    with ChatServer("Yes.") as server:
        generator = OpenAICompatibleGenerator(url=server.url, model="m", api_key="s3cret")
        generator.complete(MESSAGES, max_tokens=5, seed=0)
        generator.close()
        ask(server.url)
    assert server.keys[0] == "Bearer s3cret"


def test_logprobs_of_the_first_token_are_kept() -> None:
    with ChatServer(Script("yes", top_logprobs={"yes": -0.1, "no": -2.4})) as server:
        reply = ask(server.url, want_logprobs=True)
    assert [(one.token, one.logprob) for one in reply.first_token] == [("yes", -0.1), ("no", -2.4)]
    assert server.requests[0]["logprobs"] is True


@pytest.mark.parametrize("number", [None, float("nan"), float("-inf"), "none"])
def test_logprobs_without_numbers_are_none(number: object) -> None:
    with ChatServer(Script("yes it is", top_logprobs={"yes": -0.1, "no": number})) as server:  # type: ignore[dict-item]
        reply = ask(server.url, want_logprobs=True)
    assert (reply.text, reply.first_token) == ("yes it is", ())


@pytest.mark.parametrize(
    ("contents", "text"),
    [
        (("Well \ud83d", None, "\ude00 done"), "Well 😀 done"),
        (("Well \ud83d", " done"), "Well \ufffd done"),
        (("Well \ude00 done",), "Well \ufffd done"),
        (("Well \ud83d",), "Well \ufffd"),
    ],
)
def test_halves_of_a_character_are_joined_or_replaced(contents: tuple[str | None, ...], text: str) -> None:
    pieces: list[str] = []
    with ChatServer(streamed(*contents, model="m\ud83d")) as server:
        reply = ask(server.url, on_token=pieces.append)
    assert reply.text == text
    assert text.startswith("".join(pieces))
    assert json.loads(reply.model_dump_json())["model"] == "m\ufffd"


def test_reply_that_reached_the_longest_length_says_so() -> None:
    with ChatServer(Script("The mayor", finish_reason="length")) as server:
        assert ask(server.url).cut_off


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        (Script("late", delay_s=2.0), "timeout"),
        (Script("one two three four five six seven eight nine ten", pause_s=0.15), "timeout"),
        (Script("one two three", break_after=2), "truncated"),
        (Script("one two", finish_reason=None), "truncated"),
        (status(500), "server_error"),
        (status(503), "server_error"),
        (status(429), "rate_limited"),
        (status(401), "refused"),
        (status(404), "refused"),
        (Script("one two", finish_reason="content_filter"), "truncated"),
        (Script("one two", finish_reason="abort"), "truncated"),
        (Script(raw=b"", headers=SSE), "truncated"),
        (Script(raw=b"<html>not a model</html>", headers={"Content-Type": "text/html"}), "bad_reply"),
        (Script(raw=b'{"error": {"message": "no model is loaded"}}'), "bad_reply"),
        (Script(raw=b'data: {"choices": [{"delta"\n\n', headers=SSE), "bad_reply"),
        (Script(raw=b'data: {"choices": 5}\n\n', headers=SSE), "bad_reply"),
        (Script(raw=b'data: "text"\n\n', headers=SSE), "bad_reply"),
        (
            Script(raw=b'data: {"error": {"message": "no GPU"}}\n\n', headers=SSE),
            "server_error",
        ),
        (streamed("One", [{"type": "text", "text": "two"}]), "bad_reply"),
        (streamed({"text": "one"}), "bad_reply"),
        (streamed([]), "bad_reply"),
        (streamed("one", model=["m"]), "bad_reply"),
        (streamed("one", usage={"prompt_tokens": "x", "completion_tokens": 1}), "bad_reply"),
        (Script(""), "empty"),
        (Script("  \n "), "empty"),
        (Script("word" * 10_001), "runaway"),
    ],
)
def test_every_fault_is_an_error_with_its_reason(script: Script, reason: str) -> None:
    with ChatServer(script) as server:
        started = time.monotonic()
        with pytest.raises(GeneratorError) as caught:
            ask(server.url, timeout_s=0.8)
    assert caught.value.reason == reason
    assert caught.value.hint
    assert time.monotonic() - started < 1.8
    assert "s3cret" not in caught.value.message


def test_chunked_reply_that_breaks_off_is_truncated() -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            connection, _ = listener.accept()
            connection.recv(65536)
            connection.sendall(head + b"40\r\ndata: {")
            connection.close()

        threading.Thread(target=serve, daemon=True).start()
        with pytest.raises(GeneratorError) as caught:
            ask(f"http://127.0.0.1:{listener.getsockname()[1]}/v1")
    assert caught.value.reason == "truncated"


@pytest.mark.parametrize("form", ["Connection: close", "Transfer-Encoding: chunked"])
def test_comments_that_keep_a_stream_alive_do_not_outlast_the_time_out(form: str) -> None:
    head = f"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n{form}\r\n\r\n".encode()
    comment = b": keep-alive\n\n"
    beat = b"%x\r\n%s\r\n" % (len(comment), comment) if "chunked" in form else comment
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            connection, _ = listener.accept()
            with connection, suppress(OSError):
                connection.recv(65536)
                connection.sendall(head)
                for _ in range(100):
                    connection.sendall(beat)
                    time.sleep(0.05)

        threading.Thread(target=serve, daemon=True).start()
        started = time.monotonic()
        with pytest.raises(GeneratorError) as caught:
            ask(f"http://127.0.0.1:{listener.getsockname()[1]}/v1", timeout_s=0.6)
    assert caught.value.reason == "timeout"
    assert time.monotonic() - started < 2.5


def test_silence_after_the_first_token_does_not_outlast_the_time_out() -> None:
    with ChatServer(Script("one two", pause_s=1.5)) as server:
        started = time.monotonic()
        with pytest.raises(GeneratorError) as caught:
            ask(server.url, timeout_s=2.0)
    assert caught.value.reason == "timeout"
    assert time.monotonic() - started < 2.8


def test_nobody_listens() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with pytest.raises(GeneratorError) as caught:
        ask(f"http://127.0.0.1:{port}/v1")
    assert caught.value.reason == "connection"
    assert "LOOKSY_GENERATOR_URL" in (caught.value.hint or "")


@pytest.mark.parametrize("code", [301, 302, 307, 308])
def test_redirect_is_not_followed(code: int) -> None:
    with ChatServer("Yes.") as other, ChatServer(status(code, Location=f"{other.url}/chat/completions")) as server:
        with pytest.raises(GeneratorError, match=r"sends requests on to http://127") as refused:
            ask(server.url)
        assert refused.value.reason == "refused"
        assert len(server.requests) == 1
        assert not other.requests


@pytest.mark.parametrize("first", [status(429, Retry_After="0.01"), status(500, Retry_After="0"), status(503)])
def test_passing_fault_is_tried_again(first: Script) -> None:
    with ChatServer(first, "It works.") as server:
        assert ask(server.url, retries=1).text == "It works."
    assert len(server.requests) == 2


@pytest.mark.parametrize("fault", [status(401), Script("x", delay_s=1.0), Script("a b", break_after=1)])
def test_lasting_fault_is_not_tried_again(fault: Script) -> None:
    with ChatServer(fault) as server, pytest.raises(GeneratorError):
        ask(server.url, retries=2, timeout_s=0.4)
    assert len(server.requests) == 1


def test_retry_after_beyond_the_time_out_is_not_waited_for() -> None:
    with ChatServer(status(429, Retry_After="60")) as server:
        started = time.monotonic()
        with pytest.raises(GeneratorError):
            ask(server.url, retries=2, timeout_s=1.0)
    assert time.monotonic() - started < 0.9


def test_cancelling_closes_the_connection() -> None:
    def stop(piece: str) -> None:
        raise CancelledError("the client left")

    with ChatServer(Script("word " * 400, pause_s=0.01)) as server:
        with pytest.raises(CancelledError):
            ask(server.url, on_token=stop)
        deadline = time.monotonic() + 3
        while not server.broken_pipes and time.monotonic() < deadline:
            time.sleep(0.02)
        assert server.broken_pipes == 1


def run_threads(count: int, work: Callable[[], object]) -> None:
    threads = [threading.Thread(target=work) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_no_more_requests_in_flight_than_allowed() -> None:
    with ChatServer(Script("Yes.", delay_s=0.1)) as server:
        generator = OpenAICompatibleGenerator(url=server.url, model="m", in_flight=2)
        run_threads(6, lambda: generator.complete(MESSAGES, max_tokens=5, seed=0))
        generator.close()
    assert len(server.requests) == 6
    assert server.most_at_once == 2


def test_waiting_for_a_slot_ends() -> None:
    with ChatServer(Script("Yes.", delay_s=1.0)) as server:
        generator = OpenAICompatibleGenerator(url=server.url, model="m", in_flight=1, timeout_s=2.0)
        thread = threading.Thread(target=lambda: generator.complete(MESSAGES, max_tokens=5, seed=0))
        thread.start()
        while not server.requests:
            time.sleep(0.01)
        generator.timeout_s = 0.1
        with pytest.raises(GeneratorError, match=r"1 requests were with .* for 0.1 s") as refused:
            generator.complete(MESSAGES, max_tokens=5, seed=0)
        assert refused.value.reason == "busy"
        thread.join()
        generator.close()


@pytest.mark.parametrize(
    ("url", "model", "field"),
    [
        (None, "m", "generator_url"),
        ("host:8000", "m", "generator_url"),
        ("http:///v1", "m", "generator_url"),
        ("http://[::1/v1", "m", "generator_url"),
        ("http://host:port/v1", "m", "generator_url"),
        ("http://host:99999/v1", "m", "generator_url"),
        ("http://h/v1", None, "generator_model"),
    ],
)
def test_missing_setting_is_named(url: str | None, model: str | None, field: str) -> None:
    with pytest.raises(ConfigError) as caught:
        OpenAICompatibleGenerator(url=url, model=model)
    assert caught.value.field == field


def test_longest_reply_is_bounded() -> None:
    assert MAX_REPLY_CHARS < 50_000


SCHEMA = {"type": "object", "required": ["label"], "properties": {"label": {"enum": ["yes", "no"]}}}


def test_schema_is_asked_for_and_left_out_for_a_server_that_refuses_it() -> None:
    with ChatServer('{"label": "yes"}') as server:
        ask(server.url, schema=SCHEMA)
        form = server.requests[0]["response_format"]
    assert (form["type"], form["json_schema"]["schema"]) == ("json_schema", SCHEMA)
    with ChatServer(status(400), "Plain.", "Again.") as server:
        generator = OpenAICompatibleGenerator(url=server.url, model="m", retries=0)
        assert generator.complete(MESSAGES, max_tokens=5, seed=0, schema=SCHEMA).text == "Plain."
        assert generator.complete(MESSAGES, max_tokens=5, seed=0, schema=SCHEMA).text == "Again."
        assert ["response_format" in request for request in server.requests] == [True, False, False]


@pytest.mark.parametrize(
    "text",
    [
        "the request exceeds the available context size (4096 tokens), try increasing it",
        "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens",
    ],
)
def test_full_context_has_its_own_reason_and_no_message_its_servers_address(text: str) -> None:
    full = Script(status=400, raw=json.dumps({"error": {"message": text}}).encode())
    with ChatServer(full) as server, pytest.raises(GeneratorError) as caught:
        ask(server.url)
    assert (caught.value.reason, caught.value.field) == ("context_full", "generator_context_tokens")
    assert text[:40] in caught.value.message
    assert "127.0.0.1" not in caught.value.message
