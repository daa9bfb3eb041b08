"""The text of an item of a few sentences: its paragraphs as the page sets them, where there is too little to weigh."""

import re
from collections.abc import Iterator, Sequence

from lxml.html import HtmlElement

from scraper.extraction.boilerplate import link_share
from scraper.extraction.phrases import is_boilerplate, is_source_line, is_top_line
from scraper.extraction.text import block_text, fold, text_weight

BLOCKS = frozenset(
    {
        "p",
        "div",
        "section",
        "article",
        "main",
        "header",
        "footer",
        "ul",
        "ol",
        "li",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "blockquote",
        "table",
        "tr",
        "td",
        "th",
        "figure",
        "aside",
        "nav",
        "form",
        "dl",
        "dt",
        "dd",
        "pre",
        "address",
        "details",
        "summary",
        "body",
        "tbody",
    }
)
_OTHERS = frozenset({"nav", "aside", "footer", "form", "button", "select", "figure", "script", "style", "table"})
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_SENTENCE = re.compile("[.!?\u2026\u3002\uff01\uff1f\u061f\u06d4\u0964][\"'\u201d\u2019\u00bb\u300d\u300f)\\]]*$")
_TEXT_CLASS = re.compile(
    r"(?:^|[\s_-])(?:article|story|entry|post|content|text|body)-?(?:body|text|content|copy|main)?(?:$|[\s_-])|articleBody|articletext",
    re.IGNORECASE,
)
MIN_WEIGHT = 10
MIN_LINE_WEIGHT = 60
"""A shorter line that ends like no sentence is a label, a byline or a tag."""
MAX_LINK_SHARE = 0.5
BRIEF_WEIGHT = 900
"""Of longer texts trafilatura knows which part of the page they are."""
_MAX_CLIMB = 8


def read_brief(tree: HtmlElement, *, headings: Sequence[str], authors: tuple[str, ...]) -> list[str]:
    """
    Return the sentences below the headline, in the paragraphs of the page.

    :param tree: The page without boilerplate.
    :param headings: What counts as the headline, repeated.
    :param authors: Lines that name nothing else are not part of the text.
    """
    folded = {fold(heading) for heading in headings} - {""}
    heading = next((h for h in tree.iter("h1", "h2") if fold(block_text(h)) in folded), None)
    root = _story_of(heading) if heading is not None else next(tree.iter("article", "main"), None)
    if root is None:
        return []
    paragraphs: list[str] = []
    below, between = heading is None, ""
    for element in root.iter():
        below = below or element is heading
        if not below or element is heading or not _is_line(element) or _is_elsewhere(element, root):
            continue
        if element.tag in _HEADINGS:
            between = _subheading(element, authors=authors) if paragraphs else ""
            continue
        for text in _parts(element):
            if (
                _is_sentence(text, element)
                and not _is_label(text, authors=authors)
                and fold(text) not in folded
                and text not in paragraphs
            ):
                paragraphs += [between, text] if between else [text]
                between = ""
    return paragraphs


def _subheading(element: HtmlElement, *, authors: tuple[str, ...]) -> str:
    """Return the text of a heading that may stand between two paragraphs; empty if it is a label or a link."""
    text = block_text(element)
    return "" if _is_label(text, authors=authors) or link_share(element) > MAX_LINK_SHARE else text


def _story_of(heading: HtmlElement) -> HtmlElement | None:
    """Climb from the headline to the first element that holds sentences, too."""
    current = heading.getparent()
    for _ in range(_MAX_CLIMB):
        if current is None:
            return None
        for element in current.iter():
            if (
                element is not heading
                and _is_line(element)
                and not _is_elsewhere(element, current)
                and _follows(element, heading)
            ):
                text = block_text(element)
                if (
                    _SENTENCE.search(text)
                    and text_weight(text) >= MIN_WEIGHT
                    and element.tag not in _HEADINGS
                    and link_share(element) < MAX_LINK_SHARE
                ):
                    return current if current.tag != "header" or current.getparent() is None else current.getparent()
        current = current.getparent()
    return None


def _follows(element: HtmlElement, heading: HtmlElement) -> bool:
    return element not in heading.iter()


def _is_line(element: HtmlElement) -> bool:
    """Say whether an element is a block of text without blocks in it."""
    return (
        element.tag in BLOCKS
        and element.tag not in {"tr", "tbody"}
        and not any(child.tag in BLOCKS for child in element)
    )


def _is_elsewhere(element: HtmlElement, root: HtmlElement) -> bool:
    for outer in (element, *element.iterancestors()):
        if outer is root:
            return False
        if outer.tag in _OTHERS:
            return True
    return False


def _parts(element: HtmlElement) -> Iterator[str]:
    """Yield the texts between double line breaks of a block; a single break ends no paragraph."""
    if element.tag == "p" or next(element.iter("br"), None) is None:
        yield block_text(element)
        return
    pieces = [element.text or ""]
    for child in element:
        if child.tag == "br":
            pieces.append(child.tail or "")
        else:
            pieces[-1] += block_text(child) + (child.tail or "")
    yield from (" ".join(piece.split()) for piece in pieces if piece.strip())


def _is_sentence(text: str, element: HtmlElement) -> bool:
    if not text or element.tag in _HEADINGS or link_share(element) > MAX_LINK_SHARE:
        return False
    weight = text_weight(text)
    return (bool(_SENTENCE.search(text)) and weight >= MIN_WEIGHT) or weight >= MIN_LINE_WEIGHT


def _is_label(text: str, *, authors: tuple[str, ...]) -> bool:
    return is_boilerplate(text) or is_source_line(text) or is_top_line(text, authors=authors)
