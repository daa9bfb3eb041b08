"""What a text says only as wanted, possible, still to come or alleged: "asked Congress to pass the bill". English."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from core.words import stem, words
from pipelines.conflicts.analysis import Analysis
from pipelines.conflicts.lexicon import HAVE, MONTHS, NOT_NAMES, WEEKDAYS
from pipelines.conflicts.names.names import is_negation
from pipelines.conflicts.wording.antonyms import is_past, root
from pipelines.conflicts.wording.trial_stages import trial_conflicts
from pipelines.contracts.evidence import Conflict, ConflictKind

_CLAUSE_END = re.compile(r"[,;:.!?()]|\s[–—-]\s")
_REACH = 6
"""Words from who is asked to what they are asked to do: called on the two chambers of Congress to pass."""
_LONGEST = 10
"""Words behind "if" that are surely open."""
_SHORTEST = 3
_MAY = frozenset("may might could would should".split())
_WILL = frozenset("will shall".split())
_FUTURE = re.compile(r"(?:due|expected|going|scheduled|slated|poised|set|about|(?:un)?likely|ready|is|are|was|were)$")
"""Right before "to": is to open, was expected to open."""
_WANTED = re.compile(
    r"aim(?:s|ed|ing)?$|appeal|ask|attempt|beg(?:s|ged)?$|bids?$|call|consider|demand|effort|hop(?:es?|ed|ing)$|insist"
    r"|instruct|intend|intent|invit|lobb|meant$|need|offer(?:s|ed|ing)?$|order|plan(?:s|ned|ning)?$|plea(?:$|d)|pledg"
    r"|prepar|press(?:ed|ing)?$|promis|propos|request|requir|seek|sought$|suppos(?:ed)$|tell|told$|threat"
    r"|tr(?:y|ies|ied|ying)$|urg(?:es?|ed|ing)$|vow|want|wish"
)
"""What wants what follows its "to"."""
_ACCUSED = re.compile(
    r"accus|alleg|charge[sd]?$|suspect|trial$|interested$|verge$|risk|possib|prospect|idea|close(?:r|st)?$"
)
"""The same, before "of", "with", "for", "in" or "to" and a form in -ing: accused of taking, close to taking."""
_PONDERS = re.compile(r"consider|contemplat|discuss|mull|propos|risk|weigh")
"""Right before a form in -ing: is considering closing."""
_UNSURE = frozenset("if unless whether allegedly allege alleges".split())
"""What follows in the clause is open."""
_HOPES = frozenset("fear fears feared fearing hope hopes hoped hoping".split())
"""The same, but not in fear of, hopes for."""
_THAT = re.compile(r"alleg|demand|propos|recommend|rumou?r|urg(?:e|ing)|wish")
"""The same before "that"."""
_RELATIVES = frozenset("that who whom whose which where".split())
"""What ends it."""
_STARTS = frozenset("arrives begins closes ends expires leaves opens reopens resumes returns starts".split())
"""What is only to come where a day or month follows: opens on Friday."""
_WHEN = frozenset({"next", "tomorrow"}) | MONTHS.keys() | WEEKDAYS.keys()
_SOON = 4
"""Words behind the verb."""
_ALMOST = frozenset("almost nearly".split())
_PONDERED = re.compile(
    r"\b(?P<noun>[a-z]{5,})\s+(?:(?:of|in|by|against|on|for|to|from)\s+(?:[\w'’-]+\s+){1,5}?)?"
    r"(?:was|were|is|are|been|being)\s+(?P<not>not\s+)?(?:(?:also|briefly|being|only|even)\s+)?"
    r"(?:considered|discussed|proposed|planned|mooted|weighed|contemplated|averted|avoided|prevented|cancelled|canceled"
    r"|called\s+off|postponed|threatened|foiled|thwarted|ruled\s+out)\b",
    re.IGNORECASE,
)
_LONG_NOUN = 6
_FILLS = frozenset("be been being have has having also not never now soon still".split())
"""Between "to" or "may" and its verb."""
_LINKS = frozenset("of with for in to from about".split())
_PRONOUNS = frozenset("he her him it she them they".split())
_PAST = HAVE | {"was", "were", "is", "are", "been", "did"}
_NOT_VERBS = frozenset(
    "a an the as many most few this that these those its his her their our some any no of in by on two three".split()
)
"""Before a noun, or what describes one: a severed head."""


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
    """Beginnings of the words around it, in its clause, and pronouns."""


def open_conflicts(statement: Analysis, sentence: Analysis) -> list[Conflict]:
    """
    Return a deed of the statement that the sentence leaves open, or a charge for a conviction.

    The statement says it as done, near a word that the sentence has near it, too, or for which a pronoun may stand
    there, and the sentence says it nowhere else. What is to come counts only where the statement has it in the past:
    news tell what will be in the present tense, too.
    """
    told = sentence.part(_said)
    done = {root(one.word) for one in told if not one.how}
    left = {root(one.word): one for one in told if one.how and root(one.word) not in done}
    stated = statement.part(_said)
    in_past = any(is_past(one.word) or one.word in _PAST for one in stated)
    found = [
        Conflict(kind=ConflictKind.OPEN, stated=one.word, found=left[root(one.word)].how)
        for one in stated
        if not one.how and root(one.word) in left and _is_deed(one, left[root(one.word)], in_past=in_past)
    ]
    return (found or trial_conflicts(statement, sentence) or _pondered(statement, sentence))[:1]


def _pondered(statement: Analysis, sentence: Analysis) -> list[Conflict]:
    """Return a deed of the statement of which the sentence has the noun alone, as considered, averted or called off."""
    for match in _PONDERED.finditer(sentence.text):
        noun = match["noun"].lower()
        if len(noun) < _LONG_NOUN or match["not"]:
            continue
        for one in statement.part(_said):
            is_deed = is_past(one.word) and stem(one.word) == stem(noun) and not one.how
            if is_deed and not is_negation(one.before):
                return [Conflict(kind=ConflictKind.OPEN, stated=one.word, found=match.group())]
    return []


def _is_deed(stated: _Said, found: _Said, *, in_past: bool) -> bool:
    if stated.near.isdisjoint(found.near) and _PRONOUNS.isdisjoint(found.near):
        return False
    if stated.before in _NOT_VERBS:
        return False
    if is_past(stated.word):
        return True
    is_present = stated.word.endswith("s") and not stated.word.endswith("ss") and found.word == stated.word[:-1]
    return is_present and not in_past and not found.is_future and not stated.before.isdigit()


def _said(analysis: Analysis) -> tuple[_Said, ...]:
    found: list[_Said] = []
    for clause in _CLAUSE_END.split(analysis.text):
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
    said_of = (stem(word) for word in around if len(word) >= _SHORTEST and word not in NOT_NAMES)
    return frozenset((*said_of, *_PRONOUNS.intersection(around)))


def _open_places(said: tuple[str, ...]) -> Iterator[tuple[int, int, bool]]:
    """Yield where what leaves a word open begins, where the word stands, and whether it is only to come."""
    for at, word in enumerate(said):
        verb = _verb(said, at + 1)
        if word in _MAY or word in _WILL:
            yield at, verb, word in _WILL
        elif word == "to" and at:
            if _FUTURE.match(said[at - 1]):
                yield at - 1, verb, True
            else:
                yield from ((start, verb, False) for start in _behind(said, at, _WANTED))
        if word in _LINKS and verb < len(said) and (said[verb].endswith("ing") or said[at + 1] == "having"):
            yield from ((start, verb, False) for start in _behind(said, at, _ACCUSED))
        if _PONDERS.match(word) and said[at + 1 : at + 2] and said[at + 1].endswith("ing"):
            yield at, at + 1, False
        if word in _ALMOST:
            yield at, at + 1, False
        if word in _STARTS and not _WHEN.isdisjoint(said[at + 1 : at + 1 + _SOON]):
            yield at, at, True
        if word in _UNSURE or _hopes(said, at) or (word == "that" and at and _THAT.match(said[at - 1])):
            yield from ((at, later, False) for later in _clause(said, at + 1))


def _hopes(said: tuple[str, ...], at: int) -> bool:
    return said[at] in _HOPES and said[at + 1 : at + 2] not in [(link,) for link in (*_LINKS, "over", "among")]


def _clause(said: tuple[str, ...], start: int) -> range:
    """Return the places from one on to where a relative clause begins; a "that" right there begins none."""
    ends = (at for at in range(start + 1, len(said)) if said[at] in _RELATIVES)
    return range(start, min(next(ends, len(said)), start + _LONGEST))


def _behind(said: tuple[str, ...], at: int, wanted: re.Pattern[str]) -> list[int]:
    """Return the last place within reach before one at which a word of some kind stands, if any."""
    near = range(at - 1, max(-1, at - 1 - _REACH), -1)
    return [place for place in near if wanted.match(said[place])][:1]


def _verb(said: tuple[str, ...], at: int) -> int:
    while at < len(said) and (said[at] in _FILLS or said[at].endswith("ly")):
        at += 1
    return at
