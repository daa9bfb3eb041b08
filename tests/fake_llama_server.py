"""
A stand-in for llama.cpp's `llama-server`: a small program that speaks the same HTTP, put on PATH by a test.

What it says is in `FAKE_LLAMA` (JSON): `replies`, in order, the last for ever; `n_ctx`; `crash_at`, the number of the
request at which it dies; `dead`, for one that ends at once. It writes its arguments to `FAKE_LLAMA_ARGS`.
"""

import stat
import sys
from pathlib import Path

import pytest

PROGRAM = """#!{python}
import json, os, sys, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

script = json.loads(os.environ.get("FAKE_LLAMA", "{{}}"))
with open(os.environ["FAKE_LLAMA_ARGS"], "a") as file:
    file.write(json.dumps([os.getpid(), *sys.argv[1:]]) + "\\n")
if script.get("dead"):
    sys.exit("gguf_init_from_file: invalid magic characters")
began = time.monotonic()
asked = 0


class Handler(BaseHTTPRequestHandler):
    def log_message(self, *args):
        pass

    def send(self, status, body, kind="application/json"):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        if self.path == "/health":
            ready = time.monotonic() - began > script.get("loads_s", 0.0)
            self.send(200 if ready else 503, b'{{"status": "ok"}}' if ready else b'{{"error": {{}}}}')
        elif self.path == "/props":
            props = {{"default_generation_settings": {{"n_ctx": script.get("n_ctx", 4096)}}}}
            self.send(200, json.dumps(props).encode())

    def do_POST(self):
        global asked
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path == "/tokenize":
            self.send(200, json.dumps({{"tokens": [1] * len(body["content"].split())}}).encode())
            return
        asked += 1
        if script.get("crash_at") == asked:
            os._exit(139)
        replies = script.get("replies", ["Yes."])
        text = replies[min(asked, len(replies)) - 1]

        def chunk(delta, finish=None):
            return {{"id": "c", "object": "chat.completion.chunk", "created": 0, "model": "fake", "choices":
                    [{{"index": 0, "delta": delta, "finish_reason": finish, "logprobs": None}}]}}

        events = [chunk({{"role": "assistant", "content": text}}), chunk({{}}, "stop")]
        lines = [f"data: {{json.dumps(event)}}" for event in events] + ["data: [DONE]", ""]
        self.send(200, "\\n\\n".join(lines).encode(), "text/event-stream")


port = int(sys.argv[sys.argv.index("--port") + 1])
ThreadingHTTPServer(("127.0.0.1", port), Handler).serve_forever()
"""


def install(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str = "{}") -> Path:
    """
    Put the program on PATH.

    :param script: JSON of what it says.
    :returns: The file to which it writes its process id and arguments, a line for each start.
    """
    program = folder / "bin" / "llama-server"
    program.parent.mkdir(parents=True)
    program.write_text(PROGRAM.format(python=sys.executable), encoding="utf-8")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", str(program.parent), prepend=":")
    monkeypatch.setenv("FAKE_LLAMA", script)
    monkeypatch.setenv("FAKE_LLAMA_ARGS", str(folder / "args"))
    return folder / "args"
