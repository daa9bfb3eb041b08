"""The server of the Model Context Protocol, message by message."""

import io
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from core.progress import Progress
from core.settings import Settings
from core.types import Article, Request
from service.answers.runs import Runs
from service.checks.run import CheckRunner
from service.checks.store import CheckStore
from service.cli.main import app
from service.mcp.tools import Reply, Tool, make_tools
from service.state.database import FILE_NAME, Database
from service.stores import LazyStore
from tests.service.fakes import FakeAsker

pytest.importorskip("mcp", reason="needs: pip install 'looksy[mcp]'")
from service.mcp import server as served
from service.mcp import stdio

runner = CliRunner()
CLIENT = {"capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
HELLO = {"protocolVersion": "2025-03-26", **CLIENT}


def message(number: Any, method: str, params: dict[str, Any] | None = None) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params or {}}).encode()


def call(number: Any, name: Any, **arguments: Any) -> bytes:
    return message(number, "tools/call", {"name": name, "arguments": arguments})


OPENING = (message(0, "initialize", HELLO), b'{"jsonrpc": "2.0", "method": "notifications/initialized"}')


def tools_of(settings: Settings, asker: FakeAsker | None = None) -> dict[str, Tool]:
    asker = asker or FakeAsker()
    return make_tools(asker, LazyStore(settings), CheckRunner(asker, CheckStore(settings.data_dir, keep=9)))


@pytest.fixture
def talk(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[dict[str, Any]]]:
    """Send lines after the greeting, and return what the server says, in its order."""

    def exchange(tools: dict[str, Tool], *lines: bytes) -> list[dict[str, Any]]:
        out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
        given = io.BytesIO(b"\n".join((*OPENING, *lines)) + b"\n")
        with monkeypatch.context() as patch:
            patch.setattr("sys.stdin", io.TextIOWrapper(given, encoding="utf-8"))
            patch.setattr("sys.stdout", out)
            served.run_stdio(tools)
        out.seek(0)
        hello, *answers = [json.loads(line) for line in out]
        assert hello["result"]["protocolVersion"] == "2025-03-26"
        return answers

    return exchange


def by_id(answers: list[dict[str, Any]]) -> dict[Any, dict[str, Any]]:
    return {answer.get("id"): answer for answer in answers if "method" not in answer}


def test_mcp_tools(settings: Settings, article: Article, talk: Any) -> None:
    calls = (message(1, "tools/list"), call(2, "verify", text="How many died?"), call(3, "search", query="emergency"))
    answers = by_id(talk(tools_of(settings), *calls))
    assert [tool["name"] for tool in answers[1]["result"]["tools"]] == ["verify", "check", "search"]
    verified = answers[2]["result"]
    assert verified["structuredContent"]["verdict"] == "verified"
    assert "81 people" in verified["content"][0]["text"]
    found = answers[3]["result"]
    assert found["structuredContent"]["passages"][0]["article_id"] == article.article_id


def test_a_whole_text_is_checked_and_kept(settings: Settings, talk: Any) -> None:
    text = "The measles outbreak killed 81 people in Samoa. What a week! The state of emergency ended on Sunday."
    asked = {"name": "check", "arguments": {"text": text, "written_on": "2019-12-30"}, "_meta": {"progressToken": 5}}
    answers = talk(tools_of(settings), message(1, "tools/call", asked))
    checked = by_id(answers)[1]["result"]["structuredContent"]
    assert [claim["verdict"] for claim in checked["claims"]] == ["verified", "verified"]
    assert all(text[claim["start"] : claim["end"]] == claim["text"] for claim in checked["claims"])
    assert "2 verified" in by_id(answers)[1]["result"]["content"][0]["text"]
    told = [one["params"] for one in answers if one.get("method") == "notifications/progress"]
    assert [(one["progressToken"], one["progress"], one["total"]) for one in told] == [(5, 0, 2), (5, 2, 2)]
    kept = CheckStore(settings.data_dir, keep=9).get(checked["id"])
    assert kept.is_done
    assert kept.request.text == text


