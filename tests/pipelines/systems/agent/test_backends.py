"""Search backends against servers and results that are not as they should be."""

import json
import shlex
import socket
import sys
import threading
import time
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

import pytest

from core.errors import ConfigError, UnavailableError
from core.settings import load_settings
from pipelines.systems.agent.backends.contract import Hit, Search, found_of
from pipelines.systems.agent.backends.domains import sifted
from pipelines.systems.agent.backends.http import BraveBackend, SearxngBackend
from pipelines.systems.agent.backends.mcp import McpBackend
from tests.pipelines.systems.agent.search_server import SearchServer

SEARCH = Search(query="bridge", limit=5)
needs_mcp = pytest.mark.skipif(find_spec("mcp") is None, reason="needs: pip install 'looksy[mcp]'")
FORKS = """
import pathlib, subprocess, sys
child = subprocess.Popen(["sleep", "30"])
pathlib.Path(sys.argv[1]).write_text(str(child.pid))
child.wait()
"""


def hit(url):
    return Hit(title="The bridge", url=url, text="The Osterholm bridge reopened.")


@pytest.mark.parametrize(
    "url",
    [
        "http://x.example:99999/",
        "http://x.example:port/",
        "http://%5Bx.example/",
        "x",
        "https://trusted.example%2Fworld@x.example/",
        "https://user:word@x.example/",
        "https://x.example%2F.trusted.example/",
    ],
)
def test_a_result_whose_address_cannot_be_read_is_left_out_and_counted(url):
    found = found_of([hit(url), hit("https://valley.example/bridge")], SEARCH)
    assert [article.url for article in found.articles.values()] == ["https://valley.example/bridge"]
    assert found.left_out == 1


@pytest.mark.parametrize("url", ["https://x.example\\.trusted.example/", "https://x%2Eexample/"])
def test_the_lists_of_sites_hold_for_the_host_that_a_browser_opens(url):
    found = found_of([hit(url)], SEARCH)
    assert sifted(found, block=["x.example"], allow=[]).blocked == 1
    assert sifted(found, block=[], allow=["trusted.example"]).blocked == 1


GREETS = """
import json, sys

def say(number, **said):
    print(json.dumps({"jsonrpc": "2.0", "id": number, **said}), flush=True)

def calls():
    for line in sys.stdin:
        message = json.loads(line)
        if message["method"] == "initialize":
            server = {"name": "t", "version": "1"}
            say(message["id"], result={"protocolVersion": "2025-06-18", "capabilities": {}, "serverInfo": server})
        elif message["method"] == "tools/call":
            yield message["id"]
        elif "id" in message:
            say(message["id"], error={"code": -32601, "message": "no such method"})

"""
ANSWERS = f"""{GREETS}
for number in calls():
    sys.stdout.buffer.write(b'{{"jsonrpc": "2.0", "id": %d, "result": {{"content": [], "structuredContent": ' % number)
    sys.stdout.buffer.write(b'{{"results": [' + open(sys.argv[1], "rb").read() + b"]}}}}}}\\n")
    sys.stdout.buffer.flush()
"""


@needs_mcp
@pytest.mark.parametrize(
    ("row", "text", "source"),
    [
        (rb'"text": "It reopened.", "source": "Valley \ud83d Times\n"', "It reopened.", "Valley Times"),
        (b'"text": "It r\xe9opened.", "source": " "', "It r\ufffdopened.", "valley.example"),
    ],
)
def test_half_characters_and_other_encodings_of_a_tool_cost_no_answer(tmp_path, row, text, source):
    script, rows = tmp_path / "server.py", tmp_path / "rows"
    script.write_text(ANSWERS)
    rows.write_bytes(b'{"url": "https://valley.example/x", "title": "Bridge", ' + row + b"}")
    backend = McpBackend(load_settings({"search_command": f"{sys.executable} {script} {rows}"}, environment={}))
    (article,) = backend.search(SEARCH).articles.values()
    assert (article.body, article.source) == (text, source)
    assert article.model_dump_json()


REPLIES = f"""{GREETS}
for number in calls():
    print("a line for the log")
    say(number, method="ping")
    say(number, result=json.loads(sys.argv[1]))
"""
ROW = {"url": "https://valley.example/x", "title": "Bridge", "text": "It reopened."}


def answer_of(tmp_path, result):
    """Search with a tool that gives a result."""
    script = tmp_path / "server.py"
    script.write_text(REPLIES)
    command = shlex.join([sys.executable, str(script), json.dumps(result)])
    return McpBackend(load_settings({"search_command": command}, environment={})).search(SEARCH)


def said(*texts):
    return {"content": [{"type": "text", "text": text} for text in texts]}


@needs_mcp
@pytest.mark.parametrize(
    ("result", "count"),
    [
        (said(json.dumps([ROW])), 1),
        (said("One result:", json.dumps(ROW)), 1),
        (said(json.dumps([ROW])) | {"structuredContent": {"result": json.dumps([ROW])}}, 1),
        (said(json.dumps([ROW])) | {"structuredContent": {"results": [ROW]}}, 1),
        (said("[]"), 0),
        (said(), 0),
        (said("No results.") | {"structuredContent": {"results": []}}, 0),
    ],
)
def test_a_tool_may_give_results_in_either_form_or_none(tmp_path, result, count):
    found = answer_of(tmp_path, result)
    assert (len(found.documents), found.left_out) == (count, 0)


