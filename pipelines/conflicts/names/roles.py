"""Who did what to whom: the same two names around the same verb, the other way round."""

import itertools
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from core.words import KIN_LETTERS, stem, stems, words
from pipelines.conflicts.analysis import Analysis
from pipelines.conflicts.lexicon import DO, HAVE, MODALS, NOT_NAMES
from pipelines.conflicts.names.names import Name, is_negation, mentions
from pipelines.conflicts.wording.antonyms import opposites_of
from pipelines.contracts.evidence import Conflict, ConflictKind

_MOST_WORDS = 6
"""Between two names; farther apart, another name or clause may be the subject."""
_PASSIVE = re.compile(r"\b(?:is|are|was|were|be|been|being|got)\b[\w\s]*\bby\b", re.IGNORECASE)
_LOST_TO = re.compile(r"\b(?:lost|loses?|losing)\s(?:[^,;:]*\s)?to\s+(?:the\s+)?$", re.IGNORECASE)
_BEATS = stems("beat defeat overcame overtook thrash trounce upset", letters=KIN_LETTERS)
"""Stems of verbs that say that the other party lost to the doer."""
_DONE_BY = re.compile(r"\sby\s+(?:the\s+)?$", re.IGNORECASE)
_TAKEN_FROM = re.compile(r"\sfrom\s+(?:the\s+)?$", re.IGNORECASE)
_OF_NOUN = re.compile(
    r"(?P<noun>[\w'’-]+)\s+(?:(?P<of>of)\s+(?:(?!\w+ing\b)[\w-]+\s+){0,2}|to\s+(?:the\s+)?)$",
    re.IGNORECASE,
)
"""Has the support of, gave an interview to: of whose deed the noun speaks, the verb decides."""
_CARRIES_OUT = stems(
    "began carry commit complete conduct launch mount order plan resume stage start", letters=KIN_LETTERS
)
"""Verbs whose subject does what the noun says: launched an invasion of."""
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
_SHORT = re.compile(
    r"\b(?P<verb>hit|led|cut|bit|fed|won)s?\s+(?:\d+[-–]\d+\s+)?(?:(?:over|against|by)\s+)?(?:the\s+)?$",
    re.IGNORECASE,
)
"""Verbs too short for a stem, right before the second name: "won the toss against" says that of the toss."""
_BARE = MODALS | DO | {"to"}
"""Before a verb without an ending."""
_AUXILIARIES = MODALS | DO | HAVE
_DESCRIBES = re.compile(
    r"[a-z-]*(?:er|or|ist|ive|ant|ent|ian|man|men|woman|women)"
    r"|ally|arm|boss|captain|capital|chair|chief|city|coach|critic|guard|head|hero|host|icon|king|legend|midfield|queen"
    r"|rival|star|town|unit|veteran|village"
)
"""What a name is called before it: Arsenal manager Mikel Arteta."""
_PARTED = re.compile(
    r"^['’]|[,;:()]|\b(?:and|or|but|who|which|that|while|after|before|when|where|as|because)\b",
    re.IGNORECASE,
)
_WITH = re.compile(
    r"\bbetween\b|\bwith\s+(?:(?!\w+ing\b|(?:of|to|for|from|by|against|on|in)\b)[\w'’-]+\s+){0,3}$",
    re.IGNORECASE,
)
"""What one does with the other both do: made a deal with; but not: charged with robbing."""
EITHER_WAY = stems(
    "meet met marry agree talk speak spoke discuss negotiate sign join share tied draw drew play fight fought divorce "
    "date work compete relate near border similar different equal match alone unlike like face merge clash battle",
    letters=KIN_LETTERS,
)
"""Verbs that are as true the other way round."""
_PLACED = frozenset("above below ahead behind before after".split())


@dataclass(frozen=True)
class _Deed:
    """One name acts on another."""

    doer: Name
    done_to: Name
    stems: frozenset[str]
    denied: bool
    compared: frozenset[str]
    """The words of the clause before a "than" between the names; empty: they are not compared."""
    placed: frozenset[str]
    """Words that place one before or behind the other: ahead of."""


def role_conflicts(statement: Analysis, sentence: Analysis) -> list[Conflict]:
    """Return a deed whose doer and other party have changed places."""
    return [
        Conflict(kind=ConflictKind.ROLES, stated=_written(ours), found=_written(theirs))
        for ours, theirs in _reversals(statement, sentence)
        if ours.denied is theirs.denied
    ][:1]


def denies_reverse(statement: Analysis, sentence: Analysis, *, denials: frozenset[str]) -> bool:
    """
    Say whether one text denies what the other says of the same two names the other way round: both may be right.

    :param denials: Words that are denied in a clause; of other deeds than theirs nothing is said.
    """
    return any(
        ours.denied is not theirs.denied and ours.stems & theirs.stems & (_stems(denials) | denials)
        for ours, theirs in _reversals(statement, sentence)
    )


