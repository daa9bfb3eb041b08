"""A page, parsed once, as all parts of extraction see it."""

import re
from dataclasses import dataclass, field
from functools import cached_property

import lxml.etree
import lxml.html
from lxml.html import HtmlElement

from scraper.extraction.decode import decode
from scraper.extraction.jsonld import LinkedData, Node
from scraper.extraction.text import clean_label, clean_text

MAX_BYTES = 10_000_000
MAX_ELEMENTS = 40_000
MAX_NESTING = 200
MAX_TEXT_CHARS = 1_500_000
"""Outside scripts and styles. A long book has a million."""
MAX_ATTRIBUTES = 500
"""Of one element: the parser takes time in the square of them."""
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
    :param tree: The root element. Parts that prune must copy it.
    """

    url: str
    tree: HtmlElement
    meta: dict[str, list[str]] = field(default_factory=dict)
    """Lower-case name, property or itemprop of each meta element to its contents, in document order."""

    @cached_property
    def linked_data(self) -> LinkedData:
        """All schema.org data of the page."""
        return LinkedData(self.tree)

    @cached_property
    def article_data(self) -> Node:
        """The schema.org node of the page's article; empty if there is none."""
        titles = [self.meta_text("og:title"), *self.headings]
        return self.linked_data.article(titles=titles, addresses=[self.url, self.meta_text("og:url")])

    @cached_property
    def headings(self) -> list[str]:
        """The texts of the `h1` elements that are not blank."""
        texts = [clean_text("".join(h1.itertext())) for h1 in self.tree.iterfind(".//h1")]
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
    tree = _parse(text)
    _check_size(tree)
    return Page(url=url, tree=tree, meta=_read_meta(tree))


def _parse(text: str) -> HtmlElement:
    parser = lxml.html.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True, huge_tree=False)
    try:
        tree = lxml.html.document_fromstring(text.encode("utf-8", "replace"), parser=parser)
    except (lxml.etree.LxmlError, ValueError) as error:
        raise UnusablePageError(f"the HTML parser gave up: {error}") from error
    if not isinstance(tree, HtmlElement):
        raise UnusablePageError("the page has no elements")
    return tree


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
