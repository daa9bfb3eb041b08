"""Somebody else in the place of who does something or of whom it is done to, both without a name. English."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from core.words import fold_word
from pipelines.conflicts.analysis import Analysis, says_rest
from pipelines.conflicts.lexicon import BE, HAVE, MODALS, NOT_NAMES
from pipelines.conflicts.names.party_nouns import RANKS, Kinds, kinds_of, may_be_same, qualifier
from pipelines.conflicts.wording.antonyms import is_past, root
from pipelines.contracts.evidence import Conflict, ConflictKind

"""Kind of the conflicts: they refute nothing, but keep a sentence from being the quote that supports."""
_TOKEN = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*(?:(?<=s)['’](?!\w))?|[^\w\s]")
_OWNER = re.compile(r"['’]s?$")
_REACH = 12
"""Words from somebody to what they do."""
_NEAR = 4
"""Words of a sentence from a deed to whom it is done; in a statement it stands right before them."""
_SHORTEST = 4
_HELPS = BE | HAVE
_SPEAKS = frozenset("say says said tell told announce announced add added warn warned argue argued".split())
_FOLLOWS = MODALS | frozenset("today yesterday without within near off out into onto again".split())
"""Behind somebody, no noun that they describe."""
_SAY = "say"
_PRONOUNS = frozenset("he she it they him them i we you who which that whose".split())
_DETERMINERS = frozenset("the a an his her its their another".split())
_PARTED = frozenset(';:.!?()"“”—–') | frozenset("and or but while whereas although though".split())


@dataclass(frozen=True)
class _Word:
    text: str
    """Folded."""
    is_name: bool
    is_owner: bool


@dataclass(frozen=True)
class _Party:
    """Somebody who is called by a noun."""

    start: int
    """Of the first word behind a determiner."""
    end: int
    text: str
    nouns: frozenset[str]
    """Their roots."""
    kinds: Kinds
    ranks: frozenset[str]
    qualifiers: frozenset[int]
    is_named: bool
    describes: bool
    """It says more of another noun: police station, the firm's cars."""


@dataclass(frozen=True)
class _Place:
    """A party and the deed beside it."""

    party: _Party
    deeds: frozenset[str]
    """The root of the verb, or of each word that may be it."""
    end: int
    """Who begins before it may be the party, by another noun."""
    does: bool
    """Whether it is the party's deed; else it is done to them."""

    @property
    def tells(self) -> bool:
        """Whether it is clear without the other words that it is one deed: much is said, and done to many."""
        return self.does and _SAY not in self.deeds


def party_conflicts(statement: Analysis, sentence: Analysis) -> list[Conflict]:
    """
    Return somebody of the statement in whose place the sentence has somebody else, beside the same verb.

    What is said, or done to somebody, is the same deed where most of the other words are. The sentence calls nobody by
    a noun that may mean the same: a firm may be a bank, and who is called by a name may be anything. A field or vehicle
    tells two apart ("foreign minister", "the driver of the van") where both have one.
    """
    return [
        Conflict(kind=ConflictKind.PARTY, stated=ours.party.text, found=theirs.party.text)
        for ours in _places(statement, near=1)
        if not ours.party.is_named
        for theirs in _places(sentence, near=_NEAR)
        if theirs.does is ours.does and theirs.deeds & ours.deeds and _is_other(ours.party, theirs, sentence)
        if ours.tells or says_rest(statement, sentence, beside=ours.party.text)
    ][:1]


def _is_other(ours: _Party, theirs: _Place, sentence: Analysis) -> bool:
    if theirs.party.is_named and not theirs.party.nouns & ours.nouns:
        return False
    told = (one for one in sentence.part(_parties_of) if one.start < theirs.end or one.nouns & ours.nouns)
    return not any(_may_be(ours, one) for one in told)


def _may_be(ours: _Party, theirs: _Party) -> bool:
    if not may_be_same(ours.kinds, theirs.kinds) or ours.ranks != theirs.ranks:
        return False
    return not (ours.qualifiers and theirs.qualifiers) or bool(ours.qualifiers & theirs.qualifiers)


def _words(analysis: Analysis) -> tuple[_Word, ...]:
    found = []
    for match in _TOKEN.finditer(analysis.text):
        word = match.group()
        bare = _OWNER.sub("", word)
        found.append(_Word(fold_word(bare), word[0].isupper() and match.start() > 0, bare != word))
    return tuple(found)


def _parties_of(analysis: Analysis) -> tuple[_Party, ...]:
    return _parties(analysis.part(_words))


def _parties(words: tuple[_Word, ...]) -> tuple[_Party, ...]:
    found, at = [], 0
    while at < len(words):
        end = at
        while end < len(words) and kinds_of(words[end].text) and not (end > at and words[end - 1].is_owner):
            end += 1
        if end > at:
            found.append(_party(words, at, end))
        at = max(end, at + 1)
    return tuple(found)


