"""Puts back paragraphs that trafilatura left out although they stand in the same containers as those it kept."""

from collections import Counter, defaultdict

from lxml.html import HtmlElement

from scraper.extraction.boilerplate import link_share
from scraper.extraction.phrases import is_boilerplate, is_top_line
from scraper.extraction.text import clean_text, fold, words

BEFORE = -1
MIN_CHARS = 60
MIN_KEPT = 3
"""Paragraphs of one kind of container that must have been kept before others of that kind are believed."""
MIN_CONTAINER_SHARE = 0.4
MAX_LINK_SHARE = 0.5
RUN_WORDS = 4
MAX_KNOWN_SHARE = 0.4
"""A paragraph more of whose runs of words stand in the text already is there in another form."""

Signature = tuple[str, ...]


def complete(paragraphs: list[str], *, tree: HtmlElement, authors: tuple[str, ...] = ()) -> list[str]:
    """
    Add what is missing.

    A container is known by its tag and class and its parent's. Where most of the kept text comes from containers of
    one kind, a longer paragraph below the headline in another container of that kind belongs to the text, too.

    :param paragraphs: What was kept, in order.
    :param tree: The page without boilerplate.
    :param authors: A line that names them, or a date, is not missing.
    :returns: All paragraphs, in the order of the page.
    """
    position = {fold(text): index for index, text in enumerate(paragraphs)}
    rows = [(clean_text("".join(element.itertext())), element) for element in tree.iter("p", "h1")]
    trusted = _trusted_containers(rows, position, total=sum(map(len, paragraphs)))
    known = set().union(*map(_runs, paragraphs))
    added: dict[int, list[str]] = defaultdict(list)
    last, below = BEFORE, False
    for text, element in rows:
        below = below or element.tag == "h1"
        last = position.get(fold(text), last)
        if (below or last > BEFORE) and _signature(element) in trusted and _is_worth_adding(text, element, known):
            if is_top_line(text, authors=authors):
                continue
            added[last].append(text)
            known |= _runs(text)
    return [*added[BEFORE], *(text for index, kept in enumerate(paragraphs) for text in (kept, *added[index]))]


def _is_worth_adding(text: str, element: HtmlElement, known: set[tuple[str, ...]]) -> bool:
    return (
        len(text) >= MIN_CHARS
        and _is_new(text, known)
        and not is_boilerplate(text)
        and link_share(element) <= MAX_LINK_SHARE
    )


def _trusted_containers(rows: list[tuple[str, HtmlElement]], position: dict[str, int], *, total: int) -> set[Signature]:
    """Return the kinds of container that hold enough of the kept text."""
    count, weight = Counter[Signature](), Counter[Signature]()
    for text, element in rows:
        if fold(text) in position:
            count[_signature(element)] += 1
            weight[_signature(element)] += len(text)
    return {name for name in count if count[name] >= MIN_KEPT and weight[name] >= MIN_CONTAINER_SHARE * total}


def _is_new(text: str, known: set[tuple[str, ...]]) -> bool:
    """Say whether most runs of words of a text do not occur among known ones."""
    runs = _runs(text)
    return bool(runs) and len(runs & known) <= MAX_KNOWN_SHARE * len(runs)


def _runs(text: str) -> set[tuple[str, ...]]:
    tokens = words(text)
    return {tuple(tokens[at : at + RUN_WORDS]) for at in range(len(tokens) - RUN_WORDS + 1)}


def _signature(element: HtmlElement) -> Signature:
    names: list[str] = []
    for near in (element.getparent(), element.getparent().getparent() if element.getparent() is not None else None):
        names += [str(near.tag), near.get("class", "")] if near is not None else ["", ""]
    return tuple(names)
