"""Looks at a site before it is crawled: what robots.txt, sitemaps and feeds offer; makes a first publisher file."""

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

import httpx
import lxml.etree
import lxml.html
import yaml
from protego import Protego

from core.errors import InputError, UnavailableError
from core.text import visible
from core.types import Model
from scraper.crawling.robots_text import MAX_BYTES as MAX_ROBOTS_BYTES
from scraper.crawling.robots_text import PRODUCT, parse_robots
from scraper.headers import WITH_CONTENT
from scraper.probing.bounded_fetch import BoundedFetcher, PrivateAddressError
from scraper.publishers import Publisher
from scraper.publishers.site import Site, check_home, is_private_literal
from scraper.sitemaps.entries import absolute
from scraper.sitemaps.reader import SitemapKind, SitemapReader
from scraper.sitemaps.selection import Selection
from scraper.sitemaps.sitemap_queue import first_sitemaps

MAX_SITEMAPS = 8
MAX_BYTES = 64 * 1024 * 1024
SAMPLES = 5
_GUESSES = ("/sitemap.xml", "/sitemap_index.xml", "/news-sitemap.xml")
_FEED_GUESSES = ("/feed", "/rss", "/rss.xml", "/feed.xml", "/atom.xml", "/feed.json", "/index.xml")
_FEED_TYPES = frozenset(
    {"application/rss+xml", "application/atom+xml", "application/rdf+xml", "application/feed+json", "application/json"}
)
_COMMENTS = re.compile(r"comment|kommentar|coment", re.IGNORECASE)
MAX_FEEDS, MAX_FEEDS_TRIED = 5, 12
MAX_FRONT_PAGE_BYTES = 2 * 1024 * 1024
MAX_TITLE_CHARS = 80
_CLIENT_ERROR, _SERVER_ERROR = 400, 500
_COUNTRY = re.compile(r"\.([a-z]{2})$")
_COUNTRY_CODES = {"uk": "GB"}


class SitemapFound(Model):
    """One sitemap or feed that was looked at."""

    url: str
    kind: str = ""
    """index, pages, feed, text, or what else stood there: html, empty, other."""
    sitemaps: int
    """Further sitemaps that it names."""
    pages: int
    wanted: int
    """Pages that the publisher file wants, by their address and date."""
    problems: tuple[str, ...] = ()


class SiteCheck(Model):
    """What a look at a site found."""

    publisher: str
    robots: str
    """read, missing (everything is allowed), or unreachable."""
    crawl_delay_s: float | None = None
    sitemaps: tuple[SitemapFound, ...] = ()
    """The first few; an index is followed to its newest sitemaps."""
    samples: tuple[str, ...] = ()
    """Wanted addresses."""
    refused_by_robots: int = 0
    """Of the samples."""

    @property
    def is_usable(self) -> bool:
        """A crawl would find pages that it may fetch."""
        return bool(self.samples) and self.refused_by_robots < len(self.samples)


def check_site(publisher: Publisher, *, contact: str, home: str | None = None) -> SiteCheck:
    """
    Read a site's robots.txt and a few of its sitemaps and feeds.

    :param contact: Address in the user agent.
    :param home: As for `crawl`.
    :raises UnavailableError: If the site does not answer.
    """
    site, selection = Site(publisher, check_home(home)), Selection(publisher)
    with BoundedFetcher(contact, private_hosts=site.private_hosts) as looker:
        state, rules = _read_robots(looker, site.entrance)
        named = [url for line in rules.sitemaps if (url := absolute(line, base=f"{publisher.home}/"))]
        start = sorted(first_sitemaps(publisher, named), key=lambda url: url not in publisher.feeds)  # an index is long
        found: list[SitemapFound] = []
        samples: list[str] = []
        for reader, url in _walk(looker, site, start):
            counts = _count(reader, site, selection, samples)
            found.append(
                SitemapFound(
                    url=url,
                    kind=str(reader.kind),
                    sitemaps=counts[0],
                    pages=counts[1],
                    wanted=counts[2],
                    problems=tuple(reader.problems),
                )
            )
    shown = samples[-SAMPLES:]
    delay = rules.crawl_delay(PRODUCT)
    return SiteCheck(
        publisher=publisher.name,
        robots=state,
        crawl_delay_s=float(delay) if delay else None,
        sitemaps=tuple(found),
        samples=tuple(shown),
        refused_by_robots=sum(not rules.can_fetch(site.fetch_address(url), PRODUCT) for url in shown),
    )


