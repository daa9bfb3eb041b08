"""Tells the teaser of an article for subscribers from the article."""

import re
from collections.abc import Sequence

from lxml.etree import iterwalk
from lxml.html import HtmlElement

from scraper.extraction.page import Page
from scraper.extraction.phrases import WALL
from scraper.extraction.text import block_text, clean_text, words

_HIDDEN = frozenset({"script", "style", "noscript", "template", "head"})
_FRAME = frozenset({"header", "nav", "footer"})
_COMMENTS = re.compile(
    r"(?:^|[\s_-])(?:comments?|comment-?list|disqus(?:_thread)?|kommentare?|kommentarer|commentaires?|comentarios|reacties)(?:$|[\s_-])",
    re.IGNORECASE,
)
_OTHERS = re.compile(
    r"(?:^|[\s_-])(?:related\w*|recommend(?:ed|ations?)|more-(?:stories|news|articles|from)|most-(?:read|popular|viewed)"
    r"|read-(?:also|next))(?:$|[\s_-])",
    re.IGNORECASE,
)
_ACCOUNT = re.compile(
    r"subscri|sign|log-?in|account|register|regist|join|member|offer|checkout|abo|plus|premium|paywall|^#|javascript:",
    re.IGNORECASE,
)
MIN_LINKED_WORDS = 3
_QUOTED = re.compile(
    '[\u201c\u201e][^\u201c\u201d\u201e]{0,300}[\u201d\u201c]|\u00ab[^\u00ab\u00bb]{0,300}\u00bb|\u00bb[^\u00ab\u00bb]{0,300}\u00ab|"[^"]{0,300}"'
)
"""What somebody said about a wall is none."""
STUB_CHARS = 900
"""With the page's own word that it is not free, or a notice to subscribe, less text than this is a teaser."""
STUB_PARAGRAPHS = 4
MIN_STATED_SHARE = 0.5


def find_paywall(page: Page, *, body: str, markers: Sequence[str] = ()) -> str | None:
    """
    Say what shows that only the teaser of the article is there; None if nothing does.

    :param body: The text that was found.
    :param markers: Texts of the publisher that stand in cut-off pages only.
    """
    stated, found = _stated_words(page), len(words(body))
    is_part = bool(stated) and found < MIN_STATED_SHARE * stated
    is_short = len(body) < STUB_CHARS and body.count("\n\n") < STUB_PARAGRAPHS
    if not (markers or is_part or is_short):
        return None
    visible = _visible_text(page)
    marker = next((marker for marker in markers if marker.lower() in visible.lower()), None)
    if marker:
        return f"the page holds {marker!r}"
    reason = _stated_reason(page, visible)
    if reason and is_part:
        return f"{reason} and shows {found} of {stated} words"
    return f"{reason} and shows {len(body)} characters of text" if reason and is_short else None


def _stated_reason(page: Page, visible: str) -> str | None:
    """Return the page's own word that it is not free; None if it gives none."""
    free = str(page.article_data.get("isAccessibleForFree", "")).lower().rsplit("/", 1)[-1]
    notice = None if free in {"true", "yes"} else WALL.search(_QUOTED.sub(" ", visible))
    if notice:
        return f"the page says {notice.group()!r}"
    return "the page says that it is not free" if free in {"false", "no"} else None


def _stated_words(page: Page) -> int:
    value = str(page.article_data.get("wordCount") or "")
    return int(value) if value.isdecimal() and len(value) <= len("100000") else 0


def _visible_text(page: Page) -> str:
    """Return the text outside scripts and outside the site's own header, navigation and footer."""
    texts: list[str] = []
    skipped: HtmlElement | None = None
    for event, element in iterwalk(page.tree, events=("start", "end")):
        if event == "end":
            skipped = None if element is skipped else skipped
            if skipped is None:
                texts.append(element.tail or "")
        elif skipped is None and _is_apart(element):
            skipped = element
        elif skipped is None:
            texts.append(element.text or "")
    return clean_text(" ".join(filter(None, texts)))


def _is_apart(element: HtmlElement) -> bool:
    """Say whether an element is not part of the story: out of sight, the site's frame, or what readers wrote."""
    if element.tag in _HIDDEN or (element.tag in _FRAME and not _is_in_article(element)):
        return True
    if element.tag == "article":
        return next(element.iterancestors("article"), None) is not None and next(element.iter("h1"), None) is None
    if element.tag == "a":
        return _points_elsewhere(element)
    name = f"{element.get('class', '')} {element.get('id', '')}" if element.attrib else ""
    is_apart = bool(name) and bool(_COMMENTS.search(name) or _OTHERS.search(name))
    return is_apart and element.tag not in {"html", "body", "main"}


def _points_elsewhere(link: HtmlElement) -> bool:
    """Say whether a link in a list, a heading or an aside leads to another story, and not to an account."""
    if not link.get("href") or _ACCOUNT.search(link.get("href", "")) or len(words(block_text(link))) < MIN_LINKED_WORDS:
        return False
    near = (*link.iterdescendants("h2", "h3", "h4"), *link.iterancestors("aside", "li", "h2", "h3", "h4"))
    return bool(near)


def _is_in_article(element: HtmlElement) -> bool:
    return next(element.iterancestors("article", "main"), None) is not None
