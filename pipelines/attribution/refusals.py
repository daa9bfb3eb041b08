"""Sentences by which a model says that it has no answer, in whatever words. English."""

import re

_MATERIAL = (
    r"(?:indexed\s+|provided\s+|given\s+|available\s+|above\s+|cited\s+|news\s+)*"
    r"(?:articles?|excerpts?|evidence|phrases?|passages?|documents?|doc\b[\s\d\[\]]*|contexts?|texts?|sources?|reports?"
    r"|information|material|quer(?:y|ies)|questions?|results?)"
)
_SILENT = (
    r"(?:answer|mention|contain|provide|specif|stat(?:e|ing)|say|give|includ|indicat|address|settle|discuss|report|list"
    r"|cover|support|confirm|clarif|explain|offer|hold|name)\w*"
)
_NOT = r"(?:do(?:es)?\s+not|do(?:es)?n['\u2019]t|did\s+not|didn['\u2019]t|cannot|can\s*not|can['\u2019]t)"
_FORMS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"\b(?:the|these|those|no|none\s+of\s+the)\s+{_MATERIAL}[^.;]{{0,60}}?\b{_NOT}\s+(?:\w+ly\s+)?{_SILENT}",
        rf"^\W*(?:doc\b[\s\d\[\]]*)?{_NOT}\s+(?:\w+ly\s+)?{_SILENT}",
        rf"^\W*(?:there\s+(?:is|are|was|were)|i\s+(?:found|see|have))\s+no\s+(?:\w+\s+){{0,3}}?"
        rf"(?:answer|{_MATERIAL})\b",
        rf"^\W*(?:no|none\s+of\s+the)\s+{_MATERIAL}[^.;]{{0,60}}?\b{_SILENT}",
        rf"\bnot\s+(?:\w+ly\s+)?(?:mentioned|specified|stated|provided|given|answered|included|addressed|available"
        rf"|settled|found|known|reported)\b[^.;]{{0,40}}\b(?:in|by|from)\s+(?:any\s+of\s+)?(?:the|these|those|any)\s+{_MATERIAL}",
        rf"\b(?:it\s+is|it['\u2019]s|is)\s+(?:unclear|impossible|not\s+possible|not\s+clear)\b[^.;]{{0,60}}\b"
        rf"(?:from|based\s+on|in)\s+(?:the|these|those)\s+{_MATERIAL}",
        r"\bI\s+(?:do\s+not|don['\u2019]t|cannot|can\s*not|can['\u2019]t|could\s+not|am\s+(?:un|not\s+)able\s+to)\s+"
        r"(?:\w+ly\s+)?(?:know|answer|determine|find|tell|say|help|provide|verify|confirm)\b",
        r"^\W*(?:cannot|unable\s+to|can\s*not)\s+(?:be\s+)?(?:answer|determine|verif|confirm|find)\w*",
    )
)


def declines(sentence: str) -> bool:
    """
    Say whether a sentence is about what the material lacks, or what the writer does not know, instead of from it.

    "The police did not mention a motive" reports: the police are not an excerpt.
    """
    return any(form.search(sentence) for form in _FORMS)
