"""Numbers that a sentence gives in parts ("two adults and three children"), or by two ends ("to 62 from 50")."""

import re
from dataclasses import dataclass, replace
from itertools import pairwise

from core.words import words
from pipelines.conflicts.analysis import analyse
from pipelines.conflicts.numbers.quantities import agree, comparable
from pipelines.conflicts.numbers.quantity import BOUNDING, Bound, Quantity
from pipelines.conflicts.numbers.ranges import completed

_MOST_PARTS = 4
_MANY = 100
"""From here on parts need not count like things: by chance no false number is the sum of two."""
_ADDED = {"money", "area", "mass", "volume"}
"""What may be added; two lengths, ages, temperatures or years in prison may not."""
_UNNAMED = re.sub(r"\?P<\w+>", "?:", BOUNDING)
_LINK = re.compile(
    r"(?P<phrase>[^\d,.;:()!?]{0,60}?)(?P<link>,|,?\s+and|,?\s+plus|,?\s+as\s+well\s+as)\s+"
    rf"(?:(?:another|an?\s+additional|an?\s+further|a\s+further|the\s+other)\s+)?(?:{_UNNAMED})?",
    re.IGNORECASE,
)
_TAIL = re.compile(r"[^.,;:!?()]*")
_PLACING = (
    "in at on from near across for to of by during among outside inside within under with elsewhere abroad".split()
)
_STOPS = re.compile(rf"\b(?:{'|'.join(_PLACING)})\b", re.IGNORECASE)
_VERB = re.compile(
    r"\b(?:was|were|is|are|be|been|had|has|have|will|would|could|can|did|does|died|dead|lost|left|fell|rose|hurt|hit"
    r"|missing|alive|went|came|took|got|fled|surviv\w+|(?!hundred)[a-z]{2,}ed)\b",
    re.IGNORECASE,
)
_GETS = re.compile(r"\s*(?:an?|the)\s", re.IGNORECASE)
"""Behind a number that leaves out verb and noun: 500 got the vaccine and 500 a placebo."""
_CLAUSE = re.compile(
    r"\b(?:as|while|when|after|before|because|since|until|where|who|which|that|if|but|and)\b.*", re.I | re.S
)
_OPENS = re.compile(
    r"(?:^|[.,;:!?\"“”]|\b(?:that|said|says|say|and|but|when|where|while|as|after|because|reported|left|leaving|with"
    r"|(?:in|at|near|on)\s+[A-Z]\w+))\s*$"
)
"""What stands before the subject of a clause, or before those who are left in a state."""
_OF_ALL = re.compile(
    r"(?:\b(?:all|none|each|both)\s+(?:of\s+)?)?\b(?:the|its|their|those|these|all|both)\s+$", re.IGNORECASE
)
"""Before parts that are known, or each of them: none of the 144 passengers and six crew."""
_COUNTED_IN = re.compile(r"(?:\b(?:includ\w+|among\s+(?:them|whom|those))\b|,[^,]*?\bof\s+(?:whom|them)\b).*", re.S)
"""Behind a whole, what is a part of it: 14 people, including two children."""
_SOME_OF = re.compile(r"(?:\binclud\w+|\bamong\s+\w+|\bof\s+(?:whom|them|which)|\bsuch\s+as)\W+(?:\w+\W+){0,3}$", re.I)
_NUMBERED = re.compile(
    r"\b(?:aged|ages?|numbers?|articles?|sections?|chapters?|rounds?|pages?|routes?|grades?)\s+$", re.I
)
_PERSONS = frozenset(
    "adult child children man men woman women boy girl person people baby infant toddler teenager teen youth pupil "
    "student teacher worker employee soldier troop civilian officer policeman policemen fighter militant rebel guard "
    "passenger driver pilot crew sailor miner firefighter doctor nurse patient tourist traveller resident villager "
    "migrant refugee national citizen victim hostage prisoner journalist protester demonstrator police staff parent "
    "mother father son daughter brother sister player fan other american briton german russian ukrainian israeli "
    "palestinian indian canadian australian european african".split()
)
_BOUNDED = rf"(?:{_UNNAMED})?"
_CHANGE = (
    "rise|increase|jump|growth|gain|drop|fall|decrease|decline|loss|cut|margin|lead|gap|difference|majority|advantage"
)
_CHANGES = re.compile(
    rf"\b(?:by|up|down|(?:{_CHANGE})\s+of|rose|grew|fell|gained|lost|added|shed|climbed|dropped|jumped)\s+{_BOUNDED}$",
    re.IGNORECASE,
)
_COMPARES = re.compile(r"\s*(?:[a-z]+[\s-]+){0,3}(?:more|fewer|less|higher|lower)\b", re.IGNORECASE)
_FROM = re.compile(rf"\bfrom\s+{_BOUNDED}$", re.IGNORECASE)
_TO = re.compile(rf"(?:[^\d.;:!?]{{0,40}}\s)?to\s+{_BOUNDED}", re.IGNORECASE)
_AGAINST = re.compile(
    rf"[^\d.;:!?]{{0,50}}\b(?:from|against|versus|vs\.?|compared\s+(?:with|to))\s+(?:\w+['’]s?\s+)?{_BOUNDED}"
    r"|\s?[-–]\s?",
    re.IGNORECASE,
)
_VOTES = re.compile(r"(?:\s+[a-z]+)?\s+to\s+(?:\w+(?:\s\w+)?['’]s?\s+)?", re.IGNORECASE)


