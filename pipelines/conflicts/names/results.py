"""Who won: "Arlen lost the final" beside "Arlen defeated Bexley in the final". English."""

import re

from core.words import words
from pipelines.conflicts.analysis import Analysis
from pipelines.conflicts.lexicon import content_stems
from pipelines.conflicts.names.names import Name, mentions
from pipelines.conflicts.names.roles import deeds_between
from pipelines.conflicts.wording.antonyms import root
from pipelines.contracts.evidence import Conflict, ConflictKind

_RESULT = re.compile(r"\s+(?:(?:has|have|had)\s+)?(?P<how>won|wins?|lost|loses?)\b(?!\s+to\b)")
_BEATS = re.compile(r"\b(?:beat(?:s|en)?|defeat(?:s|ed)?|thrash(?:es|ed)|trounce[sd]?|overcame)\b|\blost\b.*\bto\b")
_LOST_TO = re.compile(r"\blost\s+(?:[\w-]+\s+){0,3}?to\b")


def result_conflicts(statement: Analysis, sentence: Analysis) -> list[Conflict]:
    """
    Return a name that won in the statement and is beaten in the sentence, or the other way round.

    The sentence has all other words of the statement, and tells of nothing else that was won or lost.
    """
    found = []
    for name in statement.names:
        match = _RESULT.match(statement.text, name.end)
        if match and not _tells(sentence, match["how"]) and _has_rest(statement, sentence, match["how"]):
            lost = root(match["how"]) == root("lost")
            found += [
                Conflict(
                    kind=ConflictKind.ROLES, stated=f"{name.text} {match['how']}", found=f"{doer.text} … {beaten.text}"
                )
                for doer, beaten in deeds_between(sentence, verb=_BEATS)
                if _is(name, doer if lost else beaten) and not _is(name, beaten if lost else doer)
            ]
    return found[:1]


def _tells(sentence: Analysis, how: str) -> bool:
    """Say whether a sentence has a result in so many words; "lost to" tells of the other party, too."""
    return root(how) in {root(word) for word in words(_LOST_TO.sub("", sentence.text))}


def _has_rest(statement: Analysis, sentence: Analysis, how: str) -> bool:
    return statement.stems - content_stems(how) <= sentence.stems


def _is(one: Name, other: Name) -> bool:
    return mentions(one.keys, other.text)
