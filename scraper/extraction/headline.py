"""The headline, without the name of the site that many pages append to it."""

import re

from scraper.extraction.jsonld import text_of
from scraper.extraction.page import Page, title_parts
from scraper.extraction.text import fold

_SEPARATOR = re.compile("\\s+[-|:\u00b7\u00bb\u2013\u2014\u2022]+\\s+|\\s*[|\uff1a]\\s*")
_APART = re.compile(r"\s*[-|:*\u00b7\u00bb\u2013\u2014\u2022]")
_ELLIPSIS = re.compile("\\s*(?:\\.{2,}|\u2026)\\s*$")
MAX_HEADLINE_CHARS = 500
MIN_HEADLINE_WORDS = 3
"""Fewer behind a label are not a headline without it."""
MIN_CUT_CHARS = 90
"""A shorter headline without an ellipsis was not cut."""


def read_headline(page: Page) -> str:
    """
    Return the headline: JSON-LD, then OpenGraph, then an `h1`, then the title element.

    :returns: One line; empty if the page has none.
    """
    candidates = (
        text_of(page.article_data.get("headline")),
        page.meta_text("og:title", "twitter:title", "dc.title", "parsely-title"),
        _without_label(_main_heading(page), page=page),
        page.title,
    )
    found = strip_site_name(next((text for text in candidates if text), ""), page=page)
    return _whole(found, candidates, page=page)[:MAX_HEADLINE_CHARS]


def _without_label(heading: str, *, page: Page) -> str:
    """Return a heading without the label before it, where the title element begins with what is behind the label."""
    parts = (part for part in title_parts(page.title) if len(part.split()) >= MIN_HEADLINE_WORDS)
    return next((part for part in parts if heading.endswith(f" {part}")), heading)


def _whole(headline: str, candidates: tuple[str, ...], *, page: Page) -> str:
    """Return the headline in full, where another source goes on after the point at which this one was cut."""
    bare = _ELLIPSIS.sub("", headline)
    if not bare or (bare == headline and len(headline) < MIN_CUT_CHARS):
        return headline
    longer = [strip_site_name(text, page=page) for text in (*candidates, *page.headings) if _goes_on(bare, text)]
    return min(
        (text for text in longer if _goes_on(bare, text) and not _ELLIPSIS.search(text)), key=len, default=headline
    )


def _goes_on(start: str, text: str) -> bool:
    """Say whether a text begins with a cut headline and goes on with more of it, not with the name of a site."""
    rest = text[len(start) :]
    return len(text) > len(start) and text.startswith(start) and not _APART.match(rest) and any(map(str.isalnum, rest))


def _main_heading(page: Page) -> str:
    """Return, of several `h1`, the one that the title begins with, else the first that is not the site's name."""
    title, no_story = fold(page.title), site_names(page) | {""}
    stories = [heading for heading in page.headings if fold(heading) not in no_story] or page.headings
    return next((heading for heading in stories if title.startswith(fold(heading))), next(iter(stories), ""))


def site_names(page: Page) -> set[str]:
    """Return what the page calls its site, folded: `og:site_name`, JSON-LD publishers, the host without its suffix."""
    publishers = [text_of(node) for node in page.linked_data.many(page.article_data.get("publisher"))]
    host = re.sub(r"^(?:https?://)?(?:www\.)?([^/:]*).*", r"\1", page.url)
    names = [page.meta_text("og:site_name"), page.meta_text("application-name"), *publishers, host, host.split(".")[0]]
    return {fold(name) for name in names if name}


def strip_site_name(headline: str, *, page: Page) -> str:
    """Cut a trailing site name off a headline, as in "Headline | The Paper"; parts that are not a site name stay."""
    names = site_names(page)
    shown = {fold(text) for text in page.headings}
    for match in _SEPARATOR.finditer(headline):
        head, tail = headline[: match.start()].strip(), headline[match.end() :]
        if head and (fold(tail) in names or (fold(head) in shown and fold(headline) not in shown)):
            return head
    return headline
