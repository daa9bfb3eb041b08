"""What stands inside an article's text on the page but is no part of it: boxes, pitches, tails, share bars."""

import re
from collections.abc import Sequence

import lxml.etree
from lxml.html import HtmlElement

from core.errors import ConfigError

_FURNITURE_NAME = re.compile(
    r"(?:^|[\s_-])(?:newsletter|related|recommend(?:ed|ations?)|more-(?:stories|on|from|news)|most-(?:read|viewed|popular)"
    r"|share(?:-?(?:bar|tools|buttons))?|sharing|social(?:-?(?:bar|links|share|media))?|breadcrumbs?|cookie|consent"
    r"|sign-?up|subscri(?:be|ption)(?:-?(?:box|form|banner|promo))?|promo|outbrain|taboola|comments?)(?:$|[\s_-])",
    re.IGNORECASE,
)
_BLOCKS = ("aside", "div", "section", "ul", "ol", "nav", "form", "figure")
MAX_FURNITURE_SHARE = 0.3
"""A block that holds more of the page's paragraph text than this is the article, whatever its name says."""

_FURNITURE_TEXT = re.compile(
    r"^(?:(?:read|see|watch|listen|related|more)(?: (?:more|also|next|now|on this(?: story)?|stories|articles|topics))?"
    r"\s*[:»>].{0,200}"
    r"|advertisement|sponsored(?: content)?|story continues below.{0,40}|continue reading.{0,60}|share this.{0,60}"
    r"|sign up (?:for|to) .{0,200}(?:newsletter|inbox|briefing|alerts).{0,100})$",
    re.IGNORECASE,
)


def prune_furniture(tree: HtmlElement, *, extra: Sequence[str] = ()) -> None:
    """
    Cut page furniture out of a tree, in place.

    :param extra: XPaths of the publisher's own furniture.
    :raises ConfigError: If one of them is not valid.
    """
    for xpath in extra:
        for element in _select(tree, xpath):
            _drop(element)
    total = _prose_length(tree) or 1
    for element in list(tree.iter(*_BLOCKS)):
        name = f"{element.get('class', '')} {element.get('id', '')}"
        if _FURNITURE_NAME.search(name) and _prose_length(element) <= MAX_FURNITURE_SHARE * total:
            _drop(element)


def is_furniture_text(text: str) -> bool:
    """Say whether a paragraph is a pitch, a pointer to another page or a label, by its words."""
    return bool(_FURNITURE_TEXT.match(text))


def _select(tree: HtmlElement, xpath: str) -> list[HtmlElement]:
    try:
        found = tree.xpath(xpath)
    except lxml.etree.XPathError as error:
        raise ConfigError(f"prune_xpaths: {xpath!r} is not an XPath: {error}", field="prune_xpaths") from error
    return [element for element in found if isinstance(element, HtmlElement)] if isinstance(found, list) else []


def _prose_length(element: HtmlElement) -> int:
    """Count the characters of paragraphs that are no list items: teasers are, an article's text is not."""
    paragraphs = element.iter("p")
    return sum(len(text) for p in paragraphs if p.getparent().tag != "li" for text in p.itertext())


def _drop(element: HtmlElement) -> None:
    """Remove an element, keeping the text behind it."""
    if element.getparent() is not None:
        element.drop_tree()