def discover(address: str, *, name: str, contact: str) -> Publisher:
    """
    Make a first publisher file for a site: sitemaps from robots.txt, title and feeds from its front page.

    The country is that of its host's ending.

    :param address: Of any of its pages.
    :param name: For the file.
    :raises InputError: If the address or name cannot be used.
    :raises UnavailableError: If the site does not answer, or offers neither sitemap nor feed.
    """
    parts = urlsplit(address if "://" in address else f"https://{address}")
    home = check_home(f"{parts.scheme}://{parts.netloc}") or ""
    if not re.fullmatch(r"[a-z0-9][a-z0-9_-]{0,63}", name):
        raise InputError(f"name is {name!r}; use lower case, digits, - and _", field="name")
    is_private = is_private_literal(parts.hostname or "")  # someone typed it
    site = Site(Publisher(name=name, home=home, allow_private_addresses=is_private))
    with BoundedFetcher(contact, private_hosts=site.private_hosts) as looker:
        _, rules = _read_robots(looker, home)
        sitemaps = [url for line in rules.sitemaps if (url := absolute(line, base=""))]
        if not sitemaps:
            guesses = {f"{home}{path}" for path in _GUESSES}  # not what an index among them names
            found = _walk(looker, site, list(_GUESSES))
            sitemaps = [url for reader, url in found if url in guesses and any(True for _ in reader)]
        front = _read_page(_fetch(looker, f"{site.entrance}/", most_bytes=MAX_FRONT_PAGE_BYTES))
        feeds = list(_find_feeds(looker, site, front, guess=not sitemaps))
    if not sitemaps and not feeds:
        raise UnavailableError(
            f"{home} names no sitemap in robots.txt, none is at {', '.join(_GUESSES)}, its front page names no feed",
            field="address",
            hint="Look for its sitemap or feed by hand and write it into the publisher file.",
        )
    ending = _COUNTRY.search(parts.hostname or "")
    country = _COUNTRY_CODES.get(ending[1], ending[1].upper()) if ending else None
    return Publisher(
        name=name,
        title=_site_title(front),
        home=home,
        sitemaps=tuple(dict.fromkeys(sitemaps)),
        feeds=tuple(feeds),
        country=country,
        allow_private_addresses=is_private,
    )


def to_yaml(publisher: Publisher) -> str:
    """Write a publisher file that says what it leaves at its default only where it matters."""
    values = publisher.model_dump(mode="json", exclude_defaults=True)
    head = "# Made by 'looksy publishers add'. docs/reference/publisher_file.md lists every key.\n"
    return head + str(yaml.safe_dump(values, sort_keys=False, allow_unicode=True))


def _read_robots(looker: BoundedFetcher, home: str) -> tuple[str, Protego]:
    try:
        answer = looker.fetch(f"{home}/robots.txt", most_bytes=MAX_ROBOTS_BYTES)
    except PrivateAddressError as error:
        raise UnavailableError(
            f"{home} is not asked: {error}",
            field="home",
            hint="If that is meant, write allow_private_addresses: true into the publisher file.",
        ) from error
    except httpx.HTTPError as error:
        raise UnavailableError(
            f"{home} does not answer: {error or type(error).__name__}", field="home", hint="Check address and network."
        ) from error
    if answer.status >= _SERVER_ERROR:
        raise UnavailableError(
            f"{home}/robots.txt was answered with HTTP status {answer.status}, so nothing may be fetched now",
            field="home",
            hint="Try again later.",
        )
    if answer.status >= _CLIENT_ERROR:
        return "missing", Protego.parse("")
    return "read", parse_robots(answer.content)


def _read_page(content: bytes) -> lxml.html.HtmlElement | None:
    try:
        return lxml.html.document_fromstring(content)
    except (lxml.etree.LxmlError, ValueError):
        return None


