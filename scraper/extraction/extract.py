"""From a fetched page to an article, or to the reason why there is none. A pure function of its arguments."""

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from urllib.parse import urlsplit

from core.types import Article
from core.urls import article_id, content_hash
from scraper.extraction.agency import read_agency
from scraper.extraction.authors import read_authors
from scraper.extraction.body import read_body
from scraper.extraction.continuation import is_same_story, join_bodies
from scraper.extraction.correction import has_correction
from scraper.extraction.headline import read_headline
from scraper.extraction.jsonld import text_of
from scraper.extraction.language import read_language
from scraper.extraction.links import bare_host, read_canonical
from scraper.extraction.page import MAX_BYTES, Page, TooComplexError, UnusablePageError, parse_page
from scraper.extraction.page_type import judge_page
from scraper.extraction.paywall import find_paywall
from scraper.extraction.text import text_weight
from scraper.extraction.times import read_modified, read_published
from scraper.publishers import Publisher
from scraper.rejection import Rejection, RejectionReason

MAX_SECTION_CHARS = 80
MIN_BODY_CHARS = 80
_BINARY_STARTS = (b"%PDF-", b"\xff\xd8\xff", b"\x89PNG", b"GIF8", b"RIFF", b"PK\x03\x04", b"\x1f\x8b")
"""Of PDF, images, archives and office files, whatever the server calls them."""


def extract(
    content: bytes,
    *,
    headers: Mapping[str, str],
    url: str,
    fetched_at: datetime,
    publisher: Publisher | None = None,
    listed_at: datetime | None = None,
    further: Sequence[tuple[str, bytes]] = (),
) -> Article | Rejection:
    """
    Extract the article of a page.

    :param content: The page as it was served, without content encoding.
    :param headers: Of the response, names in any case; only Content-Type is read.
    :param url: Where the page was found, after redirects.
    :param fetched_at: Becomes `first_seen_at`; later times of publication are not believed.
    :param publisher: What is known of the site: name, time zone, what to cut out. None: what the page says.
    :param further: Addresses and contents of the pages on which the story goes on, in order.
    :param listed_at: Time of publication that a news sitemap or feed gives; comes before any guess.
    """
    content_type = next((value for name, value in headers.items() if name.lower() == "content-type"), "")
    refused = _refuse_unread(content, content_type=content_type, url=url)
    if refused:
        return refused
    try:
        page = parse_page(content, url=url, content_type=content_type)
    except TooComplexError as error:
        return Rejection(url=url, reason=RejectionReason.TOO_COMPLEX, detail=str(error))
    except UnusablePageError as error:
        return Rejection(url=url, reason=RejectionReason.BROKEN_HTML, detail=str(error))
    pages = list(_parse_further(further, content_type=content_type))
    return _extract_page(
        page, site=_Site.of(publisher), fetched_at=fetched_at.astimezone(UTC), listed_at=listed_at, further=pages
    )


def _parse_further(further: Sequence[tuple[str, bytes]], *, content_type: str) -> Iterator[Page]:
    for url, content in further:
        with contextlib.suppress(UnusablePageError):
            if len(content) <= MAX_BYTES:
                yield parse_page(content, url=url, content_type=content_type)


def _refuse_unread(content: bytes, *, content_type: str, url: str) -> Rejection | None:
    """Refuse what is not worth parsing."""
    media_type = content_type.split(";", maxsplit=1)[0].strip().lower()
    if not content.strip():
        return Rejection(url=url, reason=RejectionReason.EMPTY, detail="the reply has no content")
    if len(content) > MAX_BYTES:
        detail = f"the page has {len(content):,} bytes; {MAX_BYTES:,} are allowed"
        return Rejection(url=url, reason=RejectionReason.TOO_LARGE, detail=detail)
    if media_type and media_type not in {
        "text/html",
        "application/xhtml+xml",
        "text/plain",
        "application/octet-stream",
    }:
        return Rejection(url=url, reason=RejectionReason.NOT_HTML, detail=f"the server says that it is {media_type}")
    if content.startswith(_BINARY_STARTS):
        return Rejection(url=url, reason=RejectionReason.NOT_HTML, detail="it does not begin as a web page does")
    return None


