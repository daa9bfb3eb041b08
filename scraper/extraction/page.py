"""A page, parsed once, as all parts of extraction see it."""

import re
from dataclasses import dataclass, field
from functools import cached_property

import lxml.etree
import lxml.html
from lxml.html import HtmlElement

from scraper.extraction.decode import decode
from scraper.extraction.inline_marks import settle_inline_marks
from scraper.extraction.jsonld import LinkedData, Node
from scraper.extraction.streamed_parts import has_streamed_parts, place_parts
from scraper.extraction.style_sheets import read_sheets
from scraper.extraction.text import block_text, clean_label
from scraper.extraction.visibility import drop_hidden

MAX_BYTES = 10_000_000
MAX_ELEMENTS = 40_000
MAX_NESTING = 200
MAX_TEXT_CHARS = 1_500_000
"""Outside scripts and styles. A long book has a million."""
MAX_ATTRIBUTES = 500
"""Of one element: the parser takes time in the square of them."""
MAX_MARKED_CHARS = 300
_WANTED = frozenset(
    {
        "datepublished",
        "published",
        "dt-published",
        "pubdate",
        "issued",
        "date",
        "datemodified",
        "updated",
        "dt-updated",
        "modified",
        "author",
        "creator",
    }
)
"""Properties that are read: by name, or by its last part, as `schema:datePublished`."""
_MICROFORMATS = frozenset({"published", "updated", "dt-published", "dt-updated"})
_OTHERS = re.compile(
    r"(?:^|[\s_-])(?:comments?|related|recommend(?:ed|ations)?|teasers?|more-stories)(?:$|[\s_-])", re.IGNORECASE
)
_TITLE_BAR = re.compile("\\s+[-|\u00b7\u2013\u2014\u2022]\\s+")
_HEADING = re.compile(r"<h1\b[^<>]*>(?:[^<]|<(?!/?h1\b)){0,600}</h1>", re.IGNORECASE)
_PARAGRAPH_TAG = re.compile(r"<(/?)(?:p|h[2-6])\b[^<>]*>", re.IGNORECASE)
"""The parser would end the headline at it, as no browser does."""
_LONG_TAG = re.compile(r"<[a-zA-Z][^<>]{5000,}")
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")


class UnusablePageError(Exception):
    """The page cannot be read at all. Stays inside the extraction package."""


class TooComplexError(UnusablePageError):
    """The page has more elements, or deeper nesting, than is safe to process."""


@dataclass(frozen=True)
class Page:
    """
    A parsed page with what its head says.

    :param url: Where it was fetched.
    :param tree: The root element, without what no reader sees. Parts that prune must copy it.
    """

    url: str
    tree: HtmlElement
    meta: dict[str, list[str]] = field(default_factory=dict)
    """Lower-case name, property or itemprop of each meta element to its contents, in document order."""

    marked: dict[str, list[str]] = field(default_factory=dict)
    """Property of microdata, RDFa or a microformat in the body, without prefix and in lower case, to its values."""

    held: list[HtmlElement] = field(default_factory=list, repr=False)
    """All elements: lxml makes the object of an element anew at each visit, unless somebody holds it."""

    @cached_property
    def linked_data(self) -> LinkedData:
        """All schema.org data of the page."""
        return LinkedData(self.tree, url=self.url)

    @cached_property
    def article_data(self) -> Node:
        """The schema.org node of the page's article; empty if there is none."""
        titles = [
            self.meta_text("og:title"),
            self.meta_text("twitter:title"),
            *self.headings,
            *title_parts(self.title),
        ]
        canonical = [
            link.get("href", "")
            for link in self.tree.iter("link")
            if "canonical" in link.get("rel", "").lower().split()
        ]
        return self.linked_data.article(titles=titles, addresses=[self.url, self.meta_text("og:url"), *canonical[:1]])

    @cached_property
    def headings(self) -> list[str]:
        """The texts of the `h1` elements that are not blank."""
        texts = [block_text(h1) for h1 in self.tree.iterfind(".//h1")]
        return [text for text in texts if text]

    @cached_property
    def title(self) -> str:
        """The text of the title element."""
        return clean_label(self.tree.findtext(".//title") or "")

    def meta_text(self, *names: str) -> str:
        """Return the first content that is not blank among meta elements of these names, tried in order."""
        return next((text for name in names for text in self.meta.get(name, []) if text), "")

    def meta_texts(self, *names: str) -> list[str]:
        """Return all contents of meta elements of the first of these names that has any."""
        return next((texts for name in names if (texts := self.meta.get(name, []))), [])


def title_parts(title: str) -> list[str]:
    """Return a title, and what stands in it before a site's name."""
    return [title, *(title[: match.start()] for match in _TITLE_BAR.finditer(title))]