def _site_title(front: lxml.html.HtmlElement | None) -> str | None:
    """Return what a site calls itself on its front page, as one line; None: it does not say, or at great length."""
    if front is None:
        return None
    said = {meta.get("property") or meta.get("name"): visible(meta.get("content") or "") for meta in front.iter("meta")}
    names = (" ".join(said.get(key, "").split()) for key in ("og:site_name", "application-name"))
    return next((name for name in names if 0 < len(name) <= MAX_TITLE_CHARS), None)


def _find_feeds(
    looker: BoundedFetcher, site: Site, front: lxml.html.HtmlElement | None, *, guess: bool
) -> Iterator[str]:
    """
    Yield the feeds that a front page names and that list pages of the site, at most a few; not those of comments.

    :param guess: Look in the common places, too, where it names none.
    """
    linked = _linked_feeds(front, base=f"{site.entrance}/")
    guesses = [f"{site.entrance}{path}" for path in _FEED_GUESSES] if guess and not linked else []
    found = 0
    for url in [*linked[:MAX_FEEDS_TRIED], *guesses]:
        if found == MAX_FEEDS or (guesses and found):
            return
        if site.refusal(url):
            continue
        reader = SitemapReader(_fetch(looker, url), url)
        lists_pages = any(not entry.is_sitemap and not site.refusal(entry.url) for entry in reader)
        if reader.kind is SitemapKind.FEED and lists_pages:
            found += 1
            yield url


def _linked_feeds(tree: lxml.html.HtmlElement | None, *, base: str) -> list[str]:
    """Return the addresses of the feeds that a page names in its head."""
    if tree is None:
        return []
    links = [
        link
        for link in tree.iter("link")
        if "alternate" in link.get("rel", "").lower().split()
        and link.get("type", "").partition(";")[0].strip().lower() in _FEED_TYPES
        and not _COMMENTS.search(f"{link.get('title', '')} {link.get('href', '')}")
    ]
    addresses = (absolute(link.get("href", ""), base=base) for link in links)
    return [address for address in dict.fromkeys(addresses) if address]


def _walk(looker: BoundedFetcher, site: Site, start: list[str]) -> Iterator[tuple[SitemapReader, str]]:
    """Read sitemaps, of an index the last ones first; yield each with its address, before it is iterated."""
    waiting = [site.identity(url if "://" in url else f"{site.publisher.home}{url}") for url in start]
    seen: set[str] = set()
    selection = Selection(site.publisher)
    while waiting and len(seen) < MAX_SITEMAPS:
        url = waiting.pop(0)
        fetched_from = site.fetch_address(url)
        if url in seen or site.refusal(fetched_from):
            continue
        seen.add(url)
        content = _fetch(looker, fetched_from)
        children = [entry.url for entry in SitemapReader(content, fetched_from) if entry.is_sitemap]
        waiting[:0] = [site.identity(child) for child in children[::-1] if selection.wants_sitemap(child)][:2]
        yield SitemapReader(content, fetched_from), url


def _fetch(looker: BoundedFetcher, url: str, *, most_bytes: int | None = None) -> bytes:
    """
    Return the content of a sitemap or page; empty if there is none.

    :param most_bytes: Its beginning is enough. None: it has to be whole.
    """
    try:
        answer = looker.fetch(url, most_bytes=most_bytes or MAX_BYTES)
    except httpx.HTTPError:
        return b""
    is_enough = answer.is_whole or most_bytes is not None
    return answer.content if answer.status in WITH_CONTENT and is_enough else b""


def _count(reader: SitemapReader, site: Site, selection: Selection, samples: list[str]) -> tuple[int, int, int]:
    sitemaps = pages = wanted = 0
    for entry in reader:
        sitemaps += entry.is_sitemap
        pages += not entry.is_sitemap
        url = site.identity(entry.url)
        if not entry.is_sitemap and selection.wants_page(url, entry):
            wanted += 1
            samples.append(url)
            del samples[:-SAMPLES]
    return sitemaps, pages, wanted
