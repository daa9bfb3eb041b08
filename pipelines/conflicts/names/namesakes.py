"""Who is who: two people of one surname, two parts of one name. "Ines Morvath" is not Karel, Upper Brenn not Lower."""

import re

from core.words import fold_word
from pipelines.conflicts.analysis import Analysis
from pipelines.conflicts.lexicon import GENERIC, MONTHS, NOT_NAMES, WEEKDAYS
from pipelines.conflicts.names.names import Name, is_misspelt, mentions
from pipelines.conflicts.names.places import is_place
from pipelines.contracts.evidence import Conflict, ConflictKind

_WORD = r"[^\W\d_a-z][\w'’-]*"
_FULL = re.compile(
    rf"(?<![\w-])(?P<first>{_WORD})(?P<middle>(?:\s+(?:[A-Z]\.|{_WORD})){{0,2}}?)\s+(?P<last>{_WORD})(?![\w-]|\s+[A-Z])"
)
_PARTS = frozenset(
    "north south east west upper lower northern southern eastern western inner outer old new great little".split()
)
"""What tells two parts of one name apart."""
_TITLES = frozenset(
    "chancellor chairman chairwoman secretary senator representative congressman congresswoman commissioner coach captain professor doctor "
    "general colonel major sergeant inspector officer detective archbishop bishop cardinal pope reverend father mother sister brother saint "
    "king queen prince princess duke duchess baron count countess emperor empress lord lady sir dame attorney speaker leader director manager "
    "ambassador councillor alderman deputy vice former chief head superintendent mp aunt uncle republican democrat democratic conservative labour "
    "liberal premier foreign interior defence defense finance health trade labor justice opposition candidate spokesman spokeswoman actor actress "
    "singer author driver champion rapper ayatollah imam broadcaster presenter comedian businessman businesswoman billionaire murderer film-maker filmmaker footballer boxer golfer skater wrestler rabbi sultan emir shah sheikh tsar dictator rebel militant teenager pensioner driver champion midfielder goalkeeper striker team mount lake river port fort cape san st el la le hurricane storm typhoon".split()
)
_NO_GIVEN_NAME = _TITLES | NOT_NAMES | (GENERIC - _PARTS) | MONTHS.keys() | WEEKDAYS.keys()
_SHORT_FORMS = [
    frozenset(group.split())
    for group in """
    william bill will billy liam|robert bob rob bobby bert|richard dick rick rich|michael mike mick mickey|james jim jimmy jamie
    |john jack johnny jon jonathan|joseph joe joey|thomas tom tommy|charles charlie chuck|edward ed eddie ted ned|anthony tony
    |elizabeth liz beth betty lisa eliza|margaret maggie meg peggy|catherine katherine kate katie kathy cathy|alexander alex sandy sasha
    |andrew andy drew|daniel dan danny|david dave|donald don|francis frank|frederick fred|henry harry hank|kenneth ken|lawrence larry
    |matthew matt|nicholas nick|patrick pat paddy|peter pete|philip phil|samuel sam|stephen steven steve|theodore ted|timothy tim
    |benjamin ben|christopher chris|gerald gerry jerry|gregory greg|jeffrey jeff geoffrey|ronald ron|vincent vince|walter walt
    |abigail abby|barbara barb|deborah debbie|jennifer jen jenny|jessica jess|judith judy|pamela pam|patricia pat patty|rebecca becky
    |susan sue|victoria vicky|vladimir volodymyr|mikhail michail|yevgeny evgeny|mohammed muhammad mohamed mohammad""".split(
        "|"
    )
]
_SPELLING = 3
"""Letters that two forms of one given name have in common: Alexei and Alexey."""


def namesake_conflicts(statement: Analysis, sentence: Analysis, *, around: Analysis) -> list[Conflict]:
    """
    Return a full name of the statement of which the sentence has the last part with another first part.

    A bare surname in the sentence means whom its article calls by it, if that is one person. Titles are not given
    names, and short forms and initials are the same name.

    :param around: Headline and text of the article that the sentence is from.
    """
    found = []
    for first, last, written in statement.part(full_names):
        theirs = _called(last, sentence) or (_called(last, around) if _is_bare(last, sentence.text) else {})
        ours = {fold_word(word) for word in written.split()[:-1]}
        if theirs and not any(_may_be_one(one, other) for one in ours for other in theirs):
            other = next(iter(theirs))
            if not re.search(rf"\b{re.escape(first)}\b", sentence.text, re.IGNORECASE):
                found.append(Conflict(kind=ConflictKind.NAMESAKE, stated=written, found=theirs[other]))
    return found[:1]


def full_names(text: Analysis) -> tuple[tuple[str, str, str], ...]:
    """Return the names of a text that have a first and a last part: first, last, and as it is written."""
    found = []
    for match in _FULL.finditer(text.text):
        first, last = fold_word(match["first"]), fold_word(match["last"])
        if first in _NO_GIVEN_NAME or last in _NO_GIVEN_NAME | _PARTS or first == last or len(last) < _SPELLING:
            continue
        if (
            is_place(first)
            or first.endswith(("ian", "ish", "ese"))
            or (match["first"].isupper() and len(first) <= _SPELLING)
        ):
            continue  # British Airways, US troops: what describes, and no part of a name
        found.append((first, last, re.sub(r"['’]s?$", "", match.group())))
    return tuple(found)


def _called(last: str, text: Analysis) -> dict[str, str]:
    """Return the first parts that a text has before a last part, and how it writes them together."""
    return {first: written for first, other, written in text.part(full_names) if other == last}


def _is_bare(last: str, sentence: str) -> bool:
    return re.search(rf"\b{re.escape(last)}\b", sentence, re.IGNORECASE) is not None


def _may_be_one(one: str, other: str) -> bool:
    """Say whether two given names may be one person's: equal, an initial, a short form, another spelling."""
    if one == other or one.rstrip(".") == other[:1] or other.rstrip(".") == one[:1]:
        return True
    if one in _PARTS and other in _PARTS:
        return False
    if one in _PARTS or other in _PARTS:
        return True  # the Brenn of one may be the Upper Brenn of the other
    return (
        is_misspelt(one, other)
        or one[:_SPELLING] == other[:_SPELLING]
        or any({one, other} <= group for group in _SHORT_FORMS)
    )


_BETWEEN = re.compile(r"^(?:,|,?\s+(?:and|or))\s+$")


def list_conflicts(statement: Analysis, sentence: Analysis) -> list[Conflict]:
    """Return a name of a list in the statement that the sentence's own list of such names lacks: A, B and D."""
    for ours in _lists(statement):
        for theirs in _lists(sentence):
            there = {key for one in theirs for key in one.keys}
            absent = [one for one in ours if not mentions(one.keys, sentence.text)]
            if absent and any(one.keys & there for one in ours):
                return [
                    Conflict(
                        kind=ConflictKind.PARTY, stated=absent[0].text, found=", ".join(one.text for one in theirs)
                    )
                ]
    return []


def _lists(text: Analysis) -> list[list[Name]]:
    """Return runs of two names and more that commas and "and" alone part."""
    runs: list[list[Name]] = []
    for name in text.names:
        if runs and _BETWEEN.match(text.text[runs[-1][-1].end : name.start]):
            runs[-1].append(name)
        else:
            runs.append([name])
    return [run for run in runs if len(run) > 1]
