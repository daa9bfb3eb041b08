"""Who wrote an article."""

from collections.abc import Iterator
from urllib.parse import urlsplit

from scraper.extraction.agency import AGENCIES
from scraper.extraction.byline import MAX_MARKED, read_bylines
from scraper.extraction.headline import site_names
from scraper.extraction.jsonld import MAX_DEPTH, LinkedData, text_of
from scraper.extraction.links import bare_host
from scraper.extraction.names import ROLE, is_place, tidy_names
from scraper.extraction.page import Page
from scraper.extraction.text import fold

MAX_NAME_WORDS = 6
_DESKS = frozenset(
    {
        "staff",
        "admin",
        "administrator",
        "editor",
        "editors",
        "newsroom",
        "news desk",
        "newsdesk",
        "web desk",
        "online desk",
        "editorial team",
        "editorial board",
        "redaktion",
        "la redaction",
        "la redacci\u00f3n",
        "redazione",
        "staff writer",
        "staff reporter",
        "guest",
        "agencies",
        "web team",
        "news team",
    }
)
"""Bylines that name nobody, folded; like a house they give way to a source that does."""
_DESK_WORDS = frozenset(
    {
        "staff",
        "newsroom",
        "news",
        "desk",
        "editor",
        "editors",
        "editorial",
        "team",
        "web",
        "online",
        "digital",
        "reporter",
        "writer",
        "admin",
        "redaktion",
        "redaktionen",
        "redaksjonen",
        "redacci\u00f3n",
        "r\u00e9daction",
        "redazione",
        "redactie",
        "redakcja",
        "toimitus",
        "reda\u00e7\u00e3o",
        "redakce",
        "der",
        "die",
        "das",
        "the",
        "la",
        "le",
        "el",
        "von",
        "by",
        "and",
        "und",
        "of",
        "at",
        "correspondent",
        "bureau",
    }
)
"""Words that name no person; together with a house's name they name the house."""
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
    for names in _candidates(page, frozenset(houses)):
        people = tuple(name for name in names if not _is_house(name, houses))
        if people:
            return _without_titles(people, host=fold(bare_host(urlsplit(page.url).hostname or "")))
        fallback = fallback or names
    return fallback


def _is_house(name: str, houses: set[str]) -> bool:
    """Say whether a name is the site's or a desk's, as in "Courier staff" or "Redaktion Kurier"."""
    folded = fold(name)
    tokens = set(folded.split())
    return (
        folded in houses
        or any(len(house) > 1 and folded.startswith(f"{house} ") and name.isupper() for house in houses)
        or any(tokens <= set(house.split()) | _DESK_WORDS for house in houses if house)
        or tokens <= _DESK_WORDS
    )


def _candidates(page: Page, known: frozenset[str]) -> Iterator[tuple[str, ...]]:
    known |= {fold(name) for name in AGENCIES}
    yield _from_data(page, known)
    yield from _from_meta(page, known)
    yield tidy_names(page.marked.get("author", [])[:MAX_MARKED], split=True, known=known)
    for texts in read_bylines(page):
        yield tidy_names(texts, split=True, known=known)


def _from_data(page: Page, known: frozenset[str]) -> tuple[str, ...]:
    data = page.article_data
    values = page.linked_data.many(data.get("author")) or page.linked_data.many(data.get("creator"))
    names = [name for value in values for name in _names_of(value, page.linked_data) if name]
    return tidy_names(names, split=len(names) == 1, known=known)


def _names_of(value: object, data: LinkedData, depth: int = 0) -> Iterator[str]:
    """Yield the name or names of one author as JSON-LD writes it: a list, a list in a list, a role, numbered keys."""
    value = data.resolve(value)
    if depth > MAX_DEPTH:
        return
    if isinstance(value, list):
        for item in value:
            yield from _names_of(item, data, depth + 1)
    elif isinstance(value, dict):
        inner = [
            value[key]
            for key in ("author", "creator", "@list", "@set", "itemListElement", "item")
            if isinstance(value.get(key), dict | list)
        ]
        numbered = [item for key, item in value.items() if key.isdecimal()]
        if isinstance(value.get("name"), list | dict) and not _is_tagged(value["name"]):
            yield from _names_of(value["name"], data, depth + 1)
        elif value.get("name") or "@value" in value:
            yield text_of(value.get("name") or value)
        elif inner or numbered:
            yield from _names_of([*inner, *numbered], data, depth + 1)
        else:
            yield f"{text_of(value.get('givenName'))} {text_of(value.get('familyName'))}".strip()
    else:
        yield text_of(value)


def _is_tagged(value: object) -> bool:
    return isinstance(value, dict) and "@value" in value


def _from_meta(page: Page, known: frozenset[str]) -> Iterator[tuple[str, ...]]:
    for name in _META:
        found = tidy_names(page.meta.get(name, []), split=True, known=known)
        if found:
            yield found
            return


def _without_titles(names: tuple[str, ...], *, host: str) -> tuple[str, ...]:
    """Drop titles of office, places and the site's address where people are named beside them."""
    people = tuple(
        name
        for name in names
        if len(name.split()) <= MAX_NAME_WORDS and fold(name) != host and not ROLE.search(name) and not is_place(name)
    )
    return people or names
