"""An article as expressions see it: each field as a line of lower-case words with a blank at either end."""

import unicodedata
from dataclasses import dataclass

from core.words import LETTER_OR_DIGIT_RUN
from evaluation.data.formats.corpus import CorpusArticle

FIELDS = ("headline", "body", "section", "source", "url", "published", "id")
TEXT_FIELDS = ("headline", "body")


def words(text: str) -> list[str]:
    """Return the words of a text in lower case: runs of letters and digits in Unicode NFC."""
    return LETTER_OR_DIGIT_RUN.findall(unicodedata.normalize("NFC", text).casefold())


def as_line(text: str) -> str:
    """Return the words with single blanks between and around them."""
    return f" {' '.join(words(text))} "


@dataclass(frozen=True)
class Searchable:
    """The fields of one article, ready to be matched."""

    lines: dict[str, str]
    """Field to its words, as `as_line` makes them."""
    published: str
    """ISO date; empty if unknown."""


def searchable(article: CorpusArticle) -> Searchable:
    """Prepare one article."""
    raw = {
        "headline": article.headline,
        "body": article.body,
        "section": article.section or "",
        "source": article.source or "",
        "url": article.url,
        "id": article.id,
        "published": article.published_at or "",
    }
    return Searchable(lines={name: as_line(text) for name, text in raw.items()}, published=raw["published"])
