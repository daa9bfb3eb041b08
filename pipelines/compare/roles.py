"""Who did what to whom: the same two names around the same verb, the other way round."""
# ruff: noqa: SIM905  (long word lists read better as text)

import itertools
import re
from dataclasses import dataclass

from pipelines.compare.names import Name, is_negation, mentions, names
from pipelines.compare.words import NOT_NAMES, words
from pipelines.findings import Conflict

_STEM = 4
_MOST_WORDS = 6
"""Between two names; farther apart, another name or clause may be the subject."""
_PASSIVE = re.compile(r"\b(?:is|are|was|were|be|been|being|got)\b[\w\s]*\bby\b", re.IGNORECASE)
_PARTED = re.compile(
    r"^['’]|[,;:()]|\b(?:and|or|but|who|which|that|while|after|before|when|where|as|because)\b",  # noqa: RUF001
    re.IGNORECASE,
)
_EITHER_WAY = frozenset(
    "meet met marr agre talk spea spok disc nego sign join shar tied draw drew play figh foug divo date work comp rela "
    "near bord simi diff equa matc alon betw with unli like".split()
)
"""Verbs that are as true the other way round."""


@dataclass(frozen=True)
class _Deed:
    """One name acts on another."""

    doer: Name
    done_to: Name
    stems: frozenset[str]


def role_conflicts(statement: str, sentence: str) -> list[Conflict]:
    """Return a deed whose doer and other party have changed places."""
    return [
        Conflict(kind="roles", stated=_written(ours), found=_written(theirs))
        for ours in _deeds(statement)
        for theirs in _deeds(sentence)
        if ours.stems & theirs.stems and _swapped(ours, theirs)
    ][:1]


def _swapped(ours: _Deed, theirs: _Deed) -> bool:
    crossed = mentions(ours.doer.keys, theirs.done_to.text) and mentions(ours.done_to.keys, theirs.doer.text)
    straight = mentions(ours.doer.keys, theirs.doer.text) or mentions(ours.done_to.keys, theirs.done_to.text)
    return crossed and not straight


def _written(deed: _Deed) -> str:
    return f"{deed.doer.text} … {deed.done_to.text}"


def _deeds(text: str) -> list[_Deed]:
    """Return the pairs of neighbouring names with a verb, and nothing that parts clauses, between them."""
    deeds = []
    for before, after in itertools.pairwise(names(text)):
        between = text[before.end : after.start]
        linking = words(between)
        stems = frozenset(
            word[:_STEM] for word in linking if len(word) >= _STEM and word not in NOT_NAMES and not is_negation(word)
        )
        clear = len(linking) <= _MOST_WORDS and not _PARTED.search(between) and not stems & _EITHER_WAY
        if stems and clear:
            doer, done_to = (after, before) if _PASSIVE.search(between) else (before, after)
            deeds.append(_Deed(doer, done_to, stems))
    return deeds
