"""The text of an article: trafilatura finds it, with boilerplate cut out before and after."""

import re
from collections.abc import Iterator, Sequence
from copy import deepcopy
from urllib.parse import urlsplit

from lxml.etree import _Element
from lxml.html import HtmlElement
from trafilatura import bare_extraction
from trafilatura.settings import Document

from scraper.extraction.boilerplate import prune_boilerplate
from scraper.extraction.brief import BRIEF_WEIGHT, read_brief
from scraper.extraction.completion import complete
from scraper.extraction.jsonld import types_of
from scraper.extraction.jsonld_text import read_stated_text
from scraper.extraction.page import Page
from scraper.extraction.phrases import is_boilerplate, is_source_line, is_tail, is_top_line
from scraper.extraction.standfirst import read_standfirst
from scraper.extraction.state_scripts import read_state_text
from scraper.extraction.text import clean_text, fold, text_weight

PARAGRAPH_BREAK = "\n\n"
TOP = 4
"""Paragraphs at the top among which headline, byline and date line may stand."""
MIN_FOUND_SHARE = 0.3
"""Where less than this share of the stated text was found, the page's scripts show it, not its HTML."""
STATE_RATIO, MIN_STATE_WEIGHT = 2, 200
"""The text that scripts hold is taken where it is so much longer than what the page shows."""
MIN_BRIEF_SHARE = 0.5
_LIVE_PATH = re.compile(
    r"(?:^|[/_-])(?:live-?(?:blog|ticker|updates?)?|ticker|direct|en-vivo|diretta|liveticker)(?:[/_-]|$)"
)
MIN_REPEATED_SHARE = 0.25
"""Of the paragraphs: a single one may well be right twice, a story is not."""
MIN_REPEATED_CHARS = 40
"""A shorter line may well be right twice in a row: a figure, a label."""
MIN_HEADLINE_WORDS = 4
"""A headline of fewer words may well be a subheading, too."""
KEY_WORDS, MAX_PLACES = 2, 16
"""Words by which a repeated paragraph is found, and how many places that begin or end with them are compared."""
MAX_CELL_CHARS = 200
"""A table with longer texts in its cells lays out a page; it does not list figures."""
CELL_BREAK = "; "
"""Not a bar: lines in capitals with a bar are pointers to other articles."""
_LINE_BREAK = "\u2028"
"""Stands for `br` until paragraphs are cut: the Unicode line separator, which counts as a blank."""
_PARAGRAPH_GAP = re.compile(f"{_LINE_BREAK}[^\\S{_LINE_BREAK}]*{_LINE_BREAK}")
_CONTAINERS = frozenset({"list", "table", "quote", "body", "div", "section"})
_HOLDERS = frozenset({"item", "cell"})
"""Hold running text, or blocks, or both."""
_INNER_BLOCKS = frozenset({"p", "head", "list", "table", "item"})
_INLINE = frozenset({"hi", "ref", "span", "del", "graphic"})


def read_body(page: Page, *, headline: str, authors: tuple[str, ...] = (), prune_xpaths: Sequence[str] = ()) -> str:
    """
    Return the text of the article, with its standfirst.

    :param headline: Is dropped where the text repeats it at the top.
    :param authors: Are dropped where a line at the top names nothing else.
    :param prune_xpaths: What else to cut out of this publisher's pages.
    :returns: Paragraphs in NFC separated by one blank line; empty if there is no text.
    """
    tree = deepcopy(page.tree)
    _held = list(tree.iter())  # lxml makes the object of an element anew at each visit, unless somebody holds it
    prune_boilerplate(tree, headline=headline, extra=prune_xpaths, is_live=is_live_blog(page))
    headings = [headline, *page.headings]
    found = tidy_paragraphs(_find_text(tree, url=page.url), headings=headings, authors=authors)
    stated = read_stated_text(page)
    if _weight(found) < MIN_FOUND_SHARE * _weight(stated):
        return PARAGRAPH_BREAK.join(stated)
    if _weight(found) < BRIEF_WEIGHT:
        short = _short_text(page, tree, found, headings=headings, authors=authors)
        return _with_standfirst(short, page=page, tree=tree)
    found = complete(without_tail(found), tree=tree, authors=authors)
    return _with_standfirst(told_once(without_tail(found)), page=page, tree=tree)


