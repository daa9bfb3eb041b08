"""The text of an article: trafilatura finds it, with page furniture cut out before and after."""

from collections.abc import Iterator, Sequence
from copy import deepcopy

import lxml.etree
from lxml.html import HtmlElement
from trafilatura import bare_extraction
from trafilatura.settings import Document

from scraper.extraction.furniture import is_furniture_text, prune_furniture
from scraper.extraction.page import Page
from scraper.extraction.text import clean_text, fold

PARAGRAPH_BREAK = "\n\n"
_CONTAINERS = frozenset({"list", "table", "row", "quote", "body", "div", "section"})


def read_body(page: Page, *, headline: str, prune_xpaths: Sequence[str] = ()) -> str:
    """
    Return the text of the article.

    :param headline: Is dropped where the text repeats it at the top.
    :param prune_xpaths: What else to cut out of this publisher's pages.
    :returns: Paragraphs in NFC separated by one blank line; empty if there is no text.
    """
    tree = deepcopy(page.tree)
    prune_furniture(tree, extra=prune_xpaths)
    document = bare_extraction(tree, url=page.url, include_comments=False, include_tables=True)
    if not isinstance(document, Document) or document.body is None:
        return ""
    return PARAGRAPH_BREAK.join(tidy_paragraphs(list(_blocks(document.body)), headline=headline))


def tidy_paragraphs(paragraphs: list[str], *, headline: str) -> list[str]:
    """Drop furniture, the repeated headline, and a paragraph that repeats the one before it."""
    kept: list[str] = []
    for text in map(clean_text, paragraphs):
        if not text or is_furniture_text(text) or (kept and kept[-1] == text):
            continue
        if len(kept) <= 1 and fold(text) == fold(headline):
            continue
        kept.append(text)
    return kept


def _blocks(element: HtmlElement) -> Iterator[str]:
    """Yield the text of each block of trafilatura's tree; list items and table rows are blocks of their own."""
    if element.text and element.text.strip():
        yield element.text
    for child in element:
        if not isinstance(child.tag, str):
            continue
        if child.tag in _CONTAINERS:
            yield from _blocks(child)
        else:
            yield _inline_text(child)
        if child.tail and child.tail.strip():
            yield child.tail


def _inline_text(element: HtmlElement) -> str:
    for line_break in element.iter("lb"):
        line_break.tail = " " + (line_break.tail or "")
    return str(lxml.etree.tostring(element, method="text", encoding="unicode", with_tail=False))
