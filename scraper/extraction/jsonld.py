"""Reads schema.org data out of a page (JSON-LD), as leniently as browsers read HTML."""

import json
import re
from collections.abc import Iterator

from lxml.html import HtmlElement

from core.urls import normalise_url
from scraper.extraction.text import clean_label, fold

Node = dict[str, object]

ARTICLE_TYPES = frozenset(
    {
        "Article", "NewsArticle", "ReportageNewsArticle", "AnalysisNewsArticle", "AskPublicNewsArticle",
        "BackgroundNewsArticle", "OpinionNewsArticle", "ReviewNewsArticle", "BlogPosting", "LiveBlogPosting",
        "Report", "ScholarlyArticle", "TechArticle", "SocialMediaPosting", "SatiricalArticle",
        "AdvertiserContentArticle",
    }
)  # fmt: skip
_OF_OTHERS = frozenset(
    {"itemReviewed", "appearance", "firstAppearance", "mentions", "citation", "isBasedOn", "itemListElement"}
)
"""Properties under which a page describes what others wrote: the claim that it checks, what it cites, a list."""
MAX_SCRIPT_CHARS = 2_000_000
MAX_NODES = 5_000
MAX_DEPTH = 40
_WRAPPERS = re.compile(
    r"^\s*(?:<!--|/\*\s*<!\[CDATA\[\s*\*/|//\s*<!\[CDATA\[|<!\[CDATA\[)|(?:-->|/\*\s*\]\]>\s*\*/|//\s*\]\]>|\]\]>)\s*;?\s*$"
)
_TRAILING_COMMA = re.compile(r",\s*([}\]])")


class LinkedData:
    """
    All schema.org nodes of a page, in document order, with references between them resolved.

    :param tree: The parsed page.
    """

    def __init__(self, tree: HtmlElement) -> None:
        scripts = tree.iterfind(".//script[@type]")
        texts = [s.text for s in scripts if s.text and "ld+json" in s.get("type", "").lower()]
        found = [pair for text in texts for pair in _walk(_parse(text))][:MAX_NODES]
        self.nodes: list[Node] = [node for node, _ in found]
        self.own: list[Node] = [node for node, is_own in found if is_own]
        """Those that do not describe what others wrote."""
        self._by_id = {
            node["@id"]: node for node in reversed(self.nodes) if isinstance(node.get("@id"), str) and len(node) > 1
        }

    def resolve(self, value: object) -> object:
        """Follow a bare reference (`{"@id": ...}`) to the node that it names; everything else comes back as it is."""
        if isinstance(value, dict) and isinstance(value.get("@id"), str) and set(value) <= {"@id", "@type"}:
            return self._by_id.get(value["@id"], value)
        return value

    def many(self, value: object) -> list[object]:
        """Return a value as a list of resolved values; nothing gives an empty list."""
        values = value if isinstance(value, list) else [value]
        return [self.resolve(item) for item in values if item not in (None, "", [], {})]

    def articles(self) -> list[Node]:
        """Return the nodes that describe an article, in document order."""
        return [node for node in self.nodes if types_of(node) & ARTICLE_TYPES]

    def article(self, *, titles: list[str], addresses: list[str]) -> Node:
        """
        Return the node of the page's own article; empty if there is none.

        One that describes what others wrote is the page's own only if the page calls itself by its headline.

        :param titles: What the page calls itself elsewhere (`og:title`, `h1`), to choose among several nodes.
        :param addresses: Of the page, to choose where no headline is one of its titles.
        """
        known = {fold(title) for title in titles if title}
        places = {place for address in addresses if (place := _place(address))}
        named = [node for node in self.articles() if fold(text_of(node.get("headline"))) in known]
        own = [node for node in self.own if types_of(node) & ARTICLE_TYPES]
        candidates = named or [node for node in own if not places.isdisjoint(_places(node))] or own[:1]
        return max(candidates, key=_detail) if candidates else {}


def _places(node: Node) -> Iterator[str]:
    """Yield the addresses that a node gives of itself."""
    for key in ("url", "mainEntityOfPage", "@id"):
        value = node.get(key)
        address = (value.get("@id") or value.get("url")) if isinstance(value, dict) else value
        if isinstance(address, str):
            yield _place(address)


def _place(address: str) -> str:
    """Return the one form of an address; empty if it is none."""
    try:
        return normalise_url(address)
    except ValueError:
        return ""


def _detail(node: Node) -> int:
    """Count what a node says of the things that are wanted."""
    return sum(bool(node.get(key)) for key in ("headline", "datePublished", "author", "articleBody"))


def types_of(node: Node) -> set[str]:
    """Return the types of a node without their namespace."""
    types = node.get("@type")
    names = types if isinstance(types, list) else [types]
    return {name.rsplit("/", 1)[-1].rsplit(":", 1)[-1] for name in names if isinstance(name, str)}


def text_of(value: object) -> str:
    """Return a value that should be a string: of a list its first, of a language-tagged value its text."""
    if isinstance(value, list):
        return next((text for item in value if (text := text_of(item))), "")
    if isinstance(value, dict):
        return text_of(value.get("@value") or value.get("name"))
    return clean_label(value) if isinstance(value, str) else ""


def _parse(text: str) -> object:
    """Parse one script; None if it cannot be saved."""
    if len(text) > MAX_SCRIPT_CHARS:
        return None
    for candidate in (
        text,
        _WRAPPERS.sub("", _WRAPPERS.sub("", text)),
        _TRAILING_COMMA.sub(r"\1", _WRAPPERS.sub("", text)),
    ):
        try:
            return json.loads(candidate.strip().rstrip(";"), strict=False)
        except (ValueError, RecursionError):
            continue
    return None


def _walk(value: object, depth: int = 0, *, is_own: bool = True) -> Iterator[tuple[Node, bool]]:
    """Yield every object in a value, outer before inner, and whether it may be of the page itself."""
    if depth > MAX_DEPTH:
        return
    if isinstance(value, list):
        for item in value:
            yield from _walk(item, depth + 1, is_own=is_own)
    elif isinstance(value, dict):
        yield value, is_own
        for key, item in value.items():
            if isinstance(item, dict | list):
                yield from _walk(item, depth + 1, is_own=is_own and key not in _OF_OTHERS)
