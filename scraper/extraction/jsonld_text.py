"""The text that a page states in JSON-LD, for pages whose scripts, not their HTML, hold the text."""

import html
import re

from scraper.extraction.jsonld import text_of
from scraper.extraction.page import Page
from scraper.extraction.text import clean_label

_BLOCK_END = re.compile(r"</(?:p|h[1-6]|li|div)>|<br\s*/?>", re.IGNORECASE)


def read_stated_text(page: Page) -> list[str]:
    """
    Return the paragraphs of `articleBody`, and of a live blog's updates in the order of the page.

    :returns: Empty if the page states no text.
    """
    data = page.article_data
    paragraphs = _paragraphs(data.get("articleBody"))
    for update in page.linked_data.many(data.get("liveBlogUpdate")):
        if isinstance(update, dict):
            paragraphs += [text for text in (text_of(update.get("headline")),) if text]
            paragraphs += _paragraphs(update.get("articleBody"))
    return paragraphs


def _paragraphs(value: object) -> list[str]:
    if not isinstance(value, str):
        return []
    text = _BLOCK_END.sub("\n", html.unescape(value))
    return [line for part in text.splitlines() if (line := clean_label(part))]