def parse_page(content: bytes, *, url: str, content_type: str = "") -> Page:
    """
    Decode and parse a page.

    :raises TooComplexError: If it is bigger or more deeply nested than is safe.
    :raises UnusablePageError: If there is nothing to parse.
    """
    text = decode(content, content_type=content_type)
    if text.count("<") > 2 * MAX_ELEMENTS + 20_000:  # an element has two tags; the rest is for scripts and comments
        raise TooComplexError(f"the page has {text.count('<'):,} tags; {MAX_ELEMENTS:,} elements are allowed")
    for match in _LONG_TAG.finditer(text):
        if len(_QUOTED.sub("", match.group()).split()) > MAX_ATTRIBUTES:
            raise TooComplexError(f"an element has more than {MAX_ATTRIBUTES} attributes")
    if not text.strip():
        raise UnusablePageError("the page is blank")
    streamed = has_streamed_parts(text)
    tree = _parse(text, keep_comments=streamed)
    _check_size(tree)
    place_parts(tree, has_comments=streamed)
    held = list(tree.iter())
    meta, marked = _read_meta(tree), _read_marked(tree)
    sheets = read_sheets(tree)
    drop_hidden(tree, sheets=sheets)
    settle_inline_marks(tree, sheets=sheets)
    return Page(url=url, tree=tree, meta=meta, marked=marked, held=held)


def _parse(text: str, *, keep_comments: bool) -> HtmlElement:
    text = _HEADING.sub(lambda match: _PARAGRAPH_TAG.sub(r"<\1div>", match.group()), text) if "<h1" in text else text
    parser = lxml.html.HTMLParser(encoding="utf-8", remove_comments=not keep_comments, remove_pis=True, huge_tree=False)
    try:
        tree = lxml.html.document_fromstring(text.encode("utf-8", "replace"), parser=parser)
    except (lxml.etree.LxmlError, ValueError) as error:
        raise UnusablePageError(f"the HTML parser gave up: {error}") from error
    if not isinstance(tree, HtmlElement):
        raise UnusablePageError("the page has no elements")
    return tree


def _read_marked(tree: HtmlElement) -> dict[str, list[str]]:
    """Read microdata (`itemprop`), RDFa (`property`) and hAtom classes, hidden ones too: they speak to machines."""
    marked: dict[str, list[str]] = {}
    for element in tree.xpath("//*[@itemprop or @property or self::time or self::abbr]"):
        names = element.get("itemprop", "").split()
        if element.tag != "meta" or names:
            names += [name.rsplit(":", 1)[-1].rsplit("/", 1)[-1] for name in element.get("property", "").split()]
        if element.tag in {"abbr", "time"}:
            names += [name for name in element.get("class", "").split() if name in _MICROFORMATS]
        wanted = [name.lower() for name in names if name.lower() in _WANTED]
        if wanted:
            _mark(marked, element, wanted)
    return marked


def _mark(marked: dict[str, list[str]], element: HtmlElement, names: list[str]) -> None:
    if element.tag == "figcaption" or _in_another_story(element):
        return
    if element.get("itemscope") is not None or element.get("typeof") is not None:
        inner = [
            e
            for e in element.iter()
            if "name" in f"{e.get('itemprop', '')} {e.get('property', '')}".replace(":", " ").split()
        ]
        element = inner[0] if inner else element
    value = element.get("content") or element.get("datetime") or (element.get("title") if element.tag == "abbr" else "")
    text = clean_label(value or block_text(element))[:MAX_MARKED_CHARS]
    for name in names:
        if text:
            marked.setdefault(name, []).append(text)


def _in_another_story(element: HtmlElement) -> bool:
    """Say whether an element stands in a comment, an aside, a picture or a box for another story."""
    for outer in element.iterancestors():
        if outer.tag in {"aside", "nav", "footer", "figure", "figcaption"} or _OTHERS.search(outer.get("class", "")):
            return True
        if outer.get("itemtype", "").rsplit("/", 1)[-1] in {
            "Comment",
            "UserComments",
            "VideoObject",
            "ImageObject",
            "Review",
        }:
            return True
    return False


def _check_size(tree: HtmlElement) -> None:
    depth = elements = chars = 0
    for event, element in lxml.etree.iterwalk(tree, events=("start", "end")):
        depth += 1 if event == "start" else -1
        elements += event == "start"
        if event == "end" and element.tag not in {"script", "style"}:
            chars += len(element.text or "") + len(element.tail or "")
        if depth > MAX_NESTING:
            raise TooComplexError(f"elements are nested more than {MAX_NESTING} deep")
        if elements > MAX_ELEMENTS:
            raise TooComplexError(f"the page has more than {MAX_ELEMENTS:,} elements")
        if chars > MAX_TEXT_CHARS:
            raise TooComplexError(f"the page has more than {MAX_TEXT_CHARS:,} characters of text")


def _read_meta(tree: HtmlElement) -> dict[str, list[str]]:
    meta: dict[str, list[str]] = {}
    for element in tree.iter("meta"):
        content = clean_label(element.get("content") or "")
        for attribute in ("property", "name", "itemprop"):
            name = (element.get(attribute) or "").strip().lower()
            if name and content:
                meta.setdefault(name, []).append(content)
    return meta
