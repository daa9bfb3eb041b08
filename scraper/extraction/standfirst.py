"""The standfirst: the sentence or two between headline and text that sum the article up."""

import re
from collections.abc import Iterator

from lxml.html import HtmlElement

from scraper.extraction.boilerplate import link_share
from scraper.extraction.jsonld import text_of
from scraper.extraction.page import Page
from scraper.extraction.text import clean_text, fold

_NAME = re.compile(
    r"(?:^|[\s_-])(?:stand-?first|sub-?(?:headline|heading|head|title|deck)|dek|deck|lede|lead(?:-?text)?|intro(?:duction|-?text)?|strap-?line"
    r"|summary|abstract|excerpt|chapo|vorspann|entradilla|sommario|ingress|preamble|tagline|description)(?:$|[\s_-])",
    re.IGNORECASE,
)
_TEASER_NAME = re.compile(r"(?:^|[\s_-])teaser(?:$|[\s_-])", re.IGNORECASE)
"""Of a standfirst, where a whole sentence stands in it; else of a pointer to another story."""
_SENTENCE_END = re.compile("[.!?\u2026][\"'\u201d\u2019\u00bb)]*$")
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
    folded_body, titles = fold(body), {*map(fold, page.headings), *_titles(page)}
    heading = _heading(page, tree)
    for element in _between(tree, heading=heading, body=body) if heading is not None else ():
        text = clean_text("".join(element.itertext()))
        folded = fold(text)
        if not MIN_CHARS <= len(text) <= MAX_CHARS or folded in folded_body or folded in titles:
            continue
        described = any(
            folded == other or (len(folded) >= 2 * MIN_CHARS and other.startswith(folded)) for other in known
        )
        named = len(folded.split()) >= MIN_NAMED_WORDS and _is_named(element, text)
        if (described or named) and link_share(element) <= MAX_LINK_SHARE:
            return text
    return ""


def _descriptions(page: Page) -> set[str]:
    texts = [text_of(page.article_data.get(key)) for key in ("description", "abstract", "alternativeHeadline")]
    texts += page.meta_texts("og:description") + page.meta_texts("description") + page.meta_texts("twitter:description")
    return {fold(text) for text in texts if len(text) >= MIN_CHARS}


def _is_named(element: HtmlElement, text: str) -> bool:
    parent = element.getparent()
    nearby = [element] if parent is None else [element, parent]
    names = [f"{near.get('class', '')} {near.get('itemprop', '')}" for near in nearby]
    is_sentence = element.tag in {"p", "div"} and bool(_SENTENCE_END.search(text))
    return any(_NAME.search(name) or (is_sentence and _TEASER_NAME.search(name)) for name in names)


def _heading(page: Page, tree: HtmlElement) -> HtmlElement | None:
    """Return the first `h1`; in a page without one, the `h2` that bears the page's title."""
    first = next(tree.iter("h1"), None)
    if first is not None:
        return first
    titles = _titles(page)
    return next((h2 for h2 in tree.iter("h2") if fold("".join(map(str, h2.itertext()))) in titles), None)


def _titles(page: Page) -> set[str]:
    stated = text_of(page.article_data.get("headline"))
    return {fold(text) for text in (page.meta_text("og:title"), page.title, stated)} - {""}


def _between(tree: HtmlElement, *, heading: HtmlElement, body: str) -> Iterator[HtmlElement]:
    """Yield the innermost blocks after the headline and before the first paragraph of the text."""
    first = fold(body.split("\n\n", 1)[0])[:200]
    below, seen = False, 0
    for element in tree.iter():
        below = below or element is heading
        if not below or not isinstance(element.tag, str):
            continue
        seen += 1
        if seen > MAX_ELEMENTS:
            return
        if element.tag in _TAGS and not any(child.tag in _BLOCK_TAGS for child in element):
            if element.tag == "p" and first and fold("".join(element.itertext())).startswith(first):
                return
            yield element
