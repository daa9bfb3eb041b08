"""One entry of a sitemap or feed: what is read out of its XML element or JSON object."""

import html
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from email.utils import parsedate_to_datetime
from urllib.parse import urljoin, urlsplit

from lxml import etree

MAX_URL_CHARS = 2048
_ABSOLUTE = ("https://", "http://")
_INVISIBLE = "\u200b\u200c\u200d\u2060\ufeff"
_BROKEN_LINE = re.compile(r"[ \t]*[\r\n\t]+[ \t\r\n]*")
_ORIGINAL = "origLink"
"""Where a service that counts readers (FeedBurner, Pheedo) keeps the address that it replaced."""
_FEED_LINK = ("alternate", "")
_NEXT_PAGE = ("next", "prev-archive")
SEVERAL = 2
_HAS_CLOCK = re.compile(r"\d:\d|T\d")
_ZONE_NAME = re.compile(
    r"(?<=\d)\s+(?!(?:GMT|UT|UTC|Z|E[SD]T|C[SD]T|M[SD]T|P[SD]T)\s*$)([A-Z]{3,5})\s*$", re.IGNORECASE
)
"""Of names that `email.utils` does not know; it would take them for UTC."""
_ZONES = {
    "AEDT": 11, "AEST": 10, "AWST": 8, "BST": 1, "CAT": 2, "CEST": 2, "CET": 1, "EAT": 3, "EEST": 3, "EET": 2, "HKT": 8,
    "HST": -10, "JST": 9, "KST": 9, "MESZ": 2, "MEZ": 1, "MSK": 3, "NZDT": 13, "NZST": 12, "PHT": 8, "PKT": 5,
    "SAST": 2, "SGT": 8, "WAT": 1, "WEST": 1, "WET": 0, "WIB": 7,
}  # fmt: skip
"""Hours before UTC, of names that mean one zone."""
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


def read_page(element: etree._Element, *, base: str, zone: tzinfo = UTC) -> SitemapEntry | None:
    """
    Read a `url` element, or the `sitemap` element of an index.

    Only a `loc` of the element's own namespace and level is its address: those of images and videos are not. Nor are
    their titles and dates those of the page, only what a `news:news` element says.

    :param base: Address of the sitemap; relative locations are joined to it.
    :param zone: For times that name none.
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
    address = absolute(mend_location(own.get("loc", "")), base=base)
    if address is None:
        return None
    return SitemapEntry(
        url=address,
        is_sitemap=local_name(element) == "sitemap",
        lastmod=parse_moment(own.get("lastmod", ""), zone=zone),
        published_at=parse_moment(news.get("publication_date", ""), zone=zone),
        title=html.unescape(news["title"]) if "title" in news else None,
        language=news.get("language"),
        images=_all_absolute(images, base),
        alternates=_all_absolute(alternates, base),
    )


def read_feed_item(element: etree._Element, *, base: str, zone: tzinfo = UTC) -> SitemapEntry | None:
    """
    Read an `item` of RSS or an `entry` of Atom.

    :param base: As for `read_page`.
    :param zone: As for `read_page`.
    """
    fields: dict[str, str] = {}
    links: list[str] = []
    for child in element:
        name, text = local_name(child), (child.text or "").strip()
        if name == "link" and (child.get("rel") or "") in _FEED_LINK:
            links.append(text or child.get("href") or "")
        elif text and not (name == "guid" and (child.get("isPermaLink") or "").lower() == "false"):
            fields.setdefault(name, text)
    named = [mend_location(text) for text in (fields.get(_ORIGINAL, ""), *links, _if_address(fields.get("guid", "")))]
    address = next(iter(_all_absolute(named, base)), None)
    if address is None:
        return None
    published = next(
        (fields[name] for name in ("pubDate", "published", "issued", "date", "created") if name in fields), ""
    )
    moment = parse_moment(published, zone=zone)
    return SitemapEntry(
        url=address,
        lastmod=parse_moment(fields.get("updated") or fields.get("modified") or "", zone=zone) or moment,
        published_at=moment,
        title=html.unescape(fields["title"]) if "title" in fields else None,
        language=fields.get("language"),
    )


def read_json_item(item: object, *, base: str, zone: tzinfo = UTC) -> SitemapEntry | None:
    """
    Read an item of a JSON feed.

    Source: jsonfeed.org, version 1.1.

    :param base: As for `read_page`.
    :param zone: As for `read_page`.
    """
    if not isinstance(item, dict):
        return None
    fields = {name: value for name, value in item.items() if isinstance(value, str)}
    named = [mend_location(text) for text in (fields.get("url", ""), _if_address(fields.get("id", "")))]
    address = next(iter(_all_absolute(named, base)), None)
    if address is None:
        return None
    published = parse_moment(fields.get("date_published", ""), zone=zone)
    return SitemapEntry(
        url=address,
        lastmod=parse_moment(fields.get("date_modified", ""), zone=zone) or published,
        published_at=published,
        title=fields.get("title"),
        language=fields.get("language"),
    )


def read_next_page(element: etree._Element, *, base: str) -> str | None:
    """Return the address of a feed's next page, if an element is the link to it (RFC 5005); None: it is not."""
    if local_name(element) != "link" or (element.get("rel") or "").lower() not in _NEXT_PAGE:
        return None
    return absolute(element.get("href") or "", base=base)


def mend_location(location: str) -> str:
    """Join an address that was broken over lines, and encode blanks in a whole one; several in one place are none."""
    location = _BROKEN_LINE.sub("", location.strip().strip(_INVISIBLE).strip())
    if " " in location and location.startswith(_ABSOLUTE) and location.count("://") < SEVERAL:
        return location.replace(" ", "%20")
    return location


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


def parse_moment(text: str, *, zone: tzinfo = UTC) -> datetime | None:
    """
    Read a W3C or RFC 2822 time.

    :param zone: Of a time that names none. A bare day is its midnight in UTC.
    :returns: UTC; None if it is neither, of an impossible year, or of a zone that is not known by its name.
    """
    text = text.strip()
    if not text:
        return None
    is_day = _HAS_CLOCK.search(text) is None
    for read in (datetime.fromisoformat, _year_and_month, _mail_date):
        try:
            moment = read(text)
            moment = (moment if moment.tzinfo else moment.replace(tzinfo=UTC if is_day else zone)).astimezone(UTC)
        except (ValueError, TypeError, LookupError, OverflowError):
            continue
        return moment if moment.year in _YEARS else None
    return None


def _mail_date(text: str) -> datetime:
    """Read an RFC 2822 date; the names of zones that it does not know are looked up."""
    named = _ZONE_NAME.search(text)
    if named is None:
        return parsedate_to_datetime(text)
    moment = parsedate_to_datetime(text[: named.start()])
    return moment.replace(tzinfo=timezone(timedelta(hours=_ZONES[named[1].upper()])))


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
