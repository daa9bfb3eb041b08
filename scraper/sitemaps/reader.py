"""
Reads sitemaps as they are, not as they should be: XML sitemaps and indexes, text lists, RSS, Atom and JSON feeds.

Streams: memory does not grow with the number of entries. One bad entry is skipped and counted, the rest is kept.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, tzinfo
from enum import StrEnum
from typing import cast

from lxml import etree

from scraper.sitemaps.entries import (
    MAX_URL_CHARS,
    SitemapEntry,
    absolute,
    local_name,
    read_feed_item,
    read_json_item,
    read_next_page,
    read_page,
)
from scraper.sitemaps.text import MAX_DECOMPRESSED_BYTES, RefusedSitemapError, SitemapText, mend

MAX_HELD_CHARS = 1024 * 1024
_LINE_CHARS = 8 * MAX_URL_CHARS
"""A longer line of a list is not an address, even with each `&` written as `&amp;`."""
_ENTRY_TAGS = ("url", "sitemap", "item", "entry")
_ENTRY_END = re.compile(rf"</(?:[\w.-]+:)?(?:{'|'.join(_ENTRY_TAGS)})\s*>")
_ROOT_END = re.compile(
    r"</(?:[\w.-]+:)?(?:urlset|sitemapindex|rss|feed|RDF)\s*>|<(?:[\w.-]+:)?(?:urlset|sitemapindex)[^<>]*/>"
)
_XML_DECLARATION = re.compile(r"^<\?xml[^>]*\?>\s*")
_START = re.compile(r"<(?:\?xml|!DOCTYPE|!--|(?:[\w.-]+:)?(?:urlset|sitemapindex|rss|feed|RDF|html)\b)", re.IGNORECASE)
_HTML = re.compile(  # atomic: many comments in a row must not be tried in all their combinations
    r"(?>\s*(?:<\?xml[^>]*>|<!--.*?-->))*\s*<(?:!doctype\s+html|html)\b", re.IGNORECASE | re.DOTALL
)
_FEED = re.compile(r"<(?:[\w.-]+:)?(?:rss|feed|RDF)\b", re.IGNORECASE)
_CHANNELS = frozenset({"channel", "feed"})
_ADDRESS = re.compile(r"\s*https?://", re.IGNORECASE)
_JUNK_CHARS = 4096
MAX_JSON_CHARS = 16 * 1024 * 1024
"""A JSON feed is read as a whole."""


class SitemapKind(StrEnum):
    """What a file in a sitemap's place turned out to be."""

    INDEX = "index"
    PAGES = "pages"
    FEED = "feed"
    TEXT = "text"
    HTML = "html"
    EMPTY = "empty"
    OTHER = "other"


