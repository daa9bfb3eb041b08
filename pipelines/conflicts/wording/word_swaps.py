"""Two words that have changed places: "exports rose and imports fell" against "exports fell and imports rose"."""

import itertools
import re
from collections import Counter

from core.words import KIN_LETTERS, WORD, stem, words
from pipelines.conflicts.analysis import Analysis
from pipelines.conflicts.lexicon import MONTHS, TENS, UNITS, WEEKDAYS
from pipelines.conflicts.names.roles import EITHER_WAY
from pipelines.conflicts.wording.antonyms import is_past, root
from pipelines.contracts.evidence import Conflict, ConflictKind

_MOST_WORDS = 30
"""Of a statement; longer ones say more than one thing."""
_SPREAD = 3
"""Words of a sentence for each of a statement, at most."""
_SHORTEST = 3
_TOKEN = re.compile(rf"{WORD.pattern}|[,;:.!?()–—]")
_DROPPED = re.compile(r",(?=\s+(?:and|but|while)\b)|(?<=\d)[.,](?=\d)|[.!?\"'”’)]+\s*$")
_ARTICLES = frozenset("a an the this that these those his her its their our my".split())
_MARKS = frozenset(",;:.!?()–—")
_COPULAS = frozenset("am are be been being is was were became becomes become remains remained not".split())
_PLACING = frozenset("in on at for during".split())
"""What stands behind two of these may stand in either order: in Leeds in May."""
_SMALL = (
    _COPULAS
    | _PLACING
    | frozenset(
        "and or but nor so yet if as than by from to with of into onto off out up down over under against between "
        "among after before since until till while when where who whom which whose because although though without "
        "within about had has have having do does did will would can could may might shall should must no never none "
        "neither he she it they him them we us you i".split()
    )
)
"""Words that say how others belong together: both texts must have them alike."""
_ALIKE = EITHER_WAY | frozenset("trade exchange divorce same with".split())
"""Between two words, what is as true the other way round."""
BOTH_WAYS = frozenset("between road route railway rail line border distance link ferry".split())
"""What leads both ways, wherever it stands."""


def exchange_conflicts(statement: Analysis, sentence: Analysis) -> list[Conflict]:
    """
    Return two words of a statement that stand in a sentence in each other's place, all else being the same.

    The sentence has all of the statement's words, and not in their order; with two exchanged they are in order, with
    nothing but further nouns, verbs and adjectives between. Items of a list, days and places, and what is true either
    way may change places.
    """
    ours, theirs = statement.part(_tokens), sentence.part(_tokens)
    if (
        not 1 < len(ours) <= _MOST_WORDS
        or Counter(ours) - Counter(theirs)
        or _in_order(ours, theirs, _MARKS, within=len(theirs))
    ):
        return []
    strict = (_SMALL | _MARKS) - set(ours)
    if not BOTH_WAYS.isdisjoint(statement.words):
        return []
    verbs = {root(word) for word in statement.words if is_past(word)}
    for one, two in itertools.combinations(range(len(ours)), 2):
        if not _may_differ(ours, one, two, verbs=verbs):
            continue
        turned = list(ours)
        turned[one], turned[two] = ours[two], ours[one]
        if _in_order(tuple(turned), theirs, strict, within=_SPREAD * len(ours)):
            return [
                Conflict(
                    kind=ConflictKind.EXCHANGE, stated=f"{ours[one]} … {ours[two]}", found=f"{ours[two]} … {ours[one]}"
                )
            ]
    return []


def _may_differ(said: tuple[str, ...], one: int, two: int, *, verbs: set[str]) -> bool:
    """Say whether exchanging two words says something else."""
    if said[one] == said[two] or any(
        said[at] in _SMALL | _MARKS | MONTHS.keys() | WEEKDAYS.keys() for at in (one, two)
    ):
        return False
    between = set(said[one + 1 : two])
    if not between or between <= _COPULAS or any(map(_is_alike, between)):
        return False
    is_list = said[two - 1] in {"and", "or", ","} and not between & (verbs | _SMALL - {"and", "or"})
    before = {said[at - 1] for at in (one, two) if at}
    return not is_list and ("and" in between or len(before) > 1 or not before <= _PLACING)


def _is_alike(token: str) -> bool:
    return len(token) >= _SHORTEST and any(one.startswith(stem(token, letters=KIN_LETTERS)) for one in _ALIKE)


def _in_order(said: tuple[str, ...], told: tuple[str, ...], strict: frozenset[str], *, within: int) -> bool:
    """
    Say whether a text has some words in order.

    :param strict: Words that may not stand among them.
    :param within: Words of the text from the first to the last of them, at most.
    """
    for start in (at for at, token in enumerate(told) if token == said[0]):
        at = 0
        for token in told[start : start + within]:
            if token == said[at]:
                at += 1
                if at == len(said):
                    return True
            elif token in strict:
                break
    return False


def _tokens(analysis: Analysis) -> tuple[str, ...]:
    """Return the words of a text by their roots, numbers as digits, names by their last word, and marks."""
    short = analysis.text
    for name in reversed(analysis.names):
        last = name.text.split()[-1]
        short = f"{short[: name.start]}{last}{short[name.end :]}"
    found = (match.group() for match in _TOKEN.finditer(_DROPPED.sub("", short)))
    return tuple(_token(one) for one in found if one.lower() not in _ARTICLES)


def _token(written: str) -> str:
    word = "".join(words(written))
    if not word:
        return written
    number = UNITS.get(word, TENS.get(word))
    return word if word in _SMALL else str(number) if number is not None else root(word)
