"""Who did what to whom: the same two names around the same verb, the other way round."""
# ruff: noqa: SIM905  (long word lists read better as text)

import itertools
import re
from collections.abc import Iterable
from dataclasses import dataclass

from pipelines.compare.names import Name, is_negation, mentions, names
from pipelines.compare.words import NOT_NAMES, words
from pipelines.findings import Conflict

_STEM = 4
_MOST_WORDS = 6
"""Between two names; farther apart, another name or clause may be the subject."""
_PASSIVE = re.compile(r"\b(?:is|are|was|were|be|been|being|got)\b[\w\s]*\bby\b", re.IGNORECASE)
_DONE_BY = re.compile(r"\sby\s+(?:the\s+)?$", re.IGNORECASE)
_TAKEN_FROM = re.compile(r"\sfrom\s+(?:the\s+)?$", re.IGNORECASE)
_TO_DETERMINER = re.compile(r".*\b(?:an?|the|another|its|his|her|their)\s", re.IGNORECASE | re.DOTALL)
_IS = re.compile(r"\b(?:is|are|was|were|be|been|being|became|becomes?|remain(?:s|ed)?)\b", re.IGNORECASE)
_IS_DOING = re.compile(
    r"\b(?:is|are|was|were|be|been|of|for|with)\s+(?:(?:not|now|also|still|\w+ly)\s+)?(?!king\b)\w+ing\b"
    r"|\bto\s+(?!the\b)[a-z]{3,}\s+(?:the\s+)?$",
    re.IGNORECASE,
)
"""Was suing, is accused of attacking, is ready to buy: a deed, although something is said to be."""
_IRREGULAR = frozenset(
    "beat beaten bit bitten bought brought built came caught chose cut dealt did drew drove fed felt fought found "
    "gave got held hit hurt kept knew led left lent lost made met overcame overtook paid put read rode ran saw sent "
    "set shook shot shut sold sought spent stole stolen struck stung swept took taken taught threw thrown told tore "
    "torn upset withstood won written wrote".split()
)
"""Past forms and participles without -ed."""
_AUXILIARIES = frozenset("can could did do does had has have may might must shall should will would".split())
_DESCRIBES = re.compile(
    r"[a-z-]*(?:er|or|ist|ive|ant|ent|ian|man|men|woman|women)"
    r"|ally|arm|boss|captain|capital|chair|chief|city|coach|critic|guard|head|hero|host|icon|king|legend|midfield|queen"
    r"|rival|star|town|unit|veteran|village"
)
"""What a name is called before it: Arsenal manager Mikel Arteta."""
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
        clear = len(linking) <= _MOST_WORDS and not _PARTED.search(between) and not _stems(linking) & _EITHER_WAY
        passive = bool(_PASSIVE.search(between)) or _names_doer(between)
        stems = _stems(_telling(between))
        if stems and clear and (passive or not _describes(between)):
            doer, done_to = (after, before) if passive else (before, after)
            deeds.append(_Deed(doer, done_to, stems))
    return deeds


def _stems(said: Iterable[str]) -> frozenset[str]:
    return frozenset(
        word[:_STEM] for word in said if len(word) >= _STEM and word not in NOT_NAMES and not is_negation(word)
    )


def _telling(between: str) -> tuple[str, ...]:
    """Return the words that say what is done; of what is had from somebody the verb alone: the rest is theirs."""
    said = words(between)
    if _TAKEN_FROM.search(between):
        return tuple(word for index, word in enumerate(said) if _is_verb(word, index))
    if _names_doer(between) and not _PASSIVE.search(between):
        return words(_TO_DETERMINER.sub("", between.rpartition("by")[0]))
    return said


def _names_doer(between: str) -> bool:
    """Say whether the second name acts, behind a noun or a participle by itself: an attack by, beaten 3-0 by."""
    if not _DONE_BY.search(between):
        return False
    done = between.rpartition("by")[0]
    return _TO_DETERMINER.match(done) is not None or any(_is_past(word) for word in words(done))


def _is_past(word: str) -> bool:
    return word.endswith("ed") or word in _IRREGULAR


def _is_verb(word: str, index: int) -> bool:
    """
    Say whether a word is surely a verb.

    :param index: Its place behind the first name.
    """
    return _is_past(word) or word in _AUXILIARIES or (index == 0 and word.endswith("s") and not word.endswith("ss"))


def _describes(between: str) -> bool:
    """Say whether one name is only called something of the other: is the capital of, founder."""
    if _IS.search(between):
        return _IS_DOING.search(between) is None
    said = words(between)
    is_title = said[-1] not in NOT_NAMES and _DESCRIBES.fullmatch(said[-1]) is not None
    return is_title and not any(_is_verb(word, index) for index, word in enumerate(said))
