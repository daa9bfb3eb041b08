"""A server on loopback that speaks SearXNG's and Brave's search protocols, and fails as a test tells it to."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self
from urllib.parse import parse_qs, urlsplit


class SearchServer:
    """
    Answers every search with the same rows.

    :param rows: With title, url, text and date.
    :param status: HTTP status of every answer.
    :param raw: Sent as the whole body.
    :param delay: Waits for this event before it answers.
    """

    def __init__(
        self,
        rows: list[dict[str, Any]],
        *,
        status: int = 200,
        raw: bytes | None = None,
        delay: threading.Event | None = None,
    ) -> None:
        self.rows, self.status, self.raw, self.delay = rows, status, raw, delay
        self.queries: list[str] = []
        self.keys: list[str | None] = []

    @property
    def url(self) -> str:
        """Return the base URL."""
        return f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Self:
        search = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                parts = urlsplit(self.path)
                search.queries.append(parse_qs(parts.query)["q"][0])
                search.keys.append(self.headers.get("X-Subscription-Token") or self.headers.get("Authorization"))
                if search.delay is not None:
                    search.delay.wait(5)
                body = search.raw if search.raw is not None else json.dumps(search.answer(parts.path)).encode()
                self.send_response(search.status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._server.handle_error = lambda *args: None  # type: ignore[method-assign]
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *args: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def answer(self, path: str) -> dict[str, Any]:
        """Answer in the protocol of the path that was asked."""
        if path == "/search":
            rows = [
                {"title": row["title"], "url": row["url"], "content": row["text"], "publishedDate": row.get("date")}
                for row in self.rows
            ]
            return {"query": "x", "number_of_results": len(rows), "results": rows}
        rows = [
            {
                "title": f"<strong>{row['title']}</strong>",
                "url": row["url"],
                "description": row["text"].replace("&", "&amp;"),
                "page_age": row.get("date"),
            }
            for row in self.rows
        ]
        return {"type": "search", "web": {"type": "search", "results": rows}}
