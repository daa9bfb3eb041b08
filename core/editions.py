"""Whether two texts are editions of one article, or articles of their own."""

import re

from core.shingles import shingles
from core.types import Article

_SENTENCE_END = re.compile(r"(?<=[.!?\u2026])\s+|[\n\u3002\uff01\uff1f]")
MIN_SHARED_SENTENCES = 0.4
MIN_SHARED = 0.6
"""Of the shorter text's runs of words, the share that stands in the longer: editions have more, other articles less."""


def are_alike(one: Article, other: Article) -> bool:
    """
    Say whether two texts are editions of one: most of the shorter stands in the longer.

    Stories that are written by one pattern (results, weather, decisions) share most of their words, too, but few whole
    sentences: they are one only under one headline, and not on two days.
    """
    if one.body == other.body:
        return True
    runs, others = shingles(one.body), shingles(other.body)
    if len(runs & others) < MIN_SHARED * min(len(runs), len(others)):
        return False
    sentences, more = _sentences(one.body), _sentences(other.body)
    if len(sentences & more) >= MIN_SHARED_SENTENCES * min(len(sentences), len(more)):
        return True
    days = {found.published_at.date() for found in (one, other) if found.published_at is not None}
    return one.headline.casefold() == other.headline.casefold() and len(days) <= 1


def _sentences(text: str) -> set[str]:
    return {" ".join(part.split()).casefold() for part in _SENTENCE_END.split(text) if part.strip()}
