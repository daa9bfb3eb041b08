"""How near an extracted article comes to what was expected of its page. Every measure is from 0 to 1, per page."""

import unicodedata
from collections import Counter
from datetime import UTC, datetime, timedelta

from core.types import Article
from scraper.extraction.saved_pages import GoldPage
from scraper.extraction.text import clean_text, fold, words

SHINGLE_WORDS = 4


def page_values(article: Article | None, gold: GoldPage) -> dict[str, float]:
    """
    Compute all measures of one page.

    :param article: None: the page was refused, and everything that was expected counts as missed.
    :returns: Measure name to value; a measure whose expectation the gold does not state is left out.
    """
    values: dict[str, float] = {"accepted": float(article is not None)}
    if gold.body:
        precision, recall, f1 = overlap(article.body if article else "", gold.body)
        values |= {"body_precision": precision, "body_recall": recall, "body_f1": f1}
    if gold.headline:
        headline = article.headline if article else ""
        values["headline_exact"] = float(clean_text(headline) == clean_text(gold.headline))
        values["headline_words"] = float(fold(headline) == fold(gold.headline))
    if gold.published_at:
        values |= time_values(article.published_at if article else None, gold.published_at)
    if gold.authors is not None:
        values |= author_values(article.authors if article else (), gold.authors)
    return values


def overlap(text: str, expected: str) -> tuple[float, float, float]:
    """
    Compare two texts by their runs of four words, each counted as often as it occurs.

    Source: n-gram overlap as in the evaluation of article body extraction by Zyte (article-extraction-benchmark, 2020).

    :returns: Precision, recall and their harmonic mean. Texts of fewer than four words are compared as one run.
    """
    found, wanted = _shingles(text), _shingles(expected)
    shared = sum((found & wanted).values())
    if not shared:
        return (0.0, 0.0, 0.0) if found or wanted else (1.0, 1.0, 1.0)
    precision, recall = shared / sum(found.values()), shared / sum(wanted.values())
    return precision, recall, 2 * precision * recall / (precision + recall)


def _shingles(text: str) -> Counter[tuple[str, ...]]:
    tokens = words(unicodedata.normalize("NFC", text))
    if 0 < len(tokens) < SHINGLE_WORDS:
        return Counter([tuple(tokens)])
    return Counter(tuple(tokens[at : at + SHINGLE_WORDS]) for at in range(len(tokens) - SHINGLE_WORDS + 1))


def time_values(found: datetime | None, expected: str) -> dict[str, float]:
    """
    Compare times of publication.

    :param expected: ISO 8601. The day is the day in its time zone; without a zone, in UTC. A bare day sets no minute.
    :returns: `day`, and `minute` where the expectation has one.
    """
    moment = datetime.fromisoformat(expected)
    wanted = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    has_minute = len(expected) > len("2000-01-01")
    if found is None:
        return {"day": 0.0} | ({"minute": 0.0} if has_minute else {})
    day_alone = found == found.replace(hour=0, minute=0, second=0, microsecond=0)
    same_day = found.astimezone(wanted.tzinfo).date() == wanted.date() or (day_alone and found.date() == wanted.date())
    same_minute = abs(found - wanted) < timedelta(minutes=1)
    return {"day": float(same_day)} | ({"minute": float(same_minute)} if has_minute else {})


def author_values(found: tuple[str, ...], expected: tuple[str, ...]) -> dict[str, float]:
    """Compare sets of names, without regard to case and punctuation: all right or not, and F1."""
    ours, wanted = {fold(name) for name in found}, {fold(name) for name in expected}
    total = len(ours) + len(wanted)
    return {"authors_exact": float(ours == wanted), "authors_f1": 2 * len(ours & wanted) / total if total else 1.0}
