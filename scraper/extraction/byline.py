"""Where a page shows who wrote it: marked elements, links to an author's page, lines that begin with "By"."""

import re
from collections.abc import Iterator

from lxml.html import HtmlElement

from scraper.extraction.page import Page
from scraper.extraction.shown_dates import is_teaser_article
from scraper.extraction.text import clean_label, fold

_AUTHOR_CLASS = re.compile(
    r"(?:^|[\s_-]|(?<=[a-z])(?=[AB]))(?:authors?|byline)(?:[_-]*(?:names?|links?|list|line|item|list[_-]item))?(?:$|[\s_-])",
    re.IGNORECASE,
)
_NAME_CLASS = re.compile(r"(?:^|[\s_-])(?:author|byline|writer)?[\w]{0,3}[_-]?names?(?:$|[\s_-])", re.IGNORECASE)
_PARTS = re.compile(r"\s*[|\u00b7\u2022]\s*")
_NOT_OF_THIS = re.compile(r"comment|related|teaser|bio|card|more|avatar|image|photo", re.IGNORECASE)
_AUTHOR_PATH = re.compile(
    r"/(?:authors?|autor(?:en|es|in)?|auteurs?|contributors?|journalists?|reporters?|profiles?)/[\w%.-]", re.IGNORECASE
)
_LEAD = r"(?:(?:written|words|story|reported)\s+by|von|by|par|por|di|af|av|door)\b\s*:?\s*"
BY = re.compile(rf"^{_LEAD}(?=\S)", re.IGNORECASE)
_NAME = r"(?:[^\W\d_][\w.'\u2019-]*)"
_NAMES = re.compile(
    rf"^{_NAME}(?:\s+{_NAME}){{1,4}}(?:\s*(?:,|/|&|and|und|et|y)\s*{_NAME}(?:\s+{_NAME}){{1,4}})*\s*,?$"
)
_SMALL_WORDS = frozenset(
    {
        "and",
        "und",
        "et",
        "y",
        "van",
        "von",
        "de",
        "der",
        "den",
        "del",
        "della",
        "di",
        "da",
        "la",
        "le",
        "bin",
        "al",
        "dos",
        "du",
        "zu",
        "ten",
    }
)
_LINE_TAGS = ("p", "div", "span", "li", "address")
_SIGNED_TAGS = ("strong", "b", "em", "i")
_NETWORKS = frozenset(
    {"twitter", "facebook", "instagram", "linkedin", "whatsapp", "telegram", "email", "e", "mail", "x", "share"}
)
MAX_MARKED = 4
MAX_BELOW_HEADLINE = 250
"""Elements after the headline among which a byline stands."""
MAX_LINE_CHARS = 100
MAX_MARKED_CHARS = 200
MIN_NAME_WORDS = 2


def read_bylines(page: Page) -> Iterator[list[str]]:
    """
    Yield, from the surest kind of place to the least sure one, the texts that name the authors on the page itself.

    :returns: Lists that are not empty; each text may hold several names.
    """
    for place in (_declared, _marked, _profile_links, _lines, _signed):
        texts = [text for text in dict.fromkeys(place(page)) if not _NETWORKS.issuperset(fold(text).split())]
        by = [text for text in texts if BY.match(text)]
        if texts:
            yield by[:1] or texts[:MAX_MARKED]


def _declared(page: Page) -> Iterator[str]:
    elements = page.tree.xpath('//*[@rel="author" or @itemprop="author"]')
    yield from map(_visible_text, [element for element in elements if not _is_elsewhere(element)][:MAX_MARKED])


def _marked(page: Page) -> Iterator[str]:
    """Yield the first element that its class calls author or byline, and those beside it; of nested ones the outer."""
    first: HtmlElement | None = None
    for element in page.tree.iterfind(".//*[@class]"):
        name = element.get("class", "")
        if not _AUTHOR_CLASS.search(name) or _NOT_OF_THIS.search(name):
            continue
        if first is not None and element.getparent() is not first.getparent():
            continue
        text = _visible_text(element)
        if text and len(text) <= MAX_MARKED_CHARS and not _is_elsewhere(element):
            first = element if first is None else first
            yield from _inner_names(element) or [text]


def _inner_names(element: HtmlElement) -> list[str]:
    """Return the texts of the parts of a byline that are marked as names; empty if none are."""
    inner = [part for part in element.iterdescendants() if _NAME_CLASS.search(part.get("class", ""))]
    outermost = [part for part in inner if not any(other in inner for other in part.iterancestors())]
    return [text for part in outermost if _is_names(text := _visible_text(part))]


def _profile_links(page: Page) -> Iterator[str]:
    """Yield the texts of links to author pages that stand near the headline."""
    for element in _below_headline(page):
        if element.tag == "a" and _AUTHOR_PATH.search(element.get("href") or "") and not _is_elsewhere(element):
            text = _visible_text(element)
            if _is_names(text):
                yield text


def _lines(page: Page) -> Iterator[str]:
    """Yield lines near the headline that begin with "By" and go on with names."""
    for element in _below_headline(page):
        text = _visible_text(element) if element.tag in _LINE_TAGS else ""
        if not text or len(text) > MAX_LINE_CHARS or _is_elsewhere(element):
            continue
        yield from (
            part for part in _PARTS.split(text) if BY.match(part) and _is_names(_without_time(BY.sub("", part)))
        )


def _without_time(text: str) -> str:
    """Return a byline without the date that stands behind its names."""
    names, comma, rest = text.partition(",")
    return names if comma and any(map(str.isdigit, rest)) else text


def _signed(page: Page) -> Iterator[str]:
    """Yield the first and the last paragraph of the page's text where they are nothing but names in bold or italics."""
    paragraphs = [p for p in page.tree.iter("p") if _visible_text(p)]
    longer = [at for at, p in enumerate(paragraphs) if len(_visible_text(p)) > MAX_LINE_CHARS]
    if not longer:
        return
    for at in (longer[0] - 1, longer[-1] + 1):
        if 0 <= at < len(paragraphs) and _is_signature(paragraphs[at]):
            yield _visible_text(paragraphs[at])


def _is_signature(paragraph: HtmlElement) -> bool:
    children = [child for child in paragraph if isinstance(child.tag, str)]
    if len(children) != 1 or children[0].tag not in _SIGNED_TAGS:
        return False
    text = _visible_text(paragraph)
    return fold(_visible_text(children[0])) == fold(text) and _is_names(text)


def _is_names(text: str) -> bool:
    """Say whether a text looks like names of people: two to five words each, all but small ones with a capital."""
    words = [word for word in re.findall(r"[^\W\d_][\w.'\u2019-]*", text) if word.lower() not in _SMALL_WORDS]
    return len(words) >= MIN_NAME_WORDS and bool(_NAMES.match(text)) and all(not word[0].islower() for word in words)


def _below_headline(page: Page) -> Iterator[HtmlElement]:
    below, seen = False, 0
    for element in page.tree.iter():
        below = below or element.tag == "h1"
        if below and isinstance(element.tag, str):
            seen += 1
            if seen > MAX_BELOW_HEADLINE:
                return
            yield element


def _is_elsewhere(element: HtmlElement) -> bool:
    """Say whether an element stands in a picture, or in an article element that points to another story."""
    for outer in (element, *element.iterancestors()):
        if outer.tag in {"figure", "figcaption"}:
            return True
        if outer.tag == "article":
            return is_teaser_article(outer)
    return False


def _visible_text(element: HtmlElement) -> str:
    return clean_label(" ".join(str(text) for text in element.itertext()))