@pytest.mark.parametrize(
    "arguments",
    [
        {"text": "  "},
        {},
        {"text": "One sentence holds 3 words. ", "max_claims": 0},
        {"text": "It has 3 words.", "max_claims": 101},
        {"text": "It has 3 words.", "written_on": "yesterday"},
        {"text": "It has 3 words.", "file": "/etc/passwd"},
        {"text": "word " * 20_001},
        {"text": 7},
    ],
)
def test_a_text_that_cannot_be_checked_is_named(settings: Settings, talk: Any, arguments: dict[str, Any]) -> None:
    asker = FakeAsker()
    (answer,) = talk(tools_of(settings, asker), call(1, "check", **arguments))
    assert answer["result"]["isError"] is True
    assert asker.asked == []


def test_an_answer_over_mcp_can_be_looked_up(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.answers.asker.LazyEngine", lambda _: FakeAsker())
    lines = b"\n".join((*OPENING, call(1, "verify", text="How many died?"))) + b"\n"
    done = runner.invoke(app, ["mcp", "--data-dir", str(settings.data_dir)], input=lines)
    answer = by_id([json.loads(line) for line in done.stdout.splitlines()])[1]
    run_id = answer["result"]["structuredContent"]["run_id"]
    assert Runs(Database(settings.data_dir / FILE_NAME), keep=9).get(run_id).answer


def test_mcp_errors(settings: Settings, talk: Any) -> None:
    tools = tools_of(settings)
    assert talk(tools) == []  # a notification has no answer
    assert talk(tools, b"{")[0]["error"]["code"] == -32700
    assert talk(tools, b"[]")[0]["error"]["code"] == -32600
    assert talk(tools, message(1, "poem"))[0]["error"]["code"] == -32601
    assert talk(tools, call(1, "poem"))[0]["error"]["code"] == -32602
    for name, arguments in (
        ("verify", {"text": ""}),
        ("verify", {}),
        ("verify", {"text": "Who?", "colour": "red"}),
        ("search", {"query": "a"}),
        ("search", {"query": "a", "top_k": 99}),
    ):
        assert talk(tools, call(1, name, **arguments))[0]["result"]["isError"] is True


@pytest.mark.parametrize(
    ("top_k", "taken"), [(2, True), (2.0, True), (2.5, False), (True, False), ("2", False), (10**400, False)]
)
def test_mcp_search_takes_whole_numbers(
    settings: Settings, article: Article, talk: Any, top_k: object, taken: bool
) -> None:
    (answer,) = talk(tools_of(settings), call(1, "search", query="emergency", top_k=top_k))
    assert answer["result"].get("isError", False) is not taken


def test_no_message_ends_the_mcp_server(settings: Settings, talk: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(request: Request) -> None:
        raise RuntimeError(f"cannot read {request.text}")

    monkeypatch.setattr(served, "BoundedLines", partial(stdio.BoundedLines, max_line=4_000))
    messages = (
        call(1, ["verify"]),
        b'{"jsonrpc": "2.0", "id": "\\ud800", "method": "ping"}',
        b'{"jsonrpc": "2.0", "id": [[1]], "method": "ping"}',
        call(2, "verify", text="Who won?").replace(b"Who", b"Wh\xff"),
        b"\xff",
        b"[" * 3_000,
        b'{"jsonrpc": "2.0", "id": 9, "method": "' + b"x" * 9_000 + b'"}',
        call(3, "verify", text="Who won?"),
        b'{"jsonrpc": "2.0", "id": 4, "method": "ping"}',
    )
    answers = talk(tools_of(settings, FakeAsker(fail)), *messages)
    codes = {number: answer.get("error", {}).get("code") for number, answer in by_id(answers).items() if number}
    assert codes == {1: -32602, 3: -32603, 4: None}
    refused = [answer["error"]["code"] for answer in answers if "id" in answer and answer["id"] is None]
    assert refused == [-32700] * 5  # the SDK takes a request with a list as its id for a notification
    assert "Who" not in json.dumps(by_id(answers)[3])


def test_a_cancelled_call_stops_and_gets_no_answer(settings: Settings, talk: Any) -> None:
    begun, ended = threading.Event(), threading.Event()

    def work(arguments: dict[str, Any], progress: Progress) -> Reply:
        from core.progress import ProgressEvent, Stage

        begun.set()
        try:
            while True:
                progress(ProgressEvent(stage=Stage.READ))
                time.sleep(0.01)
        finally:
            ended.set()

    endless = {"wait": Tool("wait", "Wait", "Wait for ever.", {"text": {"type": "string"}}, work)}

    class Held(io.BytesIO):
        def readline(self, size: int | None = -1) -> bytes:
            line = super().readline(-1 if size is None else size)
            if b"cancelled" in line:
                assert begun.wait(30)
            return line

    cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}
    lines = (*OPENING, call(1, "wait", text="x"), json.dumps(cancel).encode(), message(2, "ping"))
    answers = _exchange(endless, Held(b"\n".join(lines) + b"\n"))
    assert ended.is_set()
    assert [answer["id"] for answer in answers if "id" in answer] == [0, 2]


def _exchange(tools: dict[str, Tool], given: io.BytesIO) -> list[dict[str, Any]]:
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdin", io.TextIOWrapper(given, encoding="utf-8"))
        patch.setattr("sys.stdout", out)
        served.run_stdio(tools)
    out.seek(0)
    return [json.loads(line) for line in out]


def test_only_so_many_calls_may_wait(settings: Settings, talk: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(served, "WAITING", 0)
    monkeypatch.setattr(served, "AT_ONCE", 1)
    release = threading.Event()

    def work(arguments: dict[str, Any], progress: Progress) -> Reply:
        assert release.wait(30)
        return Reply("done", {})

    class Released(io.BytesIO):
        def readline(self, size: int | None = -1) -> bytes:
            line = super().readline(-1 if size is None else size)
            if not line:
                time.sleep(0.2)
                release.set()
            return line

    slow = {"wait": Tool("wait", "Wait", "Wait.", {"text": {"type": "string"}}, work)}
    lines = (*OPENING, call(1, "wait", text="x"), call(2, "wait", text="x"))
    answers = by_id(_exchange(slow, Released(b"\n".join(lines) + b"\n")))
    assert answers[1]["result"]["content"][0]["text"] == "done"
    assert answers[2]["result"]["isError"] is True
    assert "waiting" in answers[2]["result"]["content"][0]["text"]


def test_the_official_client_speaks_to_the_command(settings: Settings, article: Article) -> None:
    import anyio
    from mcp.client import Client
    from mcp.client.stdio import StdioServerParameters

    arguments = ["-m", "service.cli.main", "mcp", "--data-dir", str(settings.data_dir)]
    environment = {name: value for name, value in os.environ.items() if name in {"PATH", "PYTHONPATH", "HOME"}}
    process = StdioServerParameters(command=sys.executable, args=arguments, env=environment)

    async def talk() -> tuple[list[str], Any]:
        async with Client(process) as client:
            listed = await client.list_tools()
            return [tool.name for tool in listed.tools], await client.call_tool("search", {"query": "emergency"})

    names, found = anyio.run(talk)
    assert names == ["verify", "check", "search"]
    assert found.structured_content["passages"][0]["article_id"] == article.article_id


@pytest.fixture
def process(settings: Settings) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "service.cli.main", "mcp", "--data-dir", str(settings.data_dir)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as started:
        yield started
        started.kill()


def test_a_signal_ends_a_server_that_waits_for_a_message(process: subprocess.Popen[bytes]) -> None:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(OPENING[0] + b"\n")
    process.stdin.flush()
    assert b"looksy" in process.stdout.readline()
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=30) == 0


def test_without_the_extra_the_command_says_which_to_install(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delitem(sys.modules, "service.mcp.server")
    monkeypatch.setitem(sys.modules, "mcp_types", None)
    done = runner.invoke(app, ["mcp", "--data-dir", str(settings.data_dir)])
    assert done.exit_code == 2
    assert "pip install 'looksy[mcp]'" in done.stderr
