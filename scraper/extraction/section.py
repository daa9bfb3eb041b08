"""The section of the paper that an article stands in."""

from scraper.extraction.jsonld import text_of
from scraper.extraction.page import Page

MAX_SECTION_CHARS = 80


def read_section(page: Page) -> str | None:
    """Return the section as the page writes it: JSON-LD, then meta elements; None if it does not say."""
    stated = text_of(page.article_data.get("articleSection"))
    found = stated or page.meta_text(
        "article:section", "og:article:section", "parsely-section", "section", "cxenseparse:section"
    )
    return found[:MAX_SECTION_CHARS] or None
