"""Serves the sample site over real HTTP: keep-alive, gzip, ETag, Last-Modified and conditional requests."""

import gzip
import logging
import threading
from collections.abc import Callable
from email.utils import format_datetime, parsedate_to_datetime
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import unquote, urlsplit

from core.errors import UnavailableError
from scraper.samplesite.site import Resource, build_site
from scraper.samplesite.stories import Story, read_stories

logger = logging.getLogger(__name__)
LOOPBACK = "127.0.0.1"
_NOT_FOUND = b"<!doctype html><title>Page not found</title><h1>Page not found</h1><p>There is no such page.</p>"


class SampleServer:
    """
    The sample site on a loopback port. Use it as a context manager, or call `start` and `stop`.

    :param stories: What the site publishes.
    :param port: 0 takes a free one; see `address` after the start.
    :param host: Address to listen on.
    """

    def __init__(self, stories: list[Story], *, port: int = 0, host: str = LOOPBACK) -> None:
        self.stories = stories
        self.port = port
        self.host = host
        self._server: _Server | None = None
        self._thread: threading.Thread | None = None

    @property
    def address(self) -> str:
        """Scheme, host and port: what `looksy crawl sample --home` wants."""
        return f"http://{self.host}:{self.port}"

    def start(self) -> Self:
        """
        Bind the port, make the site and answer requests in a thread of its own.

        :raises UnavailableError: If the port cannot be bound.
        """
        self._server = self._bind()
        self._thread = threading.Thread(target=self._server.serve_forever, name="sample-site", daemon=True)
        self._thread.start()
        return self

    def wait(self) -> None:
        """Block until the server stops."""
        if self._thread is not None:
            self._thread.join()

    def stop(self) -> None:
        """Stop answering and free the port; stopping twice is harmless."""
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._server = None

    def _bind(self) -> "_Server":
        try:
            server = _Server((self.host, self.port), _Handler)
        except OSError as error:
            raise UnavailableError(
                f"The sample site cannot listen on {self.host}:{self.port}: {error.strerror or error}",
                field="port",
                hint="Choose another port, or 0 for a free one.",
            ) from error
        self.port = server.server_address[1]
        server.site = build_site(self.stories, base_url=self.address)
        return server

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.stop()


def serve(
    articles_file: Path, *, port: int, host: str = LOOPBACK, on_ready: Callable[[str], None] | None = None
) -> None:
    """
    Serve the site until interrupted.

    :param articles_file: As for `read_stories`.
    :param port: 0 takes a free one.
    :param on_ready: Is told the address once the site answers.
    :raises InputError: If the articles cannot be read.
    :raises UnavailableError: If the port cannot be bound.
    """
    with SampleServer(read_stories(articles_file), port=port, host=host) as server:
        if on_ready is not None:
            on_ready(server.address)
        server.wait()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128
    site: dict[str, Resource]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "LooksySample"
    disable_nagle_algorithm = True
    wbufsize = -1  # one packet for headers and content
    server: _Server

    def do_GET(self) -> None:
        self._answer(with_content=True)

    def do_HEAD(self) -> None:
        self._answer(with_content=False)

    def _answer(self, *, with_content: bool) -> None:
        resource = self.server.site.get(unquote(urlsplit(self.path).path))
        if resource is None:
            self._send(HTTPStatus.NOT_FOUND, _NOT_FOUND, {"Content-Type": "text/html"}, with_content=with_content)
            return
        headers = {
            "ETag": resource.etag,
            "Last-Modified": format_datetime(resource.modified_at, usegmt=True),
            "Cache-Control": "no-cache",
            "Vary": "Accept-Encoding",
        }
        if self._is_current(resource):
            self._send(HTTPStatus.NOT_MODIFIED, None, headers, with_content=False)
            return
        content = resource.content
        if "gzip" in self.headers.get("Accept-Encoding", "") and resource.content_type.startswith("text/"):
            content = gzip.compress(content, compresslevel=1, mtime=0)
            headers["Content-Encoding"] = "gzip"
        headers["Content-Type"] = resource.content_type
        self._send(HTTPStatus.OK, content, headers, with_content=with_content)

    def _is_current(self, resource: Resource) -> bool:
        """Say whether the client's copy is the one that is served (RFC 9110, section 13.2.2)."""
        tags = self.headers.get("If-None-Match")
        if tags is not None:
            return resource.etag in [tag.strip().removeprefix("W/") for tag in tags.split(",")] or tags.strip() == "*"
        since = self.headers.get("If-Modified-Since")
        if since is None:
            return False
        try:
            return resource.modified_at <= parsedate_to_datetime(since)
        except (TypeError, ValueError):
            return False

    def _send(self, status: HTTPStatus, content: bytes | None, headers: dict[str, str], *, with_content: bool) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if content is not None:
            self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if content is not None and with_content:
            self.wfile.write(content)
        self.wfile.flush()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (name of the base class)
        logger.debug(format, *args)
