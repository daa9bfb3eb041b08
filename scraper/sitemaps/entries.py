"""One entry of a sitemap or feed: what is read out of its XML element."""

import html
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from urllib.parse import urljoin, urlsplit

from lxml import etree

MAX_URL_CHARS = 2048
_ABSOLUTE = ("https://", "http://")
_FEED_LINK = ("alternate", "")
_YEARS = range(1605, 2101)
"""Of times that are believed: from the first newspaper on. Empty dates of databases are those of year 1 or 9999."""


@dataclass(frozen=True, slots=True)
class SitemapEntry:
    """One page, or one further sitemap, that a sitemap names."""

    url: str
    """Absolute."""
    is_sitemap: bool = False
    lastmod: datetime | None = None
    """UTC; a day means its midnight."""
    published_at: datetime | None = None
    """UTC; from `news:publication_date` or a feed."""
    title: str | None = None
    language: str | None = None
    images: tuple[str, ...] = ()
    alternates: tuple[str, ...] = ()
    """The page in other languages, from `xhtml:link`."""


def read_page(element: etree._Element, *, base: str) -> SitemapEntry | None:
    """
    Read a `url` element, or the `sitemap` element of an index.

    Only a `loc` of the element's own namespace and level is its address: those of images and videos are not. Nor are
    their titles and dates those of the page, only what a `news:news` element says.

    :param base: Address of the sitemap; relative locations are joined to it.
    :returns: None if it has no usable address.
    """
    own: dict[str, str] = {}
    news: dict[str, str] = {}
    images: list[str] = []
    alternates: list[str] = []
    namespace = _namespace(element)
    for child in element.iterdescendants():
        name, text = local_name(child), (child.text or "").strip()
        if child.getparent() is element and _namespace(child) == namespace:
            own.setdefault(name, text)
        elif name == "loc" and local_name(child.getparent()) == "image":
            images.append(text)
        elif name == "link" and child.get("rel") == "alternate":
            alternates.append(child.get("href") or "")
        elif text and _is_of_news(child):
            news.setdefault(name, text)
    address = absolute(own.get("loc", ""), base=base)
    if address is None:
        return None
    return SitemapEntry(
        url=address,
        is_sitemap=local_name(element) == "sitemap",
        lastmod=parse_moment(own.get("lastmod", "")),
        published_at=parse_moment(news.get("publication_date", "")),
        title=html.unescape(news["title"]) if "title" in news else None,
        language=news.get("language"),
        images=_all_absolute(images, base),
        alternates=_all_absolute(alternates, base),
    )


def read_feed_item(element: etree._Element, *, base: str) -> SitemapEntry | None:
    """
    Read an `item` of RSS or an `entry` of Atom.

    :param base: As for `read_page`.
    """
    fields: dict[str, str] = {}
    links: list[str] = []
    for child in element:
        name, text = local_name(child), (child.text or "").strip()
        if name == "link" and (child.get("rel") or "") in _FEED_LINK:
            links.append(text or child.get("href") or "")
        elif text and not (name == "guid" and child.get("isPermaLink") == "false"):
            fields.setdefault(name, text)
    address = next(iter(_all_absolute([*links, _if_address(fields.get("guid", ""))], base)), None)
    if address is None:
        return None
    published = fields.get("pubDate") or fields.get("published") or fields.get("date") or ""
    return SitemapEntry(
        url=address,
        lastmod=parse_moment(fields.get("updated", "")) or parse_moment(published),
        published_at=parse_moment(published),
        title=html.unescape(fields["title"]) if "title" in fields else None,
        language=fields.get("language"),
    )


def absolute(location: str, *, base: str) -> str | None:
    """Return the absolute address of a location; None if it is none that a crawler may follow."""
    location = location.strip().replace("&amp;", "&")
    if len(location) > MAX_URL_CHARS or len(location.split()) != 1:
        return None
    try:
        address = location if location.startswith(_ABSOLUTE) else urljoin(base, location)
        parts = urlsplit(address)
        _ = parts.port
    except ValueError:
        return None
    return address if parts.scheme in {"http", "https"} and parts.hostname else None


def _all_absolute(locations: Iterable[str], base: str) -> tuple[str, ...]:
    return tuple(address for location in locations if (address := absolute(location, base=base)))


def parse_moment(text: str) -> datetime | None:
    """Read a W3C or RFC 2822 time; without a zone it is UTC. None if it is neither, or of an impossible year."""
    text = text.strip()
    if not text:
        return None
    for read in (datetime.fromisoformat, _year_and_month, parsedate_to_datetime):
        try:
            moment = read(text)
            moment = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
        except (ValueError, TypeError, IndexError, OverflowError):
            continue
        return moment if moment.year in _YEARS else None
    return None


def _year_and_month(text: str) -> datetime:
    return datetime.strptime(text, "%Y-%m").replace(tzinfo=UTC)


def local_name(element: etree._Element | None) -> str:
    """Return an element's name without namespace or prefix; empty for comments and instructions."""
    if element is None or not isinstance(element.tag, str):
        return ""
    return element.tag.rpartition("}")[2].rpartition(":")[2]


def _is_of_news(element: etree._Element) -> bool:
    parent = element.getparent()
    if local_name(parent) == "publication" and parent is not None:
        parent = parent.getparent()
    return local_name(parent) == "news"


def _namespace(element: etree._Element) -> str:
    tag = element.tag if isinstance(element.tag, str) else ""
    return tag.rpartition("}")[0] or tag.rpartition(":")[0]


def _if_address(text: str) -> str:
    return text if "://" in text else ""