@dataclass(frozen=True)
class _Site:
    """What is known of the page's publisher."""

    name: str = ""
    zone: tzinfo = UTC
    country: str | None = None
    hosts: frozenset[str] = frozenset()
    prune_xpaths: tuple[str, ...] = ()
    paywall_markers: tuple[str, ...] = ()
    tracking_parameters: frozenset[str] = frozenset()

    @classmethod
    def of(cls, publisher: Publisher | None) -> "_Site":
        if publisher is None:
            return cls()
        return cls(
            name=publisher.source,
            zone=publisher.zone,
            country=publisher.country,
            hosts=frozenset(map(bare_host, (urlsplit(publisher.home).hostname or "", *publisher.domains))),
            prune_xpaths=publisher.prune_xpaths,
            paywall_markers=publisher.paywall_markers,
            tracking_parameters=frozenset(publisher.tracking_parameters),
        )


def _extract_page(
    page: Page, *, site: _Site, fetched_at: datetime, listed_at: datetime | None, further: Sequence[Page]
) -> Article | Rejection:
    headline = read_headline(page)
    authors = read_authors(page)
    body = read_body(page, headline=headline, authors=authors, prune_xpaths=site.prune_xpaths)
    if further:
        own = [one for one in further if is_same_story(headline, read_headline(one))]
        rest = [read_body(one, headline=headline, authors=authors, prune_xpaths=site.prune_xpaths) for one in own]
        body = join_bodies(body, rest)
    refused = _refuse_read(page, headline=headline, body=body, site=site)
    if refused:
        return refused
    published = read_published(page, zone=site.zone, now=fetched_at, country=site.country, listed_at=listed_at)
    url = read_canonical(page, trusted_hosts=site.hosts)
    return Article(
        article_id=article_id(url, tracking_parameters=site.tracking_parameters),
        url=url,
        headline=headline,
        body=body,
        published_at=published,
        modified_at=read_modified(page, zone=site.zone, now=fetched_at, published=published, country=site.country),
        first_seen_at=fetched_at,
        source=site.name or page.meta_text("og:site_name") or bare_host(urlsplit(url).hostname or "unknown"),
        section=read_section(page),
        authors=authors,
        language=read_language(page, body=body),
        agency=read_agency(page, authors=authors, body=body),
        content_hash=content_hash(headline, body),
        correction=has_correction(page, body=body),
    )


def _refuse_read(page: Page, *, headline: str, body: str, site: _Site) -> Rejection | None:
    """Refuse a page that was read but holds no article, or not all of it."""
    finding = judge_page(page, body=body)
    if finding:
        return Rejection(url=page.url, reason=finding[0], detail=finding[1])
    if not headline:
        return Rejection(url=page.url, reason=RejectionReason.NO_HEADLINE, detail="the page names no headline")
    wall = find_paywall(page, body=body, markers=site.paywall_markers)
    if wall:
        return Rejection(url=page.url, reason=RejectionReason.PAYWALLED, detail=wall)
    if text_weight(body) < MIN_BODY_CHARS:
        detail = f"{len(body)} characters of text were found; an article has at least {MIN_BODY_CHARS}"
        return Rejection(url=page.url, reason=RejectionReason.NO_BODY, detail=detail)
    return None


def read_section(page: Page) -> str | None:
    """Return the section as the page writes it: JSON-LD, then meta elements; None if it does not say."""
    stated = text_of(page.article_data.get("articleSection"))
    found = stated or page.meta_text(
        "article:section", "og:article:section", "parsely-section", "section", "cxenseparse:section"
    )
    return found[:MAX_SECTION_CHARS] or None
