"""A news site on loopback that a test can make answer anything, and that remembers what it was asked."""

import gzip
import hashlib
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from core.types import Article
from scraper.crawling.crawl import crawl
from scraper.extraction.workers.tasks import PageLimits
from scraper.publishers import Publisher
from scraper.state.report import CrawlReport

SITEMAP_NS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
HOME = "https://www.example.org"


@dataclass
class Answer:
    content: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    delay_s: float = 0.0
    declared_length: int | None = None
    hangs_up: bool = False


@dataclass(frozen=True)
class Asked:
    path: str
    headers: dict[str, str]
    at: float


class PlaySite:
    """Routes are answers, or functions of the request that return one. Everything else is 404."""

    def __init__(self) -> None:
        self.routes: dict[str, Answer | Callable[[Asked], Answer]] = {}
        self.asked: list[Asked] = []
        self.dead = False
        self.add("/robots.txt", b"User-agent: *\nAllow: /\n", **{"Content-Type": "text/plain"})
        site = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True
            wbufsize = -1

            def do_GET(self) -> None:
                if site.dead:
                    self.close_connection = True
                    return
                asked = Asked(self.path, {name.lower(): value for name, value in self.headers.items()}, time.time())
                site.asked.append(asked)
                route = site.routes.get(self.path, Answer(b"<h1>Not found</h1>", 404))
                answer = route(asked) if callable(route) else route
                if answer.hangs_up:
                    self.close_connection = True
                    return
                if answer.delay_s:
                    time.sleep(answer.delay_s)
                self.send_response(answer.status)
                for name, value in answer.headers.items():
                    self.send_header(name, value)
                if answer.status != 304:
                    length = len(answer.content) if answer.declared_length is None else answer.declared_length
                    self.send_header("Content-Length", str(length))
                self.end_headers()
                if answer.status != 304:
                    self.wfile.write(answer.content)
                self.wfile.flush()
                if answer.declared_length is not None:
                    self.close_connection = True

            def log_message(self, *args: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    @property
    def home(self) -> str:
        return f"http://127.0.0.1:{self.server.server_address[1]}"

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()

    def add(self, path: str, content: bytes | str, *, status: int = 200, **headers: str) -> None:
        body = content.encode() if isinstance(content, str) else content
        self.routes[path] = Answer(body, status, {"Content-Type": "text/html; charset=utf-8", **headers})

    def add_article(self, path: str, text: str = "", *, validators: bool = True, **options: str) -> None:
        """An article page that answers conditional requests."""
        content = article_page(path, text, **options).encode()
        etag = f'"{hashlib.sha256(content).hexdigest()[:16]}"'
        headers = {"Content-Type": "text/html; charset=utf-8"}
        if validators:
            headers |= {"ETag": etag, "Last-Modified": formatdate(1_700_000_000, usegmt=True)}

        def answer(asked: Asked) -> Answer:
            if validators and asked.headers.get("if-none-match") == etag:
                return Answer(b"", 304, headers)
            return Answer(content, 200, headers)

        self.routes[path] = answer

    def add_sitemap(self, *locations: str, path: str = "/sitemap.xml", **headers: str) -> None:
        self.add(path, urlset(*locations), **{"Content-Type": "application/xml", **headers})

    def count(self, path: str) -> int:
        return sum(asked.path == path for asked in self.asked)

    def paths(self, prefix: str = "/news/") -> Counter[str]:
        return Counter(asked.path for asked in self.asked if asked.path.startswith(prefix))


def urlset(*locations: str) -> str:
    entries = "".join(f"<url><loc>{location}</loc></url>" for location in locations)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset {SITEMAP_NS}>{entries}</urlset>'


def index(*locations: str) -> str:
    entries = "".join(f"<sitemap><loc>{location}</loc></sitemap>" for location in locations)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<sitemapindex {SITEMAP_NS}>{entries}</sitemapindex>'


def sentences(seed: str, count: int = 9) -> str:
    """Text that no other page has."""
    words = [hashlib.sha256(f"{seed}{number}".encode()).hexdigest()[:7] for number in range(count * 4)]
    return " ".join(
        f"The council of {words[4 * number]} said on Monday that {words[4 * number + 1]} would open near"
        f" {words[4 * number + 2]} after talks with {words[4 * number + 3]}."
        for number in range(count)
    )


def article_page(
    path: str,
    text: str = "",
    *,
    headline: str = "",
    published: str = "2024-03-05T10:00:00+00:00",
    canonical: str | None = None,
) -> str:
    headline = headline or f"Council of {path.strip('/').replace('/', ' ').replace('-', ' ')} decides"
    body = text or f"{sentences(path)}\n\n{sentences(path + 'x')}"
    paragraphs = "".join(f"<p>{paragraph}</p>" for paragraph in body.split("\n\n"))
    link = canonical if canonical is not None else f"{HOME}{path}"
    return (
        f'<!doctype html><html lang="en"><head><title>{headline}</title><link rel="canonical" href="{link}">'
        f'<meta property="og:type" content="article"><meta property="og:title" content="{headline}">'
        f'<meta property="article:published_time" content="{published}"></head>'
        f"<body><article><h1>{headline}</h1>{paragraphs}</article></body></html>"
    )


def publisher(**fields: object) -> Publisher:
    values: dict[str, object] = {"name": "play", "home": HOME, "languages": (), "delay": 0, **fields}
    return Publisher.model_validate(values)


def run(
    site: PlaySite,
    data_dir: Path,
    *,
    limit: int | None = None,
    workers: int = 1,
    page_limits: PageLimits | None = None,
    **fields: object,
) -> CrawlReport:
    return crawl(
        publisher(**fields),
        data_dir=data_dir,
        home=site.home,
        contact="https://test.example",
        limit=limit,
        workers=workers,
        page_limits=page_limits,
    )


def articles(data_dir: Path) -> list[Article]:
    lines = [
        line
        for path in sorted((data_dir / "articles").glob("**/*.jsonl"))
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
    return [Article.model_validate_json(line) for line in lines]


def gzipped(text: str) -> bytes:
    return gzip.compress(text.encode())
