"""Looks at a site before it is crawled: what its robots.txt and sitemaps offer; makes a first publisher file."""

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

import httpx
import yaml
from protego import Protego

from core.errors import InputError, UnavailableError
from core.types import Model
from scraper.crawling.robots_text import MAX_BYTES as MAX_ROBOTS_BYTES
from scraper.crawling.robots_text import PRODUCT, parse_robots
from scraper.headers import WITH_CONTENT
from scraper.probing.bounded_fetch import BoundedFetcher, PrivateAddressError
from scraper.publishers import Publisher
from scraper.publishers.site import Site, check_home, is_private_literal
from scraper.sitemaps.entries import absolute
from scraper.sitemaps.reader import SitemapReader
from scraper.sitemaps.selection import Selection

MAX_SITEMAPS = 8
MAX_BYTES = 64 * 1024 * 1024
SAMPLES = 5
_GUESSES = ("/sitemap.xml", "/sitemap_index.xml", "/news-sitemap.xml")
_CLIENT_ERROR, _SERVER_ERROR = 400, 500
_COUNTRY = re.compile(r"\.([a-z]{2})$")
_COUNTRY_CODES = {"uk": "GB"}


class SitemapFound(Model):
    """One sitemap that was looked at."""

    url: str
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
    Read a site's robots.txt and a few of its sitemaps.

    :param contact: Address in the user agent.
    :param home: As for `crawl`.
    :raises UnavailableError: If the site does not answer.
    """
    site, selection = Site(publisher, check_home(home)), Selection(publisher)
    with BoundedFetcher(contact, private_hosts=site.private_hosts) as looker:
        state, rules = _read_robots(looker, site.entrance)
        named = [url for line in rules.sitemaps if (url := absolute(line, base=f"{publisher.home}/"))]
        start = [*publisher.sitemaps] or named or [_GUESSES[0]]
        found: list[SitemapFound] = []
        samples: list[str] = []
        for reader, url in _walk(looker, site, start):
            counts = _count(reader, site, selection, samples)
            found.append(
                SitemapFound(
                    url=url, sitemaps=counts[0], pages=counts[1], wanted=counts[2], problems=tuple(reader.problems)
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
    Make a first publisher file for a site: its sitemaps from robots.txt, its country from its name.

    :param address: Of any of its pages.
    :param name: For the file.
    :raises InputError: If the address or name cannot be used.
    :raises UnavailableError: If the site does not answer, or offers no sitemap.
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
    if not sitemaps:
        raise UnavailableError(
            f"{home} names no sitemap in robots.txt, and none is at {', '.join(_GUESSES)}",
            field="address",
            hint="Look for its sitemap or feed by hand and write it into the publisher file.",
        )
    ending = _COUNTRY.search(parts.hostname or "")
    country = _COUNTRY_CODES.get(ending[1], ending[1].upper()) if ending else None
    return Publisher(
        name=name,
        home=home,
        sitemaps=tuple(dict.fromkeys(sitemaps)),
        country=country,
        allow_private_addresses=is_private,
    )


def to_yaml(publisher: Publisher) -> str:
    """Write a publisher file that says what it leaves at its default only where it matters."""
    values = publisher.model_dump(mode="json", exclude_defaults=True)
    head = "# Made by 'looksy publishers add'. docs/crawling.md lists every key; 'looksy publishers check' tries it.\n"
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


def _fetch(looker: BoundedFetcher, url: str) -> bytes:
    """Return the content of a sitemap; empty if there is none."""
    try:
        answer = looker.fetch(url, most_bytes=MAX_BYTES)
    except httpx.HTTPError:
        return b""
    return answer.content if answer.status in WITH_CONTENT and answer.is_whole else b""


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
