"""Who wrote an article."""

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

from scraper.extraction.byline import BY, read_bylines
from scraper.extraction.headline import site_names
from scraper.extraction.jsonld import text_of
from scraper.extraction.links import bare_host
from scraper.extraction.page import Page
from scraper.extraction.text import clean_label, fold

MAX_AUTHORS = 30
MAX_NAME_CHARS = 80
MAX_NAME_WORDS = 6
_SPLIT = re.compile(
    r"\s*;\s*|\s*(?:,|\||/|&|\band\b|\bund\b|\bet\b(?!\s+al)|\by\b)\s+|(?-i:(?<=[a-z])/(?=[A-Z]))", re.IGNORECASE
)
_CODE = re.compile(r"\s*\([\w.]{2,5}\)$")
"""The shorthand of a desk behind a name, as in "Jo Doe (jod)"."""
_PLACE = re.compile(r"\s+in\s+(?-i:[A-Z])[\w.'-]+(?:\s+(?-i:[A-Z])[\w.'-]+)?$", re.IGNORECASE)
"""Where a reporter is, as in "Jo Doe in New York"."""
_ROLE = re.compile(
    r"\b(?:editors?|correspondents?|reporters?|writers?|columnists?|journalists?|producers?|bureau chief|contributors?"
    r"|redakteur(?:in)?|korrespondent(?:in)?|agencies|agenturen|agences)$",
    re.IGNORECASE,
)
_DESKS = frozenset(
    {
        "staff", "admin", "administrator", "editor", "editors", "newsroom", "news desk", "newsdesk", "web desk",
        "online desk", "editorial team", "editorial board", "redaktion", "la redaction", "la redacci\u00f3n",
        "redazione", "staff writer", "staff reporter", "guest", "agencies", "web team", "news team",
    }
)  # fmt: skip
"""Bylines that name nobody, folded; like a house they give way to a source that does."""
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

    A source that names nobody but the site itself gives way to the next one that does better.

    :returns: As the page writes them, in its order, without doubles; empty if it names none.
    """
    houses = site_names(page) | _DESKS
    fallback: tuple[str, ...] = ()
    for names in _candidates(page):
        if any(fold(name) not in houses for name in names):
            return _without_titles(names, host=fold(bare_host(urlsplit(page.url).hostname or "")))
        fallback = fallback or names
    return fallback


def _candidates(page: Page) -> Iterator[tuple[str, ...]]:
    yield _from_data(page)
    yield _from_meta(page)
    for texts in read_bylines(page):
        yield tidy_names(texts, split=True)


def _from_data(page: Page) -> tuple[str, ...]:
    data = page.article_data
    values = page.linked_data.many(data.get("author")) or page.linked_data.many(data.get("creator"))
    names = [name for value in values for name in _names_of(value)]
    return tidy_names(names, split=len(names) == 1)


def _names_of(value: object) -> list[str]:
    """Return the name or names of one author as JSON-LD writes it."""
    if isinstance(value, dict) and not value.get("name"):
        return [f"{text_of(value.get('givenName'))} {text_of(value.get('familyName'))}".strip()]
    if isinstance(value, dict) and isinstance(value.get("name"), list):
        return [text_of(name) for name in value["name"]]
    return [text_of(value)]


def _from_meta(page: Page) -> tuple[str, ...]:
    for name in _META:
        found = tidy_names(page.meta.get(name, []), split=True)
        if found:
            return found
    return ()


def _without_titles(names: tuple[str, ...], *, host: str) -> tuple[str, ...]:
    """Drop titles of office and the site's address where people are named beside them."""
    people = tuple(
        name for name in names if len(name.split()) <= MAX_NAME_WORDS and fold(name) != host and not _ROLE.search(name)
    )
    return people or names


def tidy_names(names: list[str], *, split: bool) -> tuple[str, ...]:
    """
    Clean names, drop what is no name (addresses, profiles) and doubles.

    :param split: Whether one string may hold several names, as in "A and B".
    """
    found: dict[str, str] = {}
    for name in names:
        for part in _SPLIT.split(name) if split else [name]:
            cleaned = _PLACE.sub("", _CODE.sub("", BY.sub("", clean_label(part)).strip(" ,;|")))
            if cleaned and len(cleaned) <= MAX_NAME_CHARS and not _NOT_A_NAME.search(cleaned):
                found.setdefault(fold(cleaned), cleaned)
    return tuple(found.values())[:MAX_AUTHORS]
