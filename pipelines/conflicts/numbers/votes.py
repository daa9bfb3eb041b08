"""A vote without a contrary voice against one that was counted: "unanimously" beside "by 9 votes to 6". English."""

import re

from pipelines.conflicts.analysis import Analysis, says_rest
from pipelines.conflicts.numbers.number_patterns import NUMBER_WORDS
from pipelines.contracts.evidence import Conflict, ConflictKind

_ONE_VOICE = re.compile(r"\bunanim(?:ous(?:ly)?|ity)\b", re.IGNORECASE)
_NUMBER = rf"(?:\d+|{NUMBER_WORDS})"
_COUNT = re.compile(
    rf"\bby\s+{_NUMBER}\s+votes?\s+(?:to|against)\s+(?P<by>{_NUMBER})\b"
    rf"|\bvot(?:e[sd]?|ing)\s+(?:of\s+|by\s+|was\s+)?{_NUMBER}\s*(?:to|-|–|against)\s*(?P<voted>{_NUMBER})\b"
    rf"|\b{_NUMBER}(?:\s+to\s+|[-–]){_NUMBER}\s+vote\b",
    re.IGNORECASE,
)
_NOBODY = frozenset({"0", "zero"})


def vote_conflicts(statement: Analysis, sentence: Analysis) -> list[Conflict]:
    """Return a vote that one text calls unanimous and the other, of most of the same words, has two sides of."""
    one, other = _ONE_VOICE.search(statement.text), _ONE_VOICE.search(sentence.text)
    if bool(one) is bool(other):
        return []
    ours, theirs = _divided(statement.text), _divided(sentence.text)
    if bool(ours) is bool(theirs) or bool(one) is bool(ours):
        return []
    stated, found = (one or ours), (other or theirs)
    if stated is None or found is None or not says_rest(statement, sentence, beside=stated.group()):
        return []
    return [Conflict(kind=ConflictKind.ANTONYM, stated=stated.group(), found=found.group())]


def _divided(text: str) -> re.Match[str] | None:
    """Return a count of votes on both sides; None: there is none."""
    found = _COUNT.search(text)
    return found if found and _NOBODY.isdisjoint({found["by"], found["voted"]}) else None
