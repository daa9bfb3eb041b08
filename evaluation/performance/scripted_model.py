"""
A stand-in for a chat model: an OpenAI-compatible server that takes as long as a model would and replies by plain rules.

::

    python -m evaluation.performance.scripted_model --port 8001
    export LOOKSY_GENERATOR=openai LOOKSY_GENERATOR_URL=http://127.0.0.1:8001/v1 LOOKSY_GENERATOR_MODEL=scripted
    looksy benchmark rag

It replies with the sentence of what it is shown that shares most words with the query, cites it where the prompt
numbers its excerpts, calls every answer right, and without evidence knows nothing. What it scores says what the
pipeline does with a model that copies well; it says nothing about a real one.

Time: `1 / prefill` seconds a prompt token and `1 / decode` seconds a reply token, `slots` requests at once. The
defaults are a 7B model in 16 bits on a data-centre GPU: 13.5 GB of weights are read for every token, at 1 to 2 TB/s.
"""

import argparse
import json
import re
import threading
import time
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from core.sentences import sentence_spans
from pipelines.attribution.grounding import word_share
from pipelines.generation.token_count import estimate_tokens

MODEL = "scripted"
REFUSAL = "The indexed articles do not answer this."
MIN_SHARE = 0.3
"""Share of the query's words from which a sentence is taken for an answer."""
_QUERY = re.compile(r"(?:Reader's query|Query|Statement): (.*)")
_EXCERPT = re.compile(r"^Doc\[(\d+)\] .*$", re.MULTILINE)
_PHRASE = re.compile(r"^- (.*) \(\d\.\d\d\)$", re.MULTILINE)


class ScriptedModel:
    """
    Serve on loopback.

    :param port: 0: any that is free.
    :param prefill: Prompt tokens a second; 0: no time at all.
    :param decode: Reply tokens a second for each request; 0: no time at all.
    :param slots: Requests at one time; more wait.
    """

    def __init__(self, *, port: int = 0, prefill: float = 8_000.0, decode: float = 80.0, slots: int = 8) -> None:
        self.prefill = prefill
        self.decode = decode
        self._slots = threading.BoundedSemaphore(slots)
        model = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                model._serve(self)

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names it so
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self._server.daemon_threads = True

    @property
    def url(self) -> str:
        """Return the base URL."""
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    def serve_forever(self) -> None:
        """Serve in this thread until it is stopped."""
        self._server.serve_forever(poll_interval=0.05)

    def __enter__(self) -> Self:
        threading.Thread(target=self.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *args: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _serve(self, handler: BaseHTTPRequestHandler) -> None:
        body = json.loads(handler.rfile.read(int(handler.headers["Content-Length"])))
        prompt = sum(estimate_tokens(message["content"]) for message in body["messages"])
        pieces = re.findall(r"\s*\S+", scripted_reply(body["messages"]))
        handler.send_response(200)
        handler.send_header("Content-Type", "text/event-stream")
        handler.send_header("Connection", "close")
        handler.end_headers()
        handler.close_connection = True
        with self._slots:
            time.sleep(prompt / self.prefill if self.prefill else 0.0)
            for piece in pieces:
                time.sleep(estimate_tokens(piece) / self.decode if self.decode else 0.0)
                _send(handler, {"content": piece})
        _send(handler, {}, finish="stop")
        usage = {"prompt_tokens": prompt, "completion_tokens": len(pieces), "total_tokens": prompt + len(pieces)}
        handler.wfile.write(f"data: {json.dumps(_chunk([], usage=usage))}\n\ndata: [DONE]\n\n".encode())


def scripted_reply(messages: list[dict[str, str]]) -> str:
    """Reply to one of the prompts of `configs/prompts`."""
    shown = messages[-1]["content"]
    query = (_QUERY.findall(shown) or [shown])[-1]
    if "Answer to check:" in shown:
        return "yes"
    if "Statement:" in shown and "Quote:" in shown:
        return '{"label": "neither"}'
    if phrases := _PHRASE.findall(shown):
        return f"{phrases[0].rstrip('.')}."
    found = [
        (word_share(query, sentence), number, sentence) for number, text in _excerpts(shown) for sentence in _cut(text)
    ]
    share, number, sentence = max(found, default=(0.0, None, ""))
    if share < MIN_SHARE:
        return REFUSAL
    return f"{sentence.rstrip('.')} Doc[{number}]." if number else sentence


def _excerpts(shown: str) -> list[tuple[int | None, str]]:
    """Return the number of each excerpt, None where there are no numbers, with its text."""
    inside = re.search(r"^(?:EVIDENCE|EXCERPTS)\n(.*?)\nEND (?:EVIDENCE|EXCERPTS)$", shown, re.DOTALL | re.MULTILINE)
    if inside is None:
        return []
    parts = _EXCERPT.split(inside[1])
    if len(parts) > 1:
        return [(int(number), text) for number, text in zip(parts[1::2], parts[2::2], strict=True)]
    return [(None, block.partition("\n")[2]) for block in inside[1].split("\n\n")]


def _cut(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_spans(text)]


def _send(handler: BaseHTTPRequestHandler, delta: dict[str, str], *, finish: str | None = None) -> None:
    choice = {"index": 0, "delta": delta, "finish_reason": finish, "logprobs": None}
    handler.wfile.write(f"data: {json.dumps(_chunk([choice]))}\n\n".encode())
    handler.wfile.flush()


def _chunk(choices: list[dict[str, Any]], **more: object) -> dict[str, Any]:
    return {"id": "c", "object": "chat.completion.chunk", "created": 0, "model": MODEL, "choices": choices} | more


def main() -> None:
    """Serve until interrupted."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=8001)
    parser.add_argument("--prefill", type=float, default=8_000.0)
    parser.add_argument("--decode", type=float, default=80.0)
    parser.add_argument("--slots", type=int, default=8)
    options = parser.parse_args()
    model = ScriptedModel(**vars(options))
    print(f"Scripted model: {model.url}", flush=True)
    with suppress(KeyboardInterrupt):
        model.serve_forever()


if __name__ == "__main__":
    main()
