"""Boxes, embeds, captions and teasers: what stands in or around an article's text and is not part of it."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

import lxml.etree
from lxml.html import HtmlElement

from core.errors import ConfigError
from scraper.extraction.boxes import is_embed, is_named_box, special_boxes
from scraper.extraction.phrases import is_boilerplate
from scraper.extraction.text import block_text, clean_text, fold, text_weight

_BLOCKS = frozenset({"aside", "div", "section", "ul", "ol", "nav", "form", "p", "span"})
_ALWAYS = ("script", "style", "figcaption", "nav", "button", "dialog", "template", "noscript")
_UPDATE_NAME = re.compile(
    r"(?:^|[\s_-])(?:live)?-?(?:updates?|liveblog\w*|live-?entry|live-?post|live-?item|ticker-?(?:entry|item|post)?)(?:$|[\s_-])|liveBlogUpdate",
    re.IGNORECASE,
)
_CLOCK = re.compile(r"\b\d{1,2}[:.]\d{2}\b")
MAX_CLOCK_AT = 80
_SENTENCE_END = re.compile(r"[.!?\u2026\u3002\uff01\uff1f][\"'\u201d\u2019\u00bb)]*$")
_STATEMENT_END = re.compile(r"[.!\u2026\u3002\uff01][\"'\u201d\u2019\u00bb\u300d)]*$")
MAX_LINKED_SHARE = 0.8
MIN_SENTENCE_CHARS = 60
MIN_PLAIN_BESIDE = 2
MAX_BOILERPLATE_SHARE = 0.3
"""A block that holds more of the page's paragraph text than this is the article, whatever its name says."""
MAX_FORM_CHARS = 500
"""A form with more text is the whole page, as some servers write it."""
MIN_PROSE_CHARS = 400
"""A page with less text in paragraphs is a brief, or writes its text some other way."""
MIN_STORY_CHARS = 80
"""With less text outside of boxes, a short page may hold its story in one of them."""
LINK_SHARE = 0.9
"""A block of which this much is link text points elsewhere."""
MAX_TEASER_CHARS = 250
MIN_POINTER_WORDS = 3
MAX_LABEL_CHARS = 60
MAX_CUT_CHARS = 2
"""Some editors end a link a letter too early."""
_LABEL_TAGS = frozenset({"strong", "b", "span", "em", "i", "small"})


def prune_boilerplate(tree: HtmlElement, *, headline: str, extra: Sequence[str] = (), is_live: bool = False) -> None:
    """
    Cut boilerplate out of a tree, in place.

    :param headline: Tells the page's own article from others that were appended to it.
    :param extra: XPaths of the publisher's own boilerplate.
    :param is_live: Whether the page is a live blog: its updates may be articles, too.
    :raises ConfigError: If one of them is not valid.
    """
    for xpath in extra:
        _drop_all(_select(tree, xpath))
    _drop_all(_other_articles(tree, headline=headline, is_live=is_live))
    boxes = special_boxes(tree)
    _drop_all(tree.iter(*_ALWAYS))
    _drop_all(form for form in tree.iter("form") if len("".join(form.itertext())) <= MAX_FORM_CHARS)
    _drop_all(quote for quote in tree.iter("blockquote", "div") if is_embed(quote))
    heading = next((h for h in tree.iter("h1", "h2") if fold(block_text(h)) == fold(headline)), None)
    _drop_boxes(tree, boxes, heading=heading)
    if heading is not None:
        _drop_kicker(heading)
    _unlink_sentences(tree)
    _drop_all(element for element in tree.iter("p", "li", "h2", "h3", "h4", "h5") if _is_teaser(element))


