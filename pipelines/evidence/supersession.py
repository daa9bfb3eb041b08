"""Newer beats older: a number, name or holder that a later article gives otherwise. English."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime

from core.types import Article, Notice, Relation
from core.words import words
from pipelines.conflicts.analysis import analyse
from pipelines.conflicts.lexicon import MONTHS
from pipelines.contracts.evidence import ConflictKind, Evidence

_NEVER = datetime.min.replace(tzinfo=UTC)
_YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d\b")
_NOW = re.compile(r"\b(?:now|currently|current|still|today|at\s+present|presently|latest|newest|incumbent|sitting|to\s+date|so\s+far|as\s+of)\b", re.I)  # fmt: skip
_IS = re.compile(r"\b(?:is|are|has|have|holds?|leads?|heads?|chairs?|runs?)\b")
_CORRECTION = re.compile(r"^\W*(?:correction|corrections and clarifications|clarification|erratum)\b", re.IGNORECASE)
_ENDED_BEFORE = r"(?:succeed(?:s|ed|ing)?|replac(?:es?|ed|ing)|tak(?:es?|ing)\s+over\s+from|took\s+over\s+from|former|ex-|predecessor,?|late|outgoing|ousted|dismissed|sacked|fired)"
_ENDED_AFTER = r"(?:retired|resigned|stepped\s+down|quit|left|died|was\s+(?:succeeded|replaced|dismissed|sacked|ousted|fired|removed)|has\s+(?:retired|resigned|died|left))"
_SETTLED = frozenset({ConflictKind.NUMBER, ConflictKind.NAME, ConflictKind.ANTONYM})


def is_current(statement: str) -> bool:
    """Say whether a statement is about now: it says so, or is in the present tense and gives no date."""
    if _NOW.search(statement):
        return True
    return not is_dated(statement) and _IS.search(statement) is not None


def is_dated(statement: str) -> bool:
    """Say whether a statement gives a year, month or day."""
    return _YEAR.search(statement) is not None or any(word in MONTHS and word != "may" for word in words(statement))


def is_correction(article: Article) -> bool:
    """Say whether an article corrects another, or itself."""
    return article.correction or bool(_CORRECTION.match(article.headline) or _CORRECTION.match(article.body))


def time_of(item: Evidence) -> datetime:
    """Return when an article last changed or was published."""
    return item.article.modified_at or item.article.published_at or _NEVER


def newer_than_support(evidence: Sequence[Evidence]) -> list[Evidence]:
    """Return the sentences of articles that are newer than every one that supports, and settle nothing; newest first."""
    supporting = [time_of(item) for item in evidence if item.relation is Relation.SUPPORTS]
    if not supporting:
        return []
    rest = [item for item in evidence if item.relation is Relation.MENTIONS and time_of(item) > max(supporting)]
    return sorted(rest, key=time_of, reverse=True)


def ended(statement: str, sentence: str) -> str:
    """Return the words by which a sentence says that somebody of the statement no longer holds a post; empty: none."""
    for name in analyse(statement).names:
        last = re.escape(name.text.split()[-1])
        whole = rf"(?:[\w'’.-]+\s+){{0,3}}{last}"
        before = re.search(rf"\b{_ENDED_BEFORE}\s*{whole}\b", sentence)
        after = re.search(rf"\b{last},?\s+(?:who\s+)?(?:\w+ly\s+)?{_ENDED_AFTER}\b", sentence)
        if match := before or after:
            return match.group()
    return ""


def supersede(statement: str, evidence: Sequence[Evidence]) -> tuple[list[Evidence], list[Notice]]:
    """
    Let the newer of two articles that disagree about a number, a name or an opposite settle an undated statement.

    :param evidence: With relations; of one that supports and one that refutes by such a conflict, the older only mentions.
    :returns: The evidence in order, and what to tell the reader.
    """
    supports = [item for item in evidence if item.relation is Relation.SUPPORTS]
    refutes = [item for item in evidence if item.relation is Relation.REFUTES]
    if not supports or not refutes or is_dated(statement):
        return list(evidence), []
    newest_for, newest_against = max(supports, key=time_of), max(refutes, key=time_of)
    if time_of(newest_for) == time_of(newest_against) or not any(_is_settled(item) for item in refutes):
        return list(evidence), []
    newer, older = (
        (newest_for, Relation.REFUTES)
        if time_of(newest_for) > time_of(newest_against)
        else (newest_against, Relation.SUPPORTS)
    )
    kept = [
        item.model_copy(update={"relation": Relation.MENTIONS})
        if item.relation is older and time_of(item) < time_of(newer)
        else item
        for item in evidence
    ]
    return kept, [later_report(newer)]


def later_report(item: Evidence) -> Notice:
    """Return the notice of a later report that gives something else."""
    day = time_of(item)
    what = "Correction" if is_correction(item.article) else "Later report"
    return Notice(code="superseded", message=f"{what}, {day.day} {day:%B %Y}: {item.text}")


def _is_settled(item: Evidence) -> bool:
    return any(conflict.kind in _SETTLED for conflict in item.conflicts)
