"""Reads schema.org data out of a page (JSON-LD), as leniently as browsers read HTML."""

import json
import re
from collections.abc import Iterator
from html import unescape
from urllib.parse import urljoin, urlsplit

import json_repair
from lxml.html import HtmlElement

from core.urls import normalise_url
from scraper.extraction.text import clean_label, fold

Node = dict[str, object]

ARTICLE_TYPES = frozenset(
    {
        "Article",
        "NewsArticle",
        "ReportageNewsArticle",
        "AnalysisNewsArticle",
        "AskPublicNewsArticle",
        "BackgroundNewsArticle",
        "OpinionNewsArticle",
        "ReviewNewsArticle",
        "BlogPosting",
        "LiveBlogPosting",
        "Report",
        "ScholarlyArticle",
        "TechArticle",
        "SocialMediaPosting",
        "SatiricalArticle",
        "AdvertiserContentArticle",
    }
)
_OF_OTHERS = frozenset(
    {
        "itemReviewed",
        "appearance",
        "firstAppearance",
        "mentions",
        "citation",
        "isBasedOn",
        "itemListElement",
        "comment",
        "relatedLink",
        "significantLink",
        "isRelatedTo",
        "hasPart",
    }
)
"""Properties under which a page describes what others wrote: the claim that it checks, what it cites, a list."""
MAX_SCRIPT_CHARS = 2_000_000
MAX_NODES = 5_000
MAX_DEPTH = 40
MAX_REPAIRED_CHARS = 300_000
"""Mending takes some microseconds a character."""
MIN_CUT_WORDS = 5
"""A headline of fewer words that begins another one is not that headline, cut."""
MIN_SHARED_WORDS = 0.5
MIN_PAGE_PATH_CHARS = 6
_NAMED, _PLACED, _ELSEWHERE = 4, 4, 5
"""What it counts that a node has the page's headline, gives its address, or gives another one."""
_PAGE_TYPES = frozenset({"WebPage", "ItemPage", "AboutPage", "CollectionPage", "FAQPage", "MediaGallery"})
_COMMENT_LINE = re.compile(r"^\s*(?://[^\n]*|/\*.*?\*/|<!--(?:\[CDATA\[)?|<!\[CDATA\[|-->|\]\]>)", re.DOTALL)
_END = re.compile(r"(?:(?<=[\s;}\]>])//[^\n\"]*|/\*[^*\"]*\*/|-->|\]\]>|;|\s)+$")
_STRAY_ESCAPE = re.compile(r"""\\(?!["\\/bfnrtu]|u[0-9a-fA-F]{4})""")
_TRAILING_COMMA = re.compile(r",\s*([}\]])")
_BETWEEN = re.compile(r"[\s,;]*")
_OBJECT_START = re.compile(r"[{\[]")