@dataclass
class SitemapReader:
    """
    Iterates over the entries of one file. What went wrong is known once the iteration has ended.

    :param content: The file as it was served, compressed or not.
    :param url: Its address; relative locations are joined to it.
    :param max_bytes: Most bytes after decompression; larger files are refused.
    """

    content: bytes
    url: str
    max_bytes: int = MAX_DECOMPRESSED_BYTES
    zone: tzinfo = UTC
    """For times that name none."""
    kind: SitemapKind = SitemapKind.EMPTY
    entries: int = 0
    skipped: int = 0
    """Entries without a usable location."""
    refused: str | None = None
    """Why nothing of the file was used; None: it was."""
    problems: list[str] = field(default_factory=list)
    """What was lost or odd; sentences."""

    def __iter__(self) -> Iterator[SitemapEntry]:
        text = SitemapText(self.content, self.max_bytes)
        try:
            for entry in self._read(text):
                self.entries += 1
                yield entry
        except RefusedSitemapError as error:
            self.refused = str(error)
            self.problems.append(f"refused: {error}")
        self.problems.extend(text.losses)
        if self.skipped:
            self.problems.append(f"{self.skipped} entries had no usable address and were skipped")

    def _read(self, text: SitemapText) -> Iterator[SitemapEntry]:
        pieces = text.pieces()
        start = _first_text(pieces)
        if not start:
            self.problems.append("the file is empty")
        elif _HTML.match(start):
            self._is_html()
        elif start.startswith("{"):
            yield from self._read_json(start, pieces)
        elif start.startswith("<"):
            yield from self._read_xml(start, pieces)
        else:
            yield from self._read_lines(start, pieces)

    def _is_html(self) -> None:
        self.kind = SitemapKind.HTML
        self.problems.append("an HTML page stands in place of the sitemap")

    def _read_lines(self, start: str, pieces: Iterator[str]) -> Iterator[SitemapEntry]:
        self.kind = SitemapKind.TEXT
        held = start
        for piece in pieces:
            *lines, held = (held + piece).splitlines(keepends=True) or [""]  # its end says that a line is whole
            yield from self._lines(lines)
            if len(held) > _LINE_CHARS:  # not read again with each piece; only whether it has ended matters
                held = held[:_LINE_CHARS] + held[-1]
        yield from self._lines(held.splitlines())
        if not self.entries:
            self.kind = SitemapKind.OTHER
            self.problems.append("the file is neither XML nor a list of addresses")

    def _lines(self, lines: list[str]) -> Iterator[SitemapEntry]:
        for line in lines:
            if not line.strip() or line.startswith("#"):
                continue
            address = absolute(line, base=self.url) if _ADDRESS.match(line) else None
            if address is None:
                self.skipped += 1
            else:
                yield SitemapEntry(address)

    def _read_json(self, start: str, pieces: Iterator[str]) -> Iterator[SitemapEntry]:
        self.kind = SitemapKind.OTHER
        text = start
        for piece in pieces:
            text += piece
            if len(text) > MAX_JSON_CHARS:
                raise RefusedSitemapError(f"a JSON feed of more than {MAX_JSON_CHARS // 2**20} MB")
        try:
            feed = json.loads(text)
        except (ValueError, RecursionError) as error:
            self.problems.append(f"the JSON cannot be read: {error}")
            return
        items = feed.get("items") if isinstance(feed, dict) else None
        if not isinstance(items, list):
            self.problems.append("the file is JSON, but not a JSON feed")
            return
        self.kind = SitemapKind.FEED
        for item in items:
            entry = read_json_item(item, base=self.url, zone=self.zone)
            self.skipped += entry is None
            if entry is not None:
                yield entry
        following = feed.get("next_url")
        if isinstance(following, str) and (address := absolute(following, base=self.url)):
            yield SitemapEntry(address, is_sitemap=True)

    def _read_xml(self, start: str, pieces: Iterator[str]) -> Iterator[SitemapEntry]:
        tags = (*_ENTRY_TAGS, "html", "urlset", "sitemapindex", "rss", "feed", "RDF")
        parser = etree.XMLPullParser(
            events=("start", "end"),
            tag=[f"{{*}}{tag}" for tag in (*tags, *(("link",) if _FEED.search(start) else ()))],
            recover=True, resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True,
        )  # fmt: skip
        held = _XML_DECLARATION.sub("", start)
        for piece in pieces:
            held += piece
            ends = [match.end() for match in _ENTRY_END.finditer(held)]
            cut = ends[-1] if ends else (len(held) if len(held) > MAX_HELD_CHARS else 0)
            if cut:  # only whole entries go in, so that none is cut off where a file ends early
                yield from self._feed(parser, held[:cut])
                held = held[cut:]
            if self.kind is SitemapKind.HTML:
                return
        yield from self._read_end(parser, held)

    def _read_end(self, parser: "etree.XMLPullParser", held: str) -> Iterator[SitemapEntry]:
        ends = [match.end() for match in _ENTRY_END.finditer(held)]
        yield from self._feed(parser, held[: ends[-1]] if ends else "")
        rest = held[ends[-1] if ends else 0 :]
        if _ROOT_END.search(rest):
            yield from self._feed(parser, rest)
        elif self.kind is SitemapKind.EMPTY and not _START.match(rest.lstrip()):
            self.kind = SitemapKind.OTHER
            self.problems.append("the file is XML, but neither a sitemap nor a feed")
        else:
            self.problems.append("the XML ends early; the entries before the end were kept")

    def _feed(self, parser: "etree.XMLPullParser", text: str) -> Iterator[SitemapEntry]:
        if self.kind is SitemapKind.EMPTY and "<!ENTITY" in text:
            raise RefusedSitemapError("it declares entities, which no sitemap needs")
        if text:
            parser.feed(mend(text))
        for event, element in cast("Iterator[tuple[str, etree._Element]]", parser.read_events()):
            tag = local_name(element)
            if event == "start":
                self._note_root(element, tag)
            elif tag in _ENTRY_TAGS and self.kind is not SitemapKind.HTML:
                entry = self._entry(element, tag)
                if entry is not None:
                    yield entry
                _forget(element)
            elif tag == "link" and local_name(element.getparent()) in _CHANNELS:
                following = read_next_page(element, base=self.url)
                if following is not None:
                    yield SitemapEntry(following, is_sitemap=True)

    def _note_root(self, element: etree._Element, tag: str) -> None:
        if element.getparent() is not None or self.kind is not SitemapKind.EMPTY:
            return
        if tag == "html":
            self._is_html()
        elif tag in {"urlset", "sitemapindex"}:
            self.kind = SitemapKind.INDEX if tag == "sitemapindex" else SitemapKind.PAGES
        else:
            self.kind = SitemapKind.FEED

    def _entry(self, element: etree._Element, tag: str) -> SitemapEntry | None:
        if tag in {"url", "sitemap"} and local_name(element.getparent()) == "image":
            return None  # the image of an RSS channel has a url, too
        read = read_page if tag in {"url", "sitemap"} else read_feed_item
        entry = read(element, base=self.url, zone=self.zone)
        if entry is None:
            self.skipped += 1
        return entry


def _first_text(pieces: Iterator[str]) -> str:
    """Return the first piece that says something, from where the document begins in it."""
    for piece in pieces:
        text = piece.lstrip("\ufeff \t\r\n")
        if not text:
            continue
        if text.startswith("{"):
            return text
        begin = _START.search(text[:_JUNK_CHARS])
        return text[begin.start() :] if begin else text
    return ""


def _forget(element: etree._Element) -> None:
    """Free an element that has been read, and those before it."""
    element.clear()
    parent = element.getparent()
    while parent is not None and element.getprevious() is not None:
        del parent[0]
