"""Whether an article carries a correction notice."""

import re

from scraper.extraction.jsonld import text_of
from scraper.extraction.page import Page
from scraper.extraction.text import clean_text

_PIECE = "(?:article|story|report|post|piece|headline)"
_NOTICE = re.compile(
    "|".join(
        (
            r"^[\W_]*(?:corrections?(?: and clarifications?)?|corrected|clarification|corrigendum|erratum|retraction"
            r"|berichtigung|korrektur|rectificatif|fe de errores)\b\s*[:\u2013\u2014(,-]",
            rf"\b(?:earlier|previous|original|first) versions? of (?:this|the) {_PIECE}\b",
            rf"\bthis {_PIECE}\b.{{0,60}}\b(?:was|has been|is)\b.{{0,30}}\b(?:corrected|amended|retracted)\b",
            r"\bthe (?:article|story|headline) (?:was|has)(?: since)?(?: been)? (?:corrected|amended)\b",
            r"\b(?:updated|edited) to (?:correct|clarify|fix)\b",
            rf"\bthis {_PIECE} (?:was|has)(?: since)?(?: been)? updated to reflect\b",
            r"\bwe (?:apologi[sz]e|are sorry) for the error\b",
            r"^[\W_]*(?:editor.?s?.? )?note\s*[:\u2013\u2014-].{0,200}"
            r"\b(?:correct(?:ed|s|ion)?|amended|misstated|retracted)\b",
            rf"\bthis {_PIECE} (?:originally|previously|incorrectly|mistakenly)"
            r" (?:said|stated|misstated|reported|identified)\b",
        )
    ),
    re.IGNORECASE,
)
_CLASS = re.compile(r"(?:^|[\s_-])(?:correction|corrections|clarification|erratum)(?:$|[\s_-])", re.IGNORECASE)
MAX_NOTICE_CHARS = 1_200


def _text_in(value: object) -> str:
    return text_of(value.get("text")) if isinstance(value, dict) else ""


def has_correction(page: Page, *, body: str) -> bool:
    """Look for a correction notice in the text, in JSON-LD, and in elements that are marked as one."""
    if any(text_of(value) or _text_in(value) for value in page.linked_data.many(page.article_data.get("correction"))):
        return True
    if any(len(text) <= MAX_NOTICE_CHARS and _NOTICE.search(text) for text in body.split("\n\n")):
        return True
    marked = (element for element in page.tree.iterfind(".//*[@class]") if _CLASS.search(element.get("class", "")))
    return any(
        _NOTICE.search(clean_text("".join(map(str, element.itertext())))[:MAX_NOTICE_CHARS]) for element in marked
    )