def _with_standfirst(found: list[str], *, page: Page, tree: HtmlElement) -> str:
    standfirst = read_standfirst(page, tree=tree, body=PARAGRAPH_BREAK.join(found)) if found else ""
    return PARAGRAPH_BREAK.join([standfirst, *found] if standfirst else found)


def _short_text(
    page: Page, tree: HtmlElement, found: list[str], *, headings: list[str], authors: tuple[str, ...]
) -> list[str]:
    """Return the text of a page with little text: from its scripts, as a brief, or as it was found."""
    held = read_state_text(page, titles=headings)
    if _weight(held) > max(STATE_RATIO * _weight(found), MIN_STATE_WEIGHT):
        return told_once(tidy_paragraphs(held, headings=headings, authors=authors))
    brief = told_once(without_tail(read_brief(tree, headings=headings, authors=authors)))
    if brief and _weight(brief) >= MIN_BRIEF_SHARE * _weight(found):
        return told_once(_parted(found, brief) or brief)
    return told_once(without_tail(complete(without_tail(found), tree=tree, authors=authors))) if found else []


def _parted(found: list[str], brief: list[str]) -> list[str]:
    """
    Return the paragraphs found from where a brief begins to where it ends, with lists and line breaks that it lacks.

    :returns: Empty where the brief begins or ends within a paragraph, as where its byline stands before it.
    """
    starts, ends, whole = {}, {}, ""
    for at, text in enumerate(map(fold, found)):
        starts[len(whole)], ends[len(whole) + len(text)] = at, at
        whole += f"{text} "
    place, places = 0, []
    for text in map(fold, brief):
        place = whole.find(text, place)
        if place < 0:
            return []
        places += [place, place + len(text)]
        place += len(text)
    if places[0] not in starts or places[-1] not in ends:
        return []
    return found[starts[places[0]] : ends[places[-1]] + 1]


def is_live_blog(page: Page) -> bool:
    """Say whether a page calls itself a live blog."""
    if any("LiveBlogPosting" in types_of(node) for node in page.linked_data.nodes):
        return True
    path = urlsplit(page.url).path.lower()
    return (
        bool(_LIVE_PATH.search(path))
        or page.tree.find(".//*[@itemtype='https://schema.org/LiveBlogPosting']") is not None
    )


def told_once(paragraphs: list[str]) -> list[str]:
    """Drop a story that stands in the text for the second time: pages hold it once for each layout, however parted."""
    again = _told_before(paragraphs)
    longer = [repeated and len(text) >= MIN_REPEATED_CHARS for repeated, text in zip(again, paragraphs, strict=True)]
    in_run = [
        repeated
        and (
            any(longer[max(0, at - 1) : at])
            or any(longer[at + 1 : at + 2])
            or sum(longer) >= MIN_REPEATED_SHARE * len(paragraphs)
        )
        for at, repeated in enumerate(again)
    ]
    return [text for text, repeated in zip(paragraphs, in_run, strict=True) if not repeated]


def _told_before(paragraphs: list[str]) -> list[bool]:
    """
    Say of each paragraph whether its words begin or end where an earlier one does.

    Only a few earlier places with the same first or last words are looked at, so that a page of equal lines takes no
    longer than another.
    """
    again: list[bool] = []
    begins: dict[str, list[int]] = {}
    ends: dict[str, list[int]] = {}
    before = ""
    for text in paragraphs:
        folded = fold(text)
        first, last = (" ".join(part) for part in (folded.split()[:KEY_WORDS], folded.split()[-KEY_WORDS:]))
        size = len(folded)
        again.append(
            bool(folded)
            and (
                any(before.startswith(f"{folded} ", at) for at in begins.get(first, ()))
                or any(before.endswith(f" {folded}", 0, at) or before[:at] == folded for at in ends.get(last, ()))
            )
        )
        for places, key, place in ((begins, first, len(before)), (ends, last, len(before) + size)):
            if len(known := places.setdefault(key, [])) < MAX_PLACES:
                known.append(place)
        before += f"{folded} "
    return again


