"""Who wrote an article."""

import re

from scraper.extraction.jsonld import text_of
from scraper.extraction.page import Page
from scraper.extraction.text import clean_label, fold

MAX_AUTHORS = 30
MAX_NAME_CHARS = 80
_BY = re.compile(
    r"^(?:written\s+by|words\s+by|story\s+by|reported\s+by|von|by|par|por|di|af|av|door)\s*:?\s+", re.IGNORECASE
)
_SPLIT = re.compile(r"\s*(?:,|;|\||/|&|\band\b|\bund\b|\bet\b(?!\s+al)|\by\b)\s+", re.IGNORECASE)
_NOT_A_NAME = re.compile(r"https?:|www\.|@|\d{3}", re.IGNORECASE)
_META = (
    "author",
    "article:author",
    "parsely-author",
    "sailthru.author",
    "dc.creator",
    "dcterms.creator",
    "byl",
    "byline",
    "cxenseparse:author",
)


def read_authors(page: Page) -> tuple[str, ...]:
    """
    Return the names of the authors: JSON-LD, then meta elements, then the page's visible byline.

    :returns: As the page writes them, in its order, without doubles; empty if it names none.
    """
    return _from_data(page) or _from_meta(page) or _from_byline(page)


def _from_data(page: Page) -> tuple[str, ...]:
    data = page.article_data
    values = page.linked_data.many(data.get("author")) or page.linked_data.many(data.get("creator"))
    return tidy_names([text_of(value) for value in values], split=len(values) == 1)


def _from_meta(page: Page) -> tuple[str, ...]:
    for name in _META:
        found = tidy_names(page.meta.get(name, []), split=True)
        if found:
            return found
    return ()


def _from_byline(page: Page) -> tuple[str, ...]:
    elements = page.tree.xpath('//*[@rel="author" or @itemprop="author"]') or page.tree.xpath(
        '//*[contains(@class, "byline") or contains(@class, "author-name") or contains(@class, "article-author")]'
    )
    return tidy_names([clean_label("".join(element.itertext())) for element in elements[:4]], split=True)


def tidy_names(names: list[str], *, split: bool) -> tuple[str, ...]:
    """
    Clean names, drop what is no name (addresses, profiles) and doubles.

    :param split: Whether one string may hold several names, as in "A and B".
    """
    found: dict[str, str] = {}
    for name in names:
        for part in _SPLIT.split(name) if split else [name]:
            cleaned = _BY.sub("", clean_label(part)).strip(" ,;|")
            if cleaned and len(cleaned) <= MAX_NAME_CHARS and not _NOT_A_NAME.search(cleaned):
                found.setdefault(fold(cleaned), cleaned)
    return tuple(found.values())[:MAX_AUTHORS]
