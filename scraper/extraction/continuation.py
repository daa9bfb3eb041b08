"""A story on several pages: which page goes on with it, and how their texts become one."""

import re
from urllib.parse import parse_qsl, urlencode, urljoin, urlsplit

import lxml.html
from lxml.etree import LxmlError

from scraper.extraction.text import fold

MAX_FURTHER_PAGES = 9
_MAX_TAG_CHARS = 2000
_NAMES_NEXT = re.compile(rb"rel\s*=\s*[\"']?[^\"'<>]{0,40}\bnext\b")
"""In a page in lower case: every page is searched, and a pattern that ignores case takes five times as long."""
_SAYS_ARTICLE = re.compile(rb"<article\b|NewsArticle|\"Article\"|content\s*=\s*[\"']article[\"']", re.IGNORECASE)
_TAG = re.compile(rb"<(?:link|a)\b[^<>]{1,%d}>" % _MAX_TAG_CHARS, re.IGNORECASE)
_PAGE_WORDS = r"page|pagina|p\u00e1gina|seite|side|sida|sivu|strona|stranka|pag|p|part|teil"
_PARAMETER = re.compile(rf"(?:{_PAGE_WORDS}|pg|page_?(?:no|num|number)|start_?page)", re.IGNORECASE)
_PATH_ENDS = (
    re.compile(rf"/(?:{_PAGE_WORDS})[-_/]?(\d{{1,2}})/?$", re.IGNORECASE),
    re.compile(r"/(\d{1,2})/?$"),
    re.compile(rf"[-_,](?:(?:{_PAGE_WORDS})[-_]?)?(\d{{1,2}})(?=(?:\.\w{{3,5}})?/?$)", re.IGNORECASE),
)


def find_next_page(content: bytes, *, url: str, first_url: str) -> str | None:
    """
    Return the address of the page on which a story goes on (`rel=next`); None if the page names none.

    The address has to differ from the first page's in a page number alone, the next one: what blogs call next is the
    story of another day.

    :param content: The page as it was served.
    :param url: Its address.
    :param first_url: Of the story's first page.
    """
    if not _NAMES_NEXT.search(content.lower()) or not _SAYS_ARTICLE.search(content):
        return None
    expected = _number(url, first_url) + 1
    for match in _TAG.finditer(content):
        if b"next" in match.group().lower():
            address = _next_of(match.group(), base=url)
            if address is not None and _number(address, first_url) == expected:
                return address
    return None


def _next_of(tag: bytes, *, base: str) -> str | None:
    try:
        element = lxml.html.fragment_fromstring(tag.decode("utf-8", "replace"))
        if "next" not in element.get("rel", "").lower().split():
            return None
        address: str = urljoin(base, element.get("href", "").strip())
        return address.partition("#")[0]
    except (LxmlError, ValueError):
        return None


def _number(url: str, first_url: str) -> int:
    """Return which page of a story an address is, from 1; 0: it is none of that story."""
    wanted = _parts(first_url)
    if _parts(url) == wanted:
        return 1
    return next((number for parts, number in _without_number(url) if parts == wanted), 0)


def _parts(url: str) -> tuple[str, str, str]:
    split = urlsplit(url)
    return (split.hostname or "").removeprefix("www."), re.sub(r"\.\w{3,5}$", "", split.path.rstrip("/")), split.query


def _without_number(url: str) -> list[tuple[tuple[str, str, str], int]]:
    """Return an address without its page number, in each way that it may hold one, and the number."""
    split, found = urlsplit(url), []
    pairs = parse_qsl(split.query, keep_blank_values=True)
    for name, value in pairs:
        if _PARAMETER.fullmatch(name) and re.fullmatch(r"\d{1,2}", value):
            rest = urlencode([pair for pair in pairs if pair[0] != name])
            found.append((_parts(split._replace(query=rest).geturl()), int(value)))
    for pattern in _PATH_ENDS:
        match = pattern.search(split.path)
        if match:
            path = split.path[: match.start()] + split.path[match.end() :]
            found.append((_parts(split._replace(path=path).geturl()), int(match[1])))
    return found


def is_same_story(headline: str, other: str) -> bool:
    """Say whether a further page has the first one's headline, as it stands or with a page number."""
    first, further = fold(headline), fold(other)
    return not further or first in further or further in first


def join_bodies(body: str, further: list[str]) -> str:
    """Put the texts of further pages behind the first one's, without the paragraphs that every page repeats."""
    paragraphs = body.split("\n\n") if body else []
    known = {fold(text) for text in paragraphs}
    for text in (paragraph for one in further for paragraph in one.split("\n\n")):
        folded = fold(text)
        if folded and folded not in known:
            known.add(folded)
            paragraphs.append(text)
    return "\n\n".join(paragraphs)