@needs_mcp
@pytest.mark.parametrize(
    "result",
    [
        said("Title: Bridge\nURL: https://valley.example/x\nIt reopened."),
        said("Rate limit exceeded") | {"structuredContent": {"result": "Rate limit exceeded"}},
        said(json.dumps([{"url": "https://valley.example/x", "name": "Bridge"}])),
        said("[" * 100_000),
    ],
    ids=["prose", "error", "other fields", "deep"],
)
def test_what_a_tool_says_in_another_form_is_a_failure_and_no_finding(tmp_path, result):
    with pytest.raises(UnavailableError, match="gives no JSON"):
        answer_of(tmp_path, result)


@pytest.mark.parametrize("backend", [SearxngBackend, BraveBackend])
@pytest.mark.parametrize(
    "raw",
    [
        b"{}",
        b'{"error": "rate limit"}',
        b'{"results": null}',
        b'{"results": [{"name": "x"}], "web": {"results": ["x"]}}',
    ],
)
def test_an_answer_without_results_in_their_form_is_a_failure_and_no_finding(backend, raw):
    with SearchServer([], raw=raw) as server:
        settings = load_settings({"search_url": server.url}, environment={"LOOKSY_SEARCH_API_KEY": "k"})
        with pytest.raises(UnavailableError, match="results"):
            backend(settings).search(SEARCH)


@pytest.mark.parametrize("answer", [{"type": "search"}, {"type": "search", "web": {"results": []}}])
def test_brave_finds_nothing_with_and_without_an_empty_list(answer):
    with SearchServer([], raw=json.dumps(answer).encode()) as server:
        settings = load_settings({"search_url": server.url}, environment={"LOOKSY_SEARCH_API_KEY": "k"})
        assert BraveBackend(settings).search(SEARCH).documents == ()


@pytest.mark.parametrize(("piece", "pause_s", "why"), [(b" ", 0.05, "within 0.5 s"), (b" " * 100_000, 0.0, "longer")])
def test_an_answer_without_end_is_given_up_in_time_and_in_memory(piece, pause_s, why):
    def send(listener):
        connection, _ = listener.accept()
        with connection, suppress(OSError):
            connection.sendall(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")
            for _ in range(400):
                connection.sendall(piece)
                time.sleep(pause_s)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=send, args=(listener,), daemon=True).start()
        address = f"http://127.0.0.1:{listener.getsockname()[1]}"
        settings = load_settings({"search_url": address, "search_timeout": 0.5}, environment={})
        started = time.monotonic()
        with pytest.raises(UnavailableError, match=why):
            SearxngBackend(settings).search(SEARCH)
    assert time.monotonic() - started < 5


def test_an_answer_nested_too_deep_is_a_failure():
    with SearchServer([], raw=b"[" * 100_000) as server, pytest.raises(UnavailableError):
        SearxngBackend(load_settings({"search_url": server.url}, environment={})).search(SEARCH)


@pytest.mark.parametrize("command", ["'search --all", "  "])
def test_a_command_that_is_none_is_named(command):
    with pytest.raises(ConfigError, match="which is not a command"):
        McpBackend(load_settings({"search_command": command}, environment={}))


def is_running(pid):
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", maxsplit=1)[1].split()[0]
    except FileNotFoundError:
        return False
    return state not in {"Z", "X"}


@needs_mcp
def test_a_server_that_never_ends_its_line_is_given_up(tmp_path):
    script = tmp_path / "server.py"
    script.write_text(f"{GREETS}\nfor number in calls():\n    while True:\n        print('x' * 1_000_000, end='')\n")
    backend = McpBackend(load_settings({"search_command": f"{sys.executable} {script}"}, environment={}))
    with pytest.raises(UnavailableError, match="it ended"):
        backend.search(SEARCH)


@needs_mcp
def test_an_error_of_a_tool_is_shown(tmp_path):
    with pytest.raises(UnavailableError, match="its tool search says: no such index"):
        answer_of(tmp_path, said("no such index") | {"isError": True})


def test_without_the_extra_the_error_says_which_to_install(monkeypatch):
    monkeypatch.setattr("pipelines.systems.agent.backends.mcp.find_spec", lambda name: None)
    with pytest.raises(UnavailableError) as raised:
        McpBackend(load_settings({"search_command": "search"}, environment={}))
    assert "pip install 'looksy[mcp]'" in raised.value.hint


@needs_mcp
def test_a_server_whose_child_keeps_its_output_open_is_given_up_in_time(tmp_path):
    script, pid = tmp_path / "server.py", tmp_path / "pid"
    script.write_text(FORKS)
    command = f"{sys.executable} {script} {pid}"
    backend = McpBackend(load_settings({"search_command": command, "search_timeout": 3.0}, environment={}))
    started = time.monotonic()
    with pytest.raises(UnavailableError, match="took too long"):
        backend.search(SEARCH)
    assert time.monotonic() - started < 15
    assert pid.exists()
    deadline = time.monotonic() + 5
    while is_running(pid.read_text()) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not is_running(pid.read_text())