def _unlink_sentences(tree: HtmlElement) -> None:
    """Take the link off paragraphs that are one whole sentence of the text: others beside them are not linked."""
    for paragraph in list(tree.iter("p")):
        links = [link for link in paragraph.iter("a") if link.get("href")]
        if not links or link_share(paragraph) < MAX_LINKED_SHARE or not _is_sentence(paragraph):
            continue
        beside = list(paragraph.itersiblings("p", preceding=True)) + list(paragraph.itersiblings("p"))
        plain = [
            p
            for p in beside
            if link_share(p) < MAX_LINKED_SHARE and len(clean_text("".join(p.itertext()))) >= MIN_SENTENCE_CHARS
        ]
        if len(plain) >= MIN_PLAIN_BESIDE:
            for link in links:
                link.drop_tag()


def _is_sentence(paragraph: HtmlElement) -> bool:
    text = clean_text("".join(paragraph.itertext()))
    weight, ends = text_weight(text), _STATEMENT_END.search(text)
    return bool(ends) and weight >= MIN_SENTENCE_CHARS and not is_boilerplate(text)


def prose_length(element: HtmlElement) -> int:
    """Count the characters of paragraphs that are not list items: teasers are, an article's text is not."""
    return sum(len(text) for p in element.iter("p") if not _in_list(p) for text in p.itertext())


def link_share(element: HtmlElement) -> float:
    """Return the share of an element's text that is link text; 1 for a blank element."""
    total = len(clean_text("".join(element.itertext())))
    linked = sum(len(clean_text("".join(link.itertext()))) for link in element.iter("a") if link.get("href"))
    return linked / total if total else 1.0


def _in_list(element: HtmlElement) -> bool:
    parent = element.getparent()
    return parent is not None and parent.tag == "li"


def _drop_boxes(tree: HtmlElement, boxes: list[HtmlElement], *, heading: HtmlElement | None) -> None:
    """
    Drop boxes, and elements whose names say that they are some, but for those that hold much of the page's text.

    :param boxes: Those that are told otherwise than by their names.
    :param heading: The headline; what stands around it is no box.
    """
    around = {id(outer) for outer in heading.iterancestors()} if heading is not None else set()
    named = [element for element in tree.iter() if _may_be_box(element) and is_named_box(element)]
    boxes = [box for box in (*boxes, *named) if id(box) not in around]
    total = prose_length(tree)
    if total >= MIN_PROSE_CHARS:
        _drop_all(box for box in boxes if prose_length(box) <= MAX_BOILERPLATE_SHARE * total)
    elif _prose_outside(tree, boxes) >= MIN_STORY_CHARS:
        _drop_all(boxes)


def _may_be_box(element: HtmlElement) -> bool:
    return isinstance(element.tag, str) and (element.tag in _BLOCKS or "-" in element.tag)


def _prose_outside(tree: HtmlElement, boxes: list[HtmlElement]) -> int:
    """Count the characters of longer paragraphs below the headline that stand in none of the boxes."""
    held = {id(inner) for box in boxes for inner in box.iter()}
    below, total = tree.find(".//h1") is None, 0
    for element in tree.iter("h1", "p"):
        below = below or element.tag == "h1"
        if below and element.tag == "p" and id(element) not in held and not _in_list(element):
            total += len(clean_text("".join(map(str, element.itertext()))))
    return total


def _drop_kicker(heading: HtmlElement) -> None:
    """Drop short lines right above the headline in its block: the section, a label, a kicker."""
    before = heading.itersiblings("p", "div", "span", preceding=True)
    texts = [(element, block_text(element)) for element in before]
    _drop_all(e for e, text in texts if len(text) <= MAX_LABEL_CHARS and not _SENTENCE_END.search(text))


def _is_teaser(element: HtmlElement) -> bool:
    """Say whether a block is nothing but a link to another page: a pointer, not a sentence of the article."""
    if next(element.iter("a"), None) is None:
        return False
    text = clean_text("".join(element.itertext()))
    if not text or len(text) > MAX_TEASER_CHARS or _SENTENCE_END.search(text):
        return False
    return link_share(element) >= LINK_SHARE or _is_labelled_link(element, text)


