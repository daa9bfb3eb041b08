"""Which language an article is written in."""

import re
from functools import cache

from py3langid.langid import MODEL_FILE, LanguageIdentifier

from scraper.extraction.jsonld import text_of
from scraper.extraction.page import Page

SURE = 0.9
MIN_CHARS = 120
SAMPLE_CHARS = 3_000
_CODE = re.compile(r"^([a-z]{2})(?:[-_]|$)", re.IGNORECASE)


def read_language(page: Page, *, body: str) -> str | None:
    """
    Return the ISO 639-1 code of the text's language: detected where that is sure, else what the page declares.

    Pages often declare the language of their template, so a sure detection wins.
    """
    detected, probability = detect_language(body) if len(body) >= MIN_CHARS else (None, 0.0)
    if probability >= SURE:
        return detected
    declared = (page.tree.get("lang"), text_of(page.article_data.get("inLanguage")), page.meta_text("og:locale"))
    codes = (match.group(1).lower() for value in declared if value and (match := _CODE.match(value)))
    return next(codes, detected)


def detect_language(text: str) -> tuple[str, float]:
    """Return the likeliest ISO 639-1 code and its probability."""
    code, probability = _identifier().classify(text[:SAMPLE_CHARS])
    return str(code), float(probability)


@cache
def _identifier() -> LanguageIdentifier:
    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