@dataclass(frozen=True)
class _Part:
    """What a number counts, and where."""

    noun: tuple[str, ...]
    place: tuple[str, ...]


def is_made_of(stated: Quantity, found: Quantity, *, statement: str, sentence: str) -> bool:
    """
    Say whether numbers of a sentence make a stated one.

    It is the sum of parts that the sentence joins, the difference of two ends that it gives, or an end of a change by
    so much to the other.

    :param found: The number of the sentence that differs from the stated one; it must be among them.
    """
    if stated.is_year or stated.least is not None:
        return False
    told = [item for item in analyse(sentence).numbers if not (item.is_year and item.unit is None)]
    ways = (_is_sum, _is_difference, _is_beginning)
    return any(way(stated, found, told, statement=statement, sentence=sentence) for way in ways)


def _is_sum(stated: Quantity, found: Quantity, told: list[Quantity], *, statement: str, sentence: str) -> bool:
    if stated.percent or (stated.unit and stated.unit.measures not in _ADDED):
        return False
    unmixed = [item for item in told if item.text.lower() != "one"]  # 14 at one pit and 12 at another
    for run in [*_runs(told, sentence), *_runs(unmixed, sentence)]:
        if not 1 < len(run) <= _MOST_PARTS or found.value not in {item.value for item in run}:
            continue
        if not all(comparable(stated, item) for item in run) or len({item.unit for item in run}) > 1:
            continue
        if not agree(stated, _made(stated, run, sum(item.value for item in run))):
            continue
        if _are_parts(run, stated, statement=statement, sentence=sentence):
            return True
    return False


def _runs(told: list[Quantity], sentence: str) -> list[list[Quantity]]:
    """Return the numbers that follow each other as parts of a list, the last behind "and"."""
    runs: list[list[Quantity]] = []
    linked = ""
    for item in told:
        link = _LINK.fullmatch(sentence[runs[-1][-1].end : item.start]) if runs else None
        if link and item.least is None and linked in {"", ","}:
            runs[-1].append(item)
            linked = link.group("link").strip()
        else:
            runs.append([item])
            linked = ""
    return [run for run in runs if len(run) > 1 and not sentence[run[-2].end : run[-1].start].rstrip().endswith(",")]