class LinkedData:
    """
    All schema.org nodes of a page, in document order, with references between them resolved.

    :param tree: The parsed page.
    :param url: Of the page, for addresses without host.
    """

    def __init__(self, tree: HtmlElement, *, url: str = "") -> None:
        self.url = url
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

        A node speaks for itself by its headline and by the address that it gives. One that describes what others wrote
        is the page's own only if the page calls itself by its headline. Of several that say neither none is believed.

        :param titles: What the page calls itself elsewhere (`og:title`, `h1`, `title`).
        :param addresses: Of the page.
        """
        known = {fold(title) for title in titles if title} - {""}
        places = {place for address in addresses if (place := place_of(address, base=self.url))}
        pages = self._pages(places)
        scored = [(self._fit(node, known, places, pages), _detail(node), node) for node in self.articles()]
        mine = {id(node) for node in self.own}
        fitting = [one for one in scored if one[0] >= _NAMED or (one[0] > 0 and id(one[2]) in mine)]
        if fitting:
            return max(fitting, key=lambda one: (one[0], one[1]))[2]
        silent = [node for fit, _, node in scored if fit == 0 and id(node) in mine]
        return silent[0] if len(silent) == 1 else {}

    def _pages(self, places: set[str]) -> tuple[set[str], set[int]]:
        """Return the `@id` of the nodes that describe the page itself, and the nodes that they name as its main thing."""
        ids: set[str] = set()
        main: set[int] = set()
        for node in self.nodes:
            if types_of(node) & _PAGE_TYPES and not places.isdisjoint(self._places(node, keys=("url", "@id"))):
                if isinstance(node.get("@id"), str):
                    ids.add(str(node["@id"]))
                main.update(id(value) for value in self.many(node.get("mainEntity")) if isinstance(value, dict))
        return ids, main

    def _fit(self, node: Node, known: set[str], places: set[str], pages: tuple[set[str], set[int]]) -> int:
        """Return how well a node fits the page; below zero: it names another page."""
        headlines = {
            fold(text) for key in ("headline", "name", "alternativeHeadline") if (text := text_of(node.get(key)))
        }
        fit = max((_likeness(headline, known) for headline in headlines), default=0)
        given = set(self._places(node, keys=("url", "mainEntityOfPage", "@id", "isPartOf", "mainEntityOfPage")))
        refers = {
            str(v.get("@id"))
            for key in ("isPartOf", "mainEntityOfPage")
            for v in _items(node.get(key))
            if isinstance(v, dict)
        }
        if not given.isdisjoint(places) or not refers.isdisjoint(pages[0]) or id(node) in pages[1]:
            return fit + _PLACED
        own_address = {place for place in self._places(node, keys=("url", "mainEntityOfPage")) if _names_a_page(place)}
        return fit - _ELSEWHERE if own_address and fit < _NAMED else fit

    def _places(self, node: Node, *, keys: tuple[str, ...]) -> Iterator[str]:
        """Yield the addresses that a node gives of itself."""
        for key in keys:
            for value in _items(node.get(key)):
                values = (value.get("@id"), value.get("url")) if isinstance(value, dict) else (value,)
                for address in values:
                    if isinstance(address, str) and (place := place_of(address, base=self.url)):
                        yield place


def _items(value: object) -> list[object]:
    return value if isinstance(value, list) else [value]


def _likeness(headline: str, known: set[str]) -> int:
    """Return how surely a folded headline is one of those known: word for word, cut, or in most of its words."""
    if not headline:
        return 0
    if headline in known:
        return _NAMED + 2
    if any(_is_cut(headline, other) or _is_cut(other, headline) for other in known):
        return _NAMED
    tokens = set(headline.split())
    shared = max((len(tokens & set(other.split())) / len(tokens | set(other.split())) for other in known), default=0.0)
    return int(shared >= MIN_SHARED_WORDS)


def _is_cut(short: str, long: str) -> bool:
    return len(short.split()) >= MIN_CUT_WORDS and long.startswith(short)


def _names_a_page(place: str) -> bool:
    """Say whether an address is that of one page of a site, not of its front page or a part of it."""
    path = urlsplit(place).path.strip("/")
    return len(path) >= MIN_PAGE_PATH_CHARS and any(char in path for char in "-_/0123456789")


def place_of(address: str, *, base: str) -> str:
    """Return the one form of an address, with neither scheme nor `www.`, fragment nor tracking; empty if it is none."""
    address = address.strip()
    if not address or address.startswith(("#", "_:")) or " " in address:
        return ""
    try:
        parts = urlsplit(normalise_url(urljoin(base, address)))
    except ValueError:
        return ""
    host = (parts.hostname or "").removeprefix("www.").removeprefix("amp.").removeprefix("m.")
    path = parts.path.rstrip("/").removesuffix("/amp").removesuffix(".amp").removeprefix("/amp/").strip("/")
    return f"//{host}/{path}" + (f"?{parts.query}" if parts.query else "")


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
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    return clean_label(value) if isinstance(value, str) else ""


def _parse(text: str) -> object:
    """Parse one script: as it is, then without wrappers, with entities read, and mended; None if it cannot be saved."""
    if len(text) > MAX_SCRIPT_CHARS:
        return None
    for candidate in _candidates(text):
        try:
            return json.loads(candidate, strict=False)
        except (ValueError, RecursionError):
            continue
    bare = _bare(text)
    return _several(bare) or _mended(bare)


def _candidates(text: str) -> Iterator[str]:
    text = text.strip().lstrip("\ufeff\u200b").strip()
    yield text
    bare = _bare(text)
    yield bare
    yield _TRAILING_COMMA.sub(r"\1", _STRAY_ESCAPE.sub("", bare))


def _bare(text: str) -> str:
    """Take off comments, CDATA marks and blanks around a script, and read its quotes where they are entities."""
    text = text.strip().lstrip("\ufeff\u200b").strip()
    start = _OBJECT_START.search(text)
    if start and ("&quot;" in text or "&#34;" in text or "&#x22;" in text) and text[start.end() :].lstrip()[:1] == "&":
        text = unescape(text)
    text = text.replace("]]&gt;", "]]>").replace("&lt;![CDATA[", "<![CDATA[").replace("--&gt;", "-->")
    while match := _COMMENT_LINE.match(text):
        text = text[match.end() :]
    return _END.sub("", text.strip())


def _several(text: str) -> list[object]:
    """Parse a script that holds several values behind each other; empty if that is not all that is odd about it."""
    reader, at = json.JSONDecoder(strict=False), 0
    found: list[object] = []
    while at < len(text) and len(found) < MAX_NODES:
        try:
            value, at = reader.raw_decode(text, at)
        except (ValueError, RecursionError):
            return []
        found.append(value)
        at = _BETWEEN.match(text, at).end()  # type: ignore[union-attr]  # it matches nothing, too
    return found


def _mended(text: str) -> object:
    """Let a tolerant reader have a script: comments, missing commas, single quotes, several objects, a cut end."""
    if len(text) > MAX_REPAIRED_CHARS or not _OBJECT_START.match(text):
        return None
    try:
        return json_repair.loads(_STRAY_ESCAPE.sub("", text), skip_json_loads=True)
    except (ValueError, RecursionError, IndexError, TypeError):
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
