"""What a text says only as wanted, possible, still to come or alleged: "asked Congress to pass the bill". English."""
# ruff: noqa: SIM905  (long word lists read better as text)

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from pipelines.compare.antonyms import is_past, root
from pipelines.compare.trial import trial_conflicts
from pipelines.compare.words import NOT_NAMES, words
from pipelines.findings import Conflict

OPEN = "open"
"""Kind of the conflicts: they refute nothing, but keep a sentence from being the quote that supports."""
_CLAUSE_END = re.compile(r"[,;:.!?()]|\s[–—-]\s")  # noqa: RUF001 - dashes that part clauses
_REACH = 6
"""Words from who is asked to what they are asked to do: called on the two chambers of Congress to pass."""
_STEM = 4
_SHORTEST = 3
_MAY = frozenset("may might could would should".split())
_WILL = frozenset("will shall".split())
_FUTURE = frozenset("due expe goin sche slat pois set abou like unli read is are was were".split())
"""Right before "to": is to open, was expected to open."""
_WANTED = frozenset(
    "aim aime aims appe ask aske asks aski atte beg begg bid bids call cons dema effo enco hope hopi inst inte "
    "invi lobb mean need offe orde plan plea pled prep pres prom prop requ seek soug supp tell thre told tri trie "
    "trye tryi try urge urgi vow vowe vows want wish".split()
)
"""Beginnings of words that want what follows their "to"."""
_ACCUSED = frozenset("accu alle char susp tria inte verg risk poss dist pros idea clos".split())
"""The same, before "of", "with", "for", "in" or "to" and a form in -ing: accused of taking, close to taking."""
_PONDERS = frozenset("cons cont disc ment risk mull weig prop".split())
"""Right before a form in -ing: is considering closing."""
_UNSURE = frozenset("if unless whether allegedly reportedly alleged allege alleges allegations rumours rumors".split())
"""What follows in the clause is open."""
_HOPES = frozenset({"fear", "hope"})
_THAT = frozenset("dema prop reco wish urge".split())
"""The same before "that"."""
_ALMOST = frozenset("almost nearly".split())
_FILLS = frozenset("be been being have has having also not never now soon still".split())
"""Between "to" or "may" and its verb."""
_LINKS = frozenset("of with for in to from about".split())
_NOT_VERBS = frozenset("a an the this that these those its his her their our some any no of in by on two three".split())
"""Before a noun in -s."""


@dataclass(frozen=True)
class _Said:
    """A word of a text."""

    word: str
    before: str
    """The word before it; empty: it begins a clause."""
    how: str
    """What leaves it open, with it; empty: nothing does."""
    is_future: bool
    near: frozenset[str]
    """Beginnings of the words around it, in its clause."""


def open_conflicts(statement: str, sentence: str) -> list[Conflict]:
    """
    Return a deed of the statement that the sentence leaves open, or a charge for a conviction.

    The statement says it as done, near a word that the sentence has near it, too, and the sentence says it nowhere
    else. What is to come counts only where the statement has it in the past: news tell what will be in the present
    tense, too.
    """
    told = _said(sentence)
    done = {root(one.word) for one in told if not one.how}
    left = {root(one.word): one for one in told if one.how and root(one.word) not in done}
    found = [
        Conflict(kind=OPEN, stated=one.word, found=left[root(one.word)].how)
        for one in _said(statement)
        if not one.how and root(one.word) in left and _is_deed(one, left[root(one.word)])
    ]
    return (found or trial_conflicts(statement, sentence, kind=OPEN))[:1]


def _is_deed(stated: _Said, found: _Said) -> bool:
    if stated.near.isdisjoint(found.near):
        return False
    if is_past(stated.word):
        return True
    is_present = stated.word.endswith("s") and not stated.word.endswith("ss") and found.word == stated.word[:-1]
    return is_present and not found.is_future and stated.before not in _NOT_VERBS and not stated.before.isdigit()


@lru_cache(maxsize=4096)
def _said(text: str) -> tuple[_Said, ...]:
    found: list[_Said] = []
    for clause in _CLAUSE_END.split(text):
        said = words(clause)
        left: dict[int, tuple[str, bool]] = {}
        for start, at, is_future in _open_places(said):
            left.setdefault(at, (" ".join(said[start : at + 1]), is_future))
        found += [
            _Said(word, said[at - 1] if at else "", *left.get(at, ("", False)), near=_near(said, at))
            for at, word in enumerate(said)
        ]
    return tuple(found)


def _near(said: tuple[str, ...], at: int) -> frozenset[str]:
    around = said[max(0, at - _REACH) : at] + said[at + 1 : at + 1 + _REACH]
    return frozenset(word[:_STEM] for word in around if len(word) >= _SHORTEST and word not in NOT_NAMES)


def _open_places(said: tuple[str, ...]) -> Iterator[tuple[int, int, bool]]:
    """Yield where what leaves a word open begins, where the word stands, and whether it is only to come."""
    for at, word in enumerate(said):
        verb = _verb(said, at + 1)
        if word in _MAY or word in _WILL:
            yield at, verb, word in _WILL
        elif word == "to" and at:
            if said[at - 1] in _FUTURE or said[at - 1][:_STEM] in _FUTURE:
                yield at - 1, verb, True
            else:
                yield from ((start, verb, False) for start in _behind(said, at, _WANTED))
        if word in _LINKS and verb < len(said) and (said[verb].endswith("ing") or said[at + 1] == "having"):
            yield from ((start, verb, False) for start in _behind(said, at, _ACCUSED))
        if word[:_STEM] in _PONDERS and said[at + 1 : at + 2] and said[at + 1].endswith("ing"):
            yield at, at + 1, False
        if word in _ALMOST:
            yield at, at + 1, False
        if word in _UNSURE or word[:_STEM] in _HOPES or (word == "that" and at and said[at - 1][:_STEM] in _THAT):
            yield from ((at, later, False) for later in range(at + 1, len(said)))
            return


def _behind(said: tuple[str, ...], at: int, stems: frozenset[str]) -> list[int]:
    """Return the last place within reach before one at which a word with one of some beginnings stands, if any."""
    near = range(at - 1, max(-1, at - 1 - _REACH), -1)
    return [place for place in near if said[place][:_STEM] in stems][:1]


def _verb(said: tuple[str, ...], at: int) -> int:
    while at < len(said) and (said[at] in _FILLS or said[at].endswith("ly")):
        at += 1
    return at
