"""A proxy in front of Elasticsearch that spoils bulk requests in the ways that real servers and networks do."""

import http.client
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

Fault = Callable[["_Handler", bytes], None]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: "FaultProxy"

    def log_message(self, *args: object) -> None:
        pass

    def _handle(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        fault = self.server.next_fault() if "_bulk" in self.path else None
        if fault is not None:
            fault(self, body)
        else:
            self.answer(*self.forward(body))

    do_GET = do_POST = do_PUT = do_HEAD = do_DELETE = _handle

    def forward(self, body: bytes) -> tuple[int, bytes]:
        """Ask the real server."""
        connection = http.client.HTTPConnection(self.server.host, self.server.port, timeout=30)
        headers = {
            k: v
            for k, v in self.headers.items()
            if k.lower() not in {"host", "accept-encoding", "connection", "content-length"}
        }
        connection.request(self.command, self.path, body, headers)
        reply = connection.getresponse()
        content = reply.read()
        connection.close()
        return reply.status, content

    def answer(self, status: int, content: bytes) -> None:
        self.send_response(status)
        self.send_header("content-type", "application/vnd.elasticsearch+json;compatible-with=8")
        self.send_header("x-elastic-product", "Elasticsearch")
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)


def answer_with(status: int) -> Fault:
    """Refuse the whole request."""

    def fault(handler: _Handler, body: bytes) -> None:
        error = {"error": {"type": "es_rejected_execution_exception", "reason": "busy"}, "status": status}
        handler.answer(status, json.dumps(error).encode())

    return fault


def close_before(handler: _Handler, body: bytes) -> None:
    """Hang up before the server has seen the request."""
    handler.close_connection = True
    handler.connection.close()


def close_after(handler: _Handler, body: bytes) -> None:
    """Let the server do it all, and lose its reply."""
    handler.forward(body)
    handler.close_connection = True
    handler.connection.close()


def refuse_items(status: int, *, every: int) -> Fault:
    """Pass the request on without every n-th operation, and report those as failed."""

    def fault(handler: _Handler, body: bytes) -> None:
        operations = _operations(body)
        kept = [lines for number, (_, lines) in enumerate(operations) if number % every]
        _, content = handler.forward(b"".join(kept))
        real = iter(json.loads(content)["items"])
        items = [
            next(real) if number % every else {"index": {"_id": name, "status": status, "error": {"type": "refused"}}}
            for number, (name, _) in enumerate(operations)
        ]
        handler.answer(200, json.dumps({"took": 1, "errors": True, "items": items}).encode())

    return fault


def _operations(body: bytes) -> list[tuple[str, bytes]]:
    lines = [line for line in body.split(b"\n") if line]
    operations: list[tuple[str, bytes]] = []
    while lines:
        action, details = next(iter(json.loads(lines[0]).items()))
        taken = 1 if action == "delete" else 2
        operations.append((details["_id"], b"".join(line + b"\n" for line in lines[:taken])))
        lines = lines[taken:]
    return operations


class FaultProxy(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, target: str) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        parts = urlsplit(target)
        self.host, self.port = str(parts.hostname), int(parts.port or 9200)
        self.faults: list[Fault] = []
        self.seen = 0
        self._mutex = threading.Lock()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def next_fault(self) -> Fault | None:
        with self._mutex:
            self.seen += 1
            return self.faults.pop(0) if self.faults else None


@contextmanager
def fault_proxy(target: str) -> Iterator[FaultProxy]:
    proxy = FaultProxy(target)
    thread = threading.Thread(target=proxy.serve_forever, daemon=True)
    thread.start()
    try:
        yield proxy
    finally:
        proxy.shutdown()
        proxy.server_close()
        thread.join()