def _weight(paragraphs: list[str]) -> int:
    return sum(map(text_weight, paragraphs))


def tidy_paragraphs(paragraphs: list[str], *, headings: Sequence[str], authors: tuple[str, ...]) -> list[str]:
    """
    Drop what is not part of the text, and a longer paragraph that repeats the one before it.

    :param headings: What counts as the headline, repeated.
    """
    headlines = {_without_blanks(heading) for heading in headings}
    kept: list[str] = []
    for text in map(clean_text, paragraphs):
        if (
            not any(map(str.isalnum, text))
            or is_boilerplate(text)
            or (len(text) >= MIN_REPEATED_CHARS and kept[-1:] == [text])
        ):
            continue
        is_at_top = len(kept) < TOP
        is_headline = _without_blanks(text) in headlines and (is_at_top or len(text.split()) >= MIN_HEADLINE_WORDS)
        if is_headline or (is_at_top and (is_top_line(text, authors=authors) or is_source_line(text))):
            continue
        kept.append(text)
    return kept


def _without_blanks(text: str) -> str:
    """Return the letters and digits of a text: a headline's parts, each in a line of its own, may come out glued."""
    return fold(text).replace(" ", "")


def without_tail(paragraphs: list[str]) -> list[str]:
    """Drop pitches and copyright lines from the end of a text; its first paragraph stays."""
    end = len(paragraphs)
    while end > 1 and is_tail(paragraphs[end - 1]):
        end -= 1
    return paragraphs[:end]


def _find_text(tree: HtmlElement, *, url: str) -> list[str]:
    document = bare_extraction(tree, url=url, include_comments=False, include_tables=True)
    if not isinstance(document, Document) or document.body is None:
        return []
    return list(_blocks(document.body))


def _blocks(element: _Element) -> Iterator[str]:
    """
    Yield the text of each block of trafilatura's tree.

    List items, what stands in them, and table rows are blocks of their own; inline elements belong to the text around
    them.
    """
    running = element.text or ""
    for child in element:
        if child.tag in _INLINE:
            running += _inline_text(child) + (child.tail or "")
            continue
        yield from _not_blank(running)
        yield from _row(child) if child.tag == "row" else _inner_blocks(child)
        running = child.tail or ""
    yield from _not_blank(running)


def _inner_blocks(element: _Element) -> Iterator[str]:
    holds_blocks = element.tag in _HOLDERS and any(child.tag in _INNER_BLOCKS for child in element)
    if element.tag in _CONTAINERS or holds_blocks:
        yield from _blocks(element)
    else:
        yield from _not_blank(_inline_text(element))


def _row(row: _Element) -> Iterator[str]:
    """Yield a table row as one block, or, where the table lays out longer texts, the blocks of its cells."""
    cells = [blocks for cell in row if (blocks := list(_inner_blocks(cell)))]
    texts = [" ".join(blocks) for blocks in cells]
    if len(cells) == 1 or any(len(text) > MAX_CELL_CHARS for text in texts):
        for blocks in cells:
            yield from blocks
    elif texts:
        yield CELL_BREAK.join(texts)


def _not_blank(text: str) -> Iterator[str]:
    for part in _PARAGRAPH_GAP.split(text):
        if line := part.replace(_LINE_BREAK, " ").strip():
            yield line


def _inline_text(element: _Element) -> str:
    for line_break in element.iter("lb"):
        line_break.tail = _LINE_BREAK + (line_break.tail or "")
    return "".join(str(text) for text in element.itertext())
