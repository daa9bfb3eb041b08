"""A news site of many equal pages, served from a process of its own, for measuring crawlers."""

import hashlib
import multiprocessing
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from multiprocessing.connection import Connection

PER_SITEMAP = 500
FULL_PAGE_BYTES = 40_000
"""Smaller pages have fewer links and paragraphs, too."""
_NS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'


@contextmanager
def serve_pages(count: int, *, page_bytes: int) -> Iterator[str]:
    """
    Serve `count` article pages with robots.txt and a sitemap index on loopback.

    :param page_bytes: About how large a page is.
    :returns: Scheme, host and port.
    """
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(theirs, count, page_bytes), daemon=True)
    process.start()
    try:
        yield f"http://127.0.0.1:{ours.recv()}"
    finally:
        process.terminate()
        process.join()


def page_paths(count: int) -> list[str]:
    """Return the paths of the article pages."""
    return [f"/news/2024/03/story-{number}" for number in range(count)]


def make_page(path: str, *, page_bytes: int) -> bytes:
    """Make an article of 600 words or so between scripts, navigation and links, as news sites do; or a small one."""
    paragraph_count, link_count = (40, 300) if page_bytes >= FULL_PAGE_BYTES else (6, 5)
    words = [hashlib.sha256(f"{path}{number}".encode()).hexdigest()[:6] for number in range(5 * paragraph_count)]
    paragraphs = "".join(
        f"<p>The council of {words[4 * n]} said on Monday that {words[4 * n + 1]} would open a school near"
        f" {words[4 * n + 2]}, after long talks with {words[4 * n + 3]} and two other towns.</p>"
        for n in range(paragraph_count)
    )
    head = (
        f'<!doctype html><html lang="en"><head><title>Council decides {words[0]}</title>'
        f'<meta property="og:title" content="Council decides {words[0]}"><meta property="og:type" content="article">'
        '<meta property="article:published_time" content="2024-03-05T10:00:00+00:00"></head><body>'
    )
    article = f"<article><h1>Council decides {words[0]}</h1>{paragraphs}</article>"
    rest = page_bytes - len(head) - len(article)
    links = "".join(
        f'<li><a href="/section/{n}"><span class="label">Section {n}</span></a></li>' for n in range(link_count)
    )
    script = "<script>" + "var state = {};" * max(0, (rest - len(links)) // 15) + "</script>"
    return f"{head}<nav><ul>{links}</ul></nav>{article}{script}</body></html>".encode()


def _sitemaps(count: int) -> dict[str, bytes]:
    paths = page_paths(count)
    maps = {}
    for start in range(0, count, PER_SITEMAP):
        entries = "".join(f"<url><loc>{path}</loc></url>" for path in paths[start : start + PER_SITEMAP])
        maps[f"/sitemaps/{start}.xml"] = f"<urlset {_NS}>{entries}</urlset>".encode()
    index = "".join(f"<sitemap><loc>{path}</loc></sitemap>" for path in maps)
    return maps | {
        "/sitemap.xml": f"<sitemapindex {_NS}>{index}</sitemapindex>".encode(),
        "/robots.txt": b"User-agent: *\nAllow: /\n",
    }


def _serve(connection: Connection, count: int, page_bytes: int) -> None:
    pages = {path: make_page(path, page_bytes=page_bytes) for path in page_paths(count)} | _sitemaps(count)
    tags = {path: f'"{hashlib.sha256(content).hexdigest()[:16]}"' for path, content in pages.items()}

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True
        wbufsize = -1

        def do_GET(self) -> None:
            content, tag = pages.get(self.path, b""), tags.get(self.path)
            unchanged = tag is not None and self.headers.get("If-None-Match") == tag
            self.send_response(304 if unchanged else 200 if tag else 404)
            self.send_header("ETag", tag or '""')
            self.send_header("Content-Type", "text/html; charset=utf-8" if "/news/" in self.path else "text/xml")
            if not unchanged:
                self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            if not unchanged:
                self.wfile.write(content)
            self.wfile.flush()

        def log_message(self, *args: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    connection.send(server.server_address[1])
    server.serve_forever()