def _is_labelled_link(element: HtmlElement, text: str) -> bool:
    """Say whether a block is a label and a link, as in "Interview: We were lucky": a pointer to another story."""
    links = [link for link in element.iter("a") if link.get("href")]
    if len(links) > 1:
        label, colon, rest = text.partition(":")
        linked = "".join("".join(map(str, link.itertext())) for link in links)
        share = sum(map(str.isalnum, linked)) / max(1, sum(map(str.isalnum, rest)))
        return bool(colon) and len(label) <= MAX_LABEL_CHARS and share >= LINK_SHARE
    if not links:
        return False
    linked = clean_text("".join(map(str, links[0].itertext())))
    if len(linked.split()) < MIN_POINTER_WORDS:
        return False
    label, found, rest = text.partition(linked)
    is_apart = label.rstrip().endswith(":") or (len(element) > 1 and element[0].tag in _LABEL_TAGS and not element.text)
    return bool(found) and 0 < len(label.strip()) <= MAX_LABEL_CHARS and len(rest.strip()) <= MAX_CUT_CHARS and is_apart


def _other_articles(tree: HtmlElement, *, headline: str, is_live: bool) -> list[HtmlElement]:
    """
    Return the articles that a page appends to its own, as endless scrolling does; empty if it is not clear.

    Updates of a live blog, which may be articles beside the first one, are moved into it.
    """
    articles = [article for article in tree.iter("article") if next(article.iterancestors("article"), None) is None]
    if len(articles) <= 1:
        return []
    own = [article for article in articles if any(_same(h, headline) for h in article.iter("h1", "h2"))]
    if not own or prose_length(own[0]) < MAX_TEASER_CHARS:
        return []
    others = [article for article in articles if article is not own[0]]
    updates = _updates(others, own[0], is_live=is_live)
    for update in updates:
        update.tag = "div"
        own[0].append(update)  # trafilatura reads one article element
    return [
        article
        for article in others
        if article not in updates and next(article.iter("h1", "h2", "h3"), None) is not None
    ]


def _updates(articles: list[HtmlElement], own: HtmlElement, *, is_live: bool) -> list[HtmlElement]:
    """Return the articles that are updates of a live blog: alike, timed, without a headline of their own page."""
    kinds = Counter(_kind(article) for article in articles)
    return [
        article
        for article in articles
        if next(article.iter("h1"), None) is None
        and not any(link_share(heading) > MAX_LINKED_SHARE for heading in article.iter("h2", "h3", "h4"))
        and (
            _UPDATE_NAME.search(_kind(article))
            or (is_live and (kinds[_kind(article)] > 1 or len(articles) == 1) and _is_timed(article))
        )
        and (is_live or kinds[_kind(article)] > 1)
        and _kind(article) != _kind(own)
    ]


def _kind(article: HtmlElement) -> str:
    parts = (
        article.get("class", ""),
        article.get("itemprop", ""),
        article.get("itemtype", "").rsplit("/", 1)[-1],
        article.get("role", ""),
    )
    return " ".join(filter(None, parts))


def _is_timed(article: HtmlElement) -> bool:
    """Say whether an article begins with a time."""
    if next(article.iter("time"), None) is not None:
        return True
    return bool(_CLOCK.search(block_text(article)[:MAX_CLOCK_AT]))


def _same(heading: HtmlElement, headline: str) -> bool:
    return fold(headline) in fold("".join(heading.itertext()))


def _select(tree: HtmlElement, xpath: str) -> list[HtmlElement]:
    try:
        found = tree.xpath(xpath)
    except lxml.etree.XPathError as error:
        raise ConfigError(f"prune_xpaths: {xpath!r} is not an XPath: {error}", field="prune_xpaths") from error
    return [element for element in found if isinstance(element, HtmlElement)] if isinstance(found, list) else []


def _drop_all(elements: "Sequence[HtmlElement] | Iterator[HtmlElement]") -> None:
    """Remove elements, keeping the text behind each."""
    for element in list(elements):
        if element.getparent() is not None:
            element.drop_tree()