def _party(words: tuple[_Word, ...], at: int, end: int) -> _Party:
    start, last = at, _field_end(words, end)
    while start and (words[start - 1].text in RANKS or qualifier(words[start - 1].text) is not None):
        start -= 1
    told = [word.text for word in words[start:last]]
    beside = words[start : end - 1] + words[end:last]
    named = any(word.is_name for word in words[at:end]) or _is_name(words, start - 1, -1) or _is_name(words, last, 1)
    return _Party(
        start=start,
        end=last,
        text=" ".join(told),
        nouns=frozenset(root(word.text) for word in words[at:end]),
        kinds=frozenset(kind for word in words[at:end] for kind in kinds_of(word.text)),
        ranks=RANKS.intersection(told),
        qualifiers=frozenset(one for word in beside for one in [qualifier(word.text)] if one is not None),
        is_named=named,
        describes=last == end and _describes(words, end),
    )


def _field_end(words: tuple[_Word, ...], end: int) -> int:
    """Return where the field or vehicle behind somebody ends ("of the fishing boat"); where they end: none follows."""
    if end == len(words) or words[end].text != "of":
        return end
    behind = [at for at in range(end + 1, min(len(words), end + _NEAR)) if words[at].text not in _DETERMINERS][:2]
    return max((at + 1 for at in behind if qualifier(words[at].text) is not None), default=end)


def _is_name(words: tuple[_Word, ...], at: int, step: int) -> bool:
    """Say whether a name stands at a place, or next to it beyond a comma and a determiner."""
    while 0 <= at < len(words) and words[at].text in _DETERMINERS | {","}:
        at += step
    return 0 <= at < len(words) and words[at].is_name


def _places(text: Analysis, *, near: int) -> tuple[_Place, ...]:
    """
    Return who does something in a text and to whom something is done.

    :param near: Words before somebody among which the deed is looked for that is done to them.
    """
    words = text.part(_words)
    parties = [party for party in text.part(_parties_of) if not party.describes]
    return tuple(
        place for party in parties for place in (_beside_verb(words, party), _done_to(words, party, near)) if place
    )


def _describes(words: tuple[_Word, ...], end: int) -> bool:
    """Say whether what ends at a place describes or owns what the next word means."""
    following = words[end].text if end < len(words) else ""
    is_noun = (
        following.isalpha()
        and following not in NOT_NAMES | _FOLLOWS | _HELPS | _PRONOUNS
        and not following.endswith("ly")
    )
    return words[end - 1].is_owner or (is_noun and not words[end].is_name and not _is_verb(words, end, first=end))


def _beside_verb(words: tuple[_Word, ...], party: _Party) -> _Place | None:
    before = [word.text for word in words[: party.start] if word.text not in _DETERMINERS][-2:]
    if before[-1:] == ["by"] and is_past(before[0]):
        return _Place(party, _roots(before[:1]), end=party.end, does=True)
    if before == ["according", "to"] or before[-1:] in (["said"], ["says"]):
        return _Place(party, _roots(["said"]), end=len(words), does=True)
    for at in range(party.end, min(len(words), party.end + _REACH)):
        word = words[at].text
        if word in _PARTED | _PRONOUNS:
            break
        if word not in _HELPS and _is_verb(words, at, first=party.end):
            is_passive = any(before.text in BE for before in words[max(party.end, at - 2) : at])
            own = _own_deed(words, at, "they" if words[party.end - 1].text.endswith("s") else "it")
            return _Place(party, _roots([word, *own]), end=at, does=not is_passive)
    return None


def _own_deed(words: tuple[_Word, ...], said: int, pronoun: str) -> list[str]:
    """Return the verb that somebody says of themselves: the bank said on Monday it would close; empty: none."""
    near = [word.text for word in words[said : said + _NEAR + 1]]
    if near[0] not in _SPEAKS or pronoun not in near:
        return []
    start = said + near.index(pronoun) + 1
    clause = range(start, min(len(words), start + _NEAR))
    verbs = [at for at in clause if words[at].text not in _HELPS and _is_verb(words, at, first=start)][:1]
    is_passive = any(words[at].text in BE for at in range(start, verbs[0])) if verbs else False
    return [] if is_passive else [words[at].text for at in verbs]


def _done_to(words: tuple[_Word, ...], party: _Party, near: int) -> _Place | None:
    said: list[str] = []
    for word in reversed(words[: party.start]):
        if word.text in _PARTED | {",", "by"} or len(said) == near:
            break
        if word.text not in _DETERMINERS:
            said.append(word.text)
    roots = _roots(word for word in said if len(word) >= _SHORTEST and word not in NOT_NAMES)
    return _Place(party, roots, end=party.end, does=False) if roots else None


def _roots(said: Iterable[str]) -> frozenset[str]:
    return frozenset(_SAY if word in _SPEAKS else root(word) for word in said)


def _is_verb(words: tuple[_Word, ...], at: int, *, first: int) -> bool:
    word = words[at].text
    bare = words[at - 1].text in MODALS and word != "be"
    return is_past(word) or word in _SPEAKS or bare or (at == first and word.endswith("s") and not word.endswith("ss"))
