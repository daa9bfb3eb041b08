"""The standfirst: the sentence or two between headline and text that sum the article up."""

import re
from collections.abc import Iterator

from lxml.html import HtmlElement

from scraper.extraction.boilerplate import link_share
from scraper.extraction.jsonld import text_of
from scraper.extraction.page import Page
from scraper.extraction.text import clean_text, fold

_NAME = re.compile(
    r"(?:^|[\s_-])(?:stand-?first|sub-?(?:headline|heading|head|title|deck)|dek|deck|lede|lead(?:-text)?|intro(?:duction)?|strap-?line"
    r"|summary|abstract|excerpt|chapo|vorspann|entradilla|sommario|ingress|preamble|tagline|description)(?:$|[\s_-])",
    re.IGNORECASE,
)
_TAGS = ("p", "h2", "h3", "h4", "div", "span", "strong")
_BLOCK_TAGS = frozenset(
    {"p", "div", "ul", "ol", "section", "h1", "h2", "h3", "h4", "figure", "article", "aside", "table"}
)
MIN_CHARS, MAX_CHARS = 30, 700
MIN_NAMED_WORDS = 6
MAX_ELEMENTS = 600
"""How far below the headline to look."""
MAX_LINK_SHARE = 0.3


def read_standfirst(page: Page, *, tree: HtmlElement, body: str) -> str:
    """
    Return the standfirst that the page shows between its headline and its text.

    Told by its name in the markup, or because the page's description repeats it.

    :param tree: The page without boilerplate.
    :param body: The text found so far; a standfirst that it holds is not returned again.
    :returns: One line; empty if there is none.
    """
    known = _descriptions(page)
    folded_body = fold(body)
    for element in _between(tree, body=body):
        text = clean_text("".join(element.itertext()))
        folded = fold(text)
        if not MIN_CHARS <= len(text) <= MAX_CHARS or folded in folded_body or folded in map(fold, page.headings):
            continue
        described = any(
            folded == other or (len(folded) >= 2 * MIN_CHARS and other.startswith(folded)) for other in known
        )
        named = len(folded.split()) >= MIN_NAMED_WORDS and _is_named(element)
        if (described or named) and link_share(element) <= MAX_LINK_SHARE:
            return text
    return ""


def _descriptions(page: Page) -> set[str]:
    texts = [text_of(page.article_data.get(key)) for key in ("description", "abstract", "alternativeHeadline")]
    texts += page.meta_texts("og:description") + page.meta_texts("description") + page.meta_texts("twitter:description")
    return {fold(text) for text in texts if len(text) >= MIN_CHARS}


def _is_named(element: HtmlElement) -> bool:
    parent = element.getparent()
    nearby = [element] if parent is None else [element, parent]
    return any(_NAME.search(f"{near.get('class', '')} {near.get('itemprop', '')}") for near in nearby)


def _between(tree: HtmlElement, *, body: str) -> Iterator[HtmlElement]:
    """Yield the innermost blocks after the headline and before the first paragraph of the text."""
    first = fold(body.split("\n\n", 1)[0])[:200]
    below, seen = False, 0
    for element in tree.iter():
        if element.tag == "h1":
            below = True
        if not below or not isinstance(element.tag, str):
            continue
        seen += 1
        if seen > MAX_ELEMENTS:
            return
        if element.tag in _TAGS and not any(child.tag in _BLOCK_TAGS for child in element):
            if element.tag == "p" and first and fold("".join(element.itertext())).startswith(first):
                return
            yield element
