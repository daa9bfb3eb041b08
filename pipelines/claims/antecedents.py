"""Whether what a pronoun means stands in its own sentence. English."""

import re

from pipelines.claims.clauses import subject_span
from pipelines.claims.noun_phrases import is_plural
from pipelines.claims.verbs import finite_verbs
from pipelines.conflicts.names.names import names

_I = re.IGNORECASE


def is_named_before(lead: str, word: str) -> bool:
    """Say whether "it" or "they" may mean the subject of the clause that leads to it: "When Israel shut it, it ..."."""
    match = re.match(r"(?:when|while|although|though|because|as|if|after|before|since)\s+(?P<clause>.+)$", lead, _I)
    span = subject_span(match["clause"]) if match else None
    if match is None or span is None or not finite_verbs(match["clause"]):
        return False
    subject = match["clause"][span[0] : span[1]]
    return bool(names(subject)) and is_plural(subject) == word.startswith("the")


def reaches_back(between: str) -> bool:
    """Say whether a pronoun behind these words may mean the subject before them: in another clause, or as one of it."""
    if re.search(r",\s+(?:among|including|(?:one|some|most|all|both|none|each|many|half)\s+of)\s*$", between, _I):
        return True
    clause = re.search(
        r"\b(?:when|while|after|before|because|as|if|until|since|where|that|although|though)\s(?P<rest>.+)$",
        between,
        _I,
    )
    return clause is not None and bool(finite_verbs(clause["rest"]))


def may_be_inside(before: str, *, many: bool) -> bool:
    """Say whether a pronoun may mean something that stands before it in its own sentence."""
    if many:
        several = r"two|three|four|five|\d+|several|many|some|these|those|the|all"
        return re.search(rf"\b(?:{several})\s+(?:\w+\s+){{0,2}}?\w+s\b", before) is not None
    single = re.search(r"\b(?:the|an?|his|her|its|their|this|that|two|three|\d+)\s+\w", before)
    return single is not None or bool(names(before))