def deeds_between(text: Analysis, *, verb: re.Pattern[str]) -> list[tuple[Name, Name]]:
    """Return the pairs of doer and other party between whom a verb stands that is not denied."""
    pairs = [(deed, sorted((deed.doer, deed.done_to), key=lambda name: name.start)) for deed in text.part(_deeds)]
    return [
        (deed.doer, deed.done_to)
        for deed, (before, after) in pairs
        if not deed.denied and verb.search(text.text, before.end, after.start)
    ]


def _reversals(statement: Analysis, sentence: Analysis) -> Iterator[tuple[_Deed, _Deed]]:
    for ours, theirs in itertools.product(statement.part(_deeds), sentence.part(_deeds)):
        if _reversed(ours, theirs):
            yield ours, theirs


def _reversed(ours: _Deed, theirs: _Deed) -> bool:
    """Say whether doer and other party have changed places; to be behind one is as much as ahead of the other."""
    alike = bool(ours.compared) is bool(theirs.compared)
    told = theirs.compared | theirs.placed
    turned = any(opposites_of(word) & told for word in ours.compared | ours.placed)
    return alike and not turned and bool(ours.stems & theirs.stems) and _swapped(ours, theirs)


def _swapped(ours: _Deed, theirs: _Deed) -> bool:
    crossed = mentions(ours.doer.keys, theirs.done_to.text) and mentions(ours.done_to.keys, theirs.doer.text)
    straight = mentions(ours.doer.keys, theirs.doer.text) or mentions(ours.done_to.keys, theirs.done_to.text)
    return crossed and not straight


def _written(deed: _Deed) -> str:
    return f"{deed.doer.text} … {deed.done_to.text}"


def _deeds(analysis: Analysis) -> tuple[_Deed, ...]:
    """Return the pairs of neighbouring names with a verb, and nothing that parts clauses, between them."""
    deeds, text = [], analysis.text
    for before, after in itertools.pairwise(analysis.names):
        between = text[before.end : after.start]
        linking = words(between)
        either_way = _WITH.search(between) is not None or bool(_stems(linking) & EITHER_WAY)
        clear = len(linking) <= _MOST_WORDS and not _PARTED.search(between) and not either_way
        lost = _LOST_TO.search(between) is not None
        passive = lost or bool(_PASSIVE.search(between)) or _names_doer(between)
        stems = _telling(between) | {match.group("verb").lower() for match in [_SHORT.search(between)] if match}
        stems |= {"beat"} if lost or stems & _BEATS else set()
        if stems and clear and (passive or not _describes(between)):
            doer, done_to = (after, before) if passive else (before, after)
            denied = any(map(is_negation, linking))
            compared = words(_PARTED.split(text[: after.start].rpartition("than")[0])[-1]) if "than" in linking else ()
            placed = _PLACED.intersection(linking)
            deeds.append(_Deed(doer, done_to, _stems(compared) or stems, denied, frozenset(compared), placed))
    return tuple(deeds)


def _stems(said: Iterable[str]) -> frozenset[str]:
    return frozenset(
        stem(word, letters=KIN_LETTERS)
        for word in said
        if len(word) >= KIN_LETTERS and word not in NOT_NAMES | _AUXILIARIES and not is_negation(word)
    )


def _telling(between: str) -> frozenset[str]:
    """Return the stems that say what is done; of what is had from somebody the verb's alone: the rest is theirs."""
    said = words(between)
    if _TAKEN_FROM.search(between):
        return _stems(word for index, word in enumerate(said) if _is_verb(word, index))
    if _names_doer(between) and not _PASSIVE.search(between):
        return _stems(words(_TO_DETERMINER.sub("", between.rpartition("by")[0])))
    by_noun = _stems_by_noun(between)
    return _stems(said) if by_noun is None else by_noun


def _stems_by_noun(between: str) -> frozenset[str] | None:
    """
    Return the stems of a verb, and with a mark those of the noun behind it: they say the same only of the same noun.

    :returns: None: no noun with "of" or "to" and a verb before it leads to the second name, or the noun is the deed.
    """
    match = _OF_NOUN.search(between)
    if match is None or match.group("noun").endswith("ing"):
        return None
    said = words(between)
    at = len(words(between[: match.end("noun")])) - 1
    verbs = [index for index, word in enumerate(said[: at + 1]) if _is_verb(word, index) or _is_form(said, index)]
    if not verbs or at in verbs or any(stem(said[index], letters=KIN_LETTERS) in _CARRIES_OUT for index in verbs):
        return None
    done = _stems(said[index] for index in verbs if said[index] not in _AUXILIARIES)
    rest = _stems(word for index, word in enumerate(said) if index not in verbs)
    return done | {f"{one} {'of' if match.group('of') else 'to'}" for one in rest}


def _is_form(said: tuple[str, ...], index: int) -> bool:
    """Say whether a word is a verb by the word before it or by its ending: will invade, seeking."""
    return (index > 0 and said[index - 1] in _BARE) or (said[index].endswith("ing") and len(said[index]) > KIN_LETTERS)


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