def _are_parts(run: list[Quantity], stated: Quantity, *, statement: str, sentence: str) -> bool:
    before, rest = sentence[: run[0].start], _TAIL.match(sentence, run[-1].end)
    tail = _CLAUSE.sub("", rest.group()) if rest else ""
    before = _OF_ALL.sub("", re.sub(rf"{_UNNAMED}$", "", before, flags=re.IGNORECASE))
    if _SOME_OF.search(before) or _NUMBERED.search(before):
        return False
    links = [_LINK.fullmatch(sentence[one.end : two.start]) for one, two in pairwise(run)]
    phrases = [*(link.group("phrase") for link in links if link), " ".join(tail.split()[:6])]
    parts = [_part(phrase) for phrase in phrases]
    if any(_VERB.search(phrase) for phrase in phrases[:-1]):
        if any(part.noun for part in parts[1:]) or _VERB.search(tail):
            return False
    elif _VERB.search(tail) and not _OPENS.search(before):
        return False
    if not any(part.place for part in parts[:-1]):
        parts[-1] = replace(parts[-1], place=())
    own = _not_shared([part.place for part in parts])
    if stated.unit is None:
        if not _are_like(parts, many=stated.value >= _MANY):
            return False
        own |= _not_shared([part.noun for part in parts]) if all(part.noun for part in parts) else set()
    whole = statement[: stated.end] + _COUNTED_IN.sub("", statement[stated.end :])
    return not own.intersection(map(_singular, words(whole)))


def _part(phrase: str) -> _Part:
    stop = _STOPS.search(phrase)
    at = stop.start() if stop else len(phrase)
    counted = "" if _GETS.match(phrase) else _VERB.split(phrase[:at])[0]
    return _Part(noun=_said(counted), place=_said(_VERB.split(phrase[at:])[0]))


def _said(text: str) -> tuple[str, ...]:
    return tuple(_singular(word) for word in words(text) if word not in {"the", "a", "an", "more", *_PLACING})


def _singular(word: str) -> str:
    return word.removesuffix("s")


def _not_shared(groups: list[tuple[str, ...]]) -> set[str]:
    return set().union(*groups) - set(groups[0]).intersection(*groups[1:])


def _are_like(parts: list[_Part], *, many: bool) -> bool:
    """Say whether parts count like things: what a later one leaves out is what the first one counts."""
    first, *others = parts
    if not first.noun:
        return bool(first.place) and all(not part.noun and part.place for part in others)
    heads = {part.noun[-1] for part in parts if part.noun}
    return many or len(heads) == 1 or all(head in _PERSONS for head in heads)


def _is_difference(stated: Quantity, found: Quantity, told: list[Quantity], *, statement: str, sentence: str) -> bool:
    if stated.percent and not stated.in_points:
        return False
    if not _CHANGES.search(statement[: stated.start]) and not _COMPARES.match(statement[stated.end :]):
        return False
    for one, two in pairwise(told):
        if found.value not in {one.value, two.value} or not _are_ends(one, two, sentence):
            continue
        less, high = sorted((one, two), key=lambda item: item.value)
        low = completed(less, high)
        if low is None or low.least is not None or high.least is not None:
            continue
        if high.percent != stated.percent or high.in_points:
            continue
        change = _made(stated, [low, high], abs(high.value - low.value))
        if comparable(stated, change) and agree(stated, change):
            return True
    return False


def _is_beginning(stated: Quantity, found: Quantity, told: list[Quantity], *, statement: str, sentence: str) -> bool:
    """Say whether it is where a change began of which the sentence gives the rest: by 108 to 1,016."""
    if stated.percent or not _FROM.search(statement[: stated.start]):
        return False
    for change, end in pairwise(told):
        if found.value not in {change.value, end.value} or not _TO.fullmatch(sentence[change.end : end.start]):
            continue
        if not _CHANGES.search(sentence[: change.start]) or not (
            comparable(stated, change) and comparable(stated, end)
        ):
            continue
        made = (_made(stated, [change, end], end.value + way * change.value) for way in (-1, 1))
        if any(agree(stated, one) for one in made):
            return True
    return False


def _are_ends(one: Quantity, two: Quantity, sentence: str) -> bool:
    before, between = sentence[: one.start], sentence[one.end : two.start]
    if _FROM.search(before):
        return _TO.fullmatch(between) is not None
    if _VOTES.fullmatch(between):
        return one.value > two.value and not _CHANGES.search(before)
    return _AGAINST.fullmatch(between) is not None


def _made(stated: Quantity, of: list[Quantity], value: float) -> Quantity:
    """Return what numbers make together, in the words of the stated one."""
    is_exact = all(item.bound is Bound.EXACT for item in of)
    unit = next((item.unit for item in of if item.unit), None)
    return replace(stated, value=value, unit=unit, bound=Bound.EXACT if is_exact else Bound.ABOUT, least=None)
