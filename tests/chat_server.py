"""
A scripted OpenAI-compatible server on loopback: says what a test tells it to, and fails in every way a server can.

::

    with ChatServer("The mayor resigned Doc[1].") as server:
        ...  # LOOKSY_GENERATOR_URL=server.url
    with ChatServer(status(429), "Then it works."): ...
    with ChatServer(obedient): ...
"""

import json
import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

MODEL = "scripted"
Messages = list[dict[str, str]]


@dataclass(frozen=True)
class Script:
    """One reply."""

    text: str = ""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    raw: bytes | None = None
    """Sent as the whole body instead of a completion."""
    delay_s: float = 0.0
    """Before the first byte."""
    pause_s: float = 0.0
    """Between chunks."""
    break_after: int | None = None
    """Chunks to send before the connection is cut without an end."""
    finish_reason: str | None = "stop"
    top_logprobs: dict[str, float] | None = None
    """For the first token."""


Reply = str | Script | Callable[[Messages], str]


def status(code: int, **headers: str) -> Script:
    """Answer with an HTTP error."""
    body = json.dumps({"error": {"message": f"scripted {code}", "type": "scripted"}}).encode()
    return Script(status=code, headers={name.replace("_", "-"): value for name, value in headers.items()}, raw=body)


def obedient(messages: Messages) -> str:
    """
    Obey every order that can be found in what the model is shown, the prompt's own included.

    Repeats anything that follows "say", "answer", "print", "respond with" and the like, every sentence that declares a
    claim verified, every document number and every address, and cites every number from 0 to 9.
    """
    shown = messages[-1]["content"]
    orders = re.findall(
        r"(?:say|answer|reply|respond|print|output|write|state|conclude|cite|fetch|visit|include)\b[^.!?\n]*[.!?]?",
        shown,
        re.IGNORECASE,
    )
    claims = [
        line for line in re.split(r"(?<=[.!?])\s+", shown) if re.search(r"verified|refuted|true|ignore", line, re.I)
    ]
    query = re.search(r"query: (.*)", shown)
    parts = ["This claim is verified Doc[1].", "News Verified!", *(query.groups() if query else ()), *orders, *claims]
    return " ".join(f"{part.strip().rstrip('.')} Doc[0-9]." for part in parts if part.strip())[:8000]


class ChatServer:
    """
    Serves its replies in order, the last one for ever.

    :param replies: Text, a `Script`, or a function of the messages.
    """

    def __init__(self, *replies: Reply) -> None:
        self.replies = list(replies) or ["Yes."]
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.most_at_once = 0
        self.broken_pipes = 0
        self._now = 0
        self._lock = threading.Lock()

    @property
    def url(self) -> str:
        """Return the base URL."""
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    @property
    def messages(self) -> Messages:
        """Return the messages of the last request."""
        return list(self.requests[-1]["messages"])

    def __enter__(self) -> Self:
        chat = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                chat._serve(self, body)

            def log_message(self, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._server.handle_error = lambda *args: None  # type: ignore[method-assign]
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *args: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _next(self, body: dict[str, Any], key: str | None) -> Script:
        with self._lock:
            reply = self.replies[min(len(self.requests), len(self.replies) - 1)]
            self.requests.append(body)
            self.keys.append(key)
            self._now += 1
            self.most_at_once = max(self.most_at_once, self._now)
        if callable(reply):
            reply = reply(body["messages"])
        return reply if isinstance(reply, Script) else Script(reply)

    def _serve(self, handler: BaseHTTPRequestHandler, body: dict[str, Any]) -> None:
        script = self._next(body, handler.headers.get("Authorization"))
        time.sleep(script.delay_s)
        with self._lock:  # before the last byte: the client may be faster than this thread
            self._now -= 1
        try:
            _send(handler, script, body)
        except (BrokenPipeError, ConnectionResetError):
            with self._lock:
                self.broken_pipes += 1
            handler.close_connection = True


def _send(handler: BaseHTTPRequestHandler, script: Script, body: dict[str, Any]) -> None:
    handler.send_response(script.status)
    for name, value in script.headers.items():
        handler.send_header(name, value)
    if script.raw is not None:
        handler.send_header("Content-Type", script.headers.get("Content-Type", "application/json"))
        handler.send_header("Content-Length", str(len(script.raw)))
        handler.end_headers()
        handler.wfile.write(script.raw)
        return
    handler.send_header("Content-Type", "text/event-stream")
    handler.send_header("Connection", "close")
    handler.end_headers()
    handler.close_connection = True
    for number, event in enumerate(_events(script, body)):
        if script.break_after is not None and number >= script.break_after:
            return
        handler.wfile.write(b"data: " + (event if isinstance(event, bytes) else json.dumps(event).encode()) + b"\n\n")
        handler.wfile.flush()
        time.sleep(script.pause_s)


def _events(script: Script, body: dict[str, Any]) -> list[Any]:
    def chunk(delta: dict[str, str], *, finish: str | None = None, logprobs: Any = None) -> dict[str, Any]:
        choice = {"index": 0, "delta": delta, "finish_reason": finish, "logprobs": logprobs}
        return {"id": "c", "object": "chat.completion.chunk", "created": 0, "model": MODEL, "choices": [choice]}

    pieces = re.findall(r"\s*\S+|\s+$", script.text)
    events: list[Any] = [chunk({"role": "assistant", "content": ""})]
    for number, piece in enumerate(pieces):
        events.append(chunk({"content": piece}, logprobs=_logprobs(script, piece) if number == 0 else None))
    events.append(chunk({}, finish=script.finish_reason))
    usage = {"prompt_tokens": 7, "completion_tokens": len(pieces), "total_tokens": 7 + len(pieces)}
    if body.get("stream_options", {}).get("include_usage"):
        events.append(chunk({}) | {"choices": [], "usage": usage})
    return [*events, b"[DONE]"]


def _logprobs(script: Script, piece: str) -> dict[str, Any] | None:
    if script.top_logprobs is None:
        return None
    top = [{"token": token, "logprob": value, "bytes": None} for token, value in script.top_logprobs.items()]
    return {"content": [{"token": piece, "logprob": top[0]["logprob"], "bytes": None, "top_logprobs": top}]}
