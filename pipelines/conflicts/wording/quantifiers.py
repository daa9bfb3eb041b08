"""All of something against most of it: "all schools" beside "almost all schools", "all but two". English."""

import re

from core.words import stem, words
from pipelines.conflicts.analysis import Analysis
from pipelines.contracts.evidence import Conflict, ConflictKind

_ALL = r"(?:all|every(?:one|body|thing)?|each|both|(?:the\s+)?(?:entire|whole)|none|nobody|no\s+one)\b"
_NOUN = r"(?P<of>(?:\s+(?:of\s+)?[\w'’-]+){0,3})"
_WHOLE = re.compile(rf"\b(?P<all>{_ALL})(?!\s+but\b){_NOUN}", re.IGNORECASE)
_PART = re.compile(
    rf"\b(?P<all>(?:almost|nearly|virtually|practically|not)\s+{_ALL}|{_ALL}\s+but\b(?=\s+(?:an?|the|\w+)\b)"
    rf"|(?:most|half|few)(?:\s+of)?\b|(?:some|many)\s+of\b){_NOUN}",
    re.IGNORECASE,
)
_LESS = re.compile(r"\b(?:almost|nearly|virtually|practically|not|n['’]t|after|at)\s+$", re.IGNORECASE)
_EXCEPT = re.compile(r"(?:\s+\w+){0,5}\s+(?:except|apart\s+from|other\s+than|with\s+the\s+exception)\b", re.IGNORECASE)
_DENIED = re.compile(r"\b(?:not|never)\b|n['’]t\b", re.IGNORECASE)
_SHORTEST = 4
_ALONE = re.compile(r"(?:one|body)$", re.IGNORECASE)
"""What needs no noun: everyone, nobody."""


def whole_conflicts(statement: Analysis, sentence: Analysis) -> list[Conflict]:
    """Return a whole of which the sentence speaks in part: nearly all of the same, most of it, all but some."""
    ours = [] if _DENIED.search(statement.text) else _wholes(statement.text)
    theirs = [] if any(_EXCEPT.match(statement.text, match.end("all")) for match in ours) else _parts(sentence.text)
    return [
        Conflict(kind=ConflictKind.OPEN, stated=match.group("all"), found=part)
        for match in ours
        for part, nouns in theirs
        if _nouns(match) & nouns or (_ALONE.search(match.group("all")) and _ALONE.search(part))
    ][:1]


def _wholes(text: str) -> list[re.Match[str]]:
    return [match for match in _WHOLE.finditer(text) if not _LESS.search(text[: match.start()])]


def _parts(text: str) -> list[tuple[str, frozenset[str]]]:
    """Return what a text says of parts alone: how, and of what; nothing where it speaks of a whole, too."""
    for match in _wholes(text):
        if exception := _EXCEPT.match(text, match.end("all")):
            return [(exception.group().strip(), _nouns(match))]
    found = [(match.group("all"), _nouns(match)) for match in _PART.finditer(text)]
    return [] if _wholes(text) else found


def _nouns(match: re.Match[str]) -> frozenset[str]:
    return frozenset(stem(word) for word in words(match.group("of")) if len(word) >= _SHORTEST)
