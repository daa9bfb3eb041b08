"""Which words of a text are denied, and what stands near them. English."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from core.words import stem, stems, words
from pipelines.conflicts.lexicon import BE, HAVE, NOT_NAMES
from pipelines.conflicts.names.names import is_negation

_REACH = 4
"""A negation reaches this many words forward."""
_NEAR = 5
"""What a word is said of is looked for this many words to each side."""
_SHORTEST = 3
_CLAUSE_END = re.compile(
    r"[,;:.!?()]|\b(?=(?:but|because|although|though|while|whereas|which|who|since|after|before|when|if)\b)",
    re.IGNORECASE,
)
_NOT_ONLY = re.compile(r"\bnot (?:only|just|least)\b", re.IGNORECASE)
_OPENS_WITH_NONE = re.compile(
    r"(?:^\W*(?:and\s+)?|\bthat\s+)(?:no(?!\s+(?:\w+\s+than|doubt|wonder|sooner)\b)|none|nobody|not\s+(?:one|a\s+single))\b",
    re.IGNORECASE,
)
"""No passengers, none of them: what is said of nobody is denied to the end of the clause."""
_NONE = frozenset({"no", "nobody", "none", "nothing"})
_HARDLY = frozenset({"barely", "hardly", "scarcely"})
_UNTIL = frozenset({"until", "till"})
_DENIES = stems("deny denied denying refused")
_REJECTS = stems("declined rejected")
_ARTICLES = frozenset({"a", "an", "the", "its", "their"})
_DEED = frozenset({"any", "being", "having", "that"})
"""What leads from "denied" to the deed."""
_DID = BE | HAVE | {"would"}
"""Behind "denied", the verb of a clause: denied the bank had."""
_COMPARATIVES = frozenset({"more", "less", "fewer", "worse"})
"""Those that do not end in -er."""


@dataclass(frozen=True)
class SaidWord:
    """A word in its clause."""

    word: str
    """Folded."""
    denied: bool
    is_unclear: bool
    """
    Whether it is denied is open: "no", "nobody" or the like follows, which denies it or what comes (killed no one, said
    no one was hurt), it is so but hardly (barely survived), or for a time (did not open until May).
    """
    near: frozenset[str]
    """Beginnings of the words around it in its clause, short and common ones left out."""
    before: frozenset[str]
    """Those of `near` that stand before it."""
    denials: frozenset[str]
    """All that is denied in its clause, folded; where the clause opens with "none of", all behind that."""
    lasts: bool
    """It is so until something that its clause names: shut until 12 April."""
    than: frozenset[str] | None
    """What stands behind the "than" of a comparative, as in `near`, and numbers; None: it is none, or has no "than"."""


def said_words(text: str) -> tuple[SaidWord, ...]:
    """
    Return the words of a text in order.

    A negation reaches to the end of its clause, and `_REACH` words at most, but not to whom something is done by; "not
    only" denies nothing. Who rejects, refuses or denies a thing denies what it is asked to do and not the thing.
    """
    found: list[SaidWord] = []
    than = None
    for clause in reversed(_CLAUSE_END.split(_NOT_ONLY.sub(" ", text))):
        said = words(clause)
        denied = [_is_denied(said, index) for index in range(len(said))]
        none = _OPENS_WITH_NONE.search(clause)
        until = max((at for at, word in enumerate(said) if word in _UNTIL), default=0)
        from_here = len(words(clause[: none.end()])) if none else len(said)
        denials = frozenset(word for index, word in enumerate(said) if denied[index] or index >= from_here)
        for index in reversed(range(len(said))):
            word = said[index]
            if word == "than":
                than = frozenset(stem(other) for other in said[index + 1 :] if _tells(other) or other[0].isdigit())
            before = _stems(said[max(0, index - _NEAR) : index])
            near = before | _stems(said[index + 1 : index + 1 + _NEAR])
            is_unclear = _is_unclear(said, index, denied=denied[index], until=until)
            compared = than if _compares(word) else None
            found.append(SaidWord(word, denied[index], is_unclear, near, before, denials, index < until, compared))
        if any(map(_compares, said)):  # "less, on average, than men" has its "than" in another clause
            than = None
    return tuple(reversed(found))


def _is_denied(said: tuple[str, ...], index: int) -> bool:
    first = max(0, index - _REACH)
    if "by" in said[first:index]:
        first = index - said[first:index][::-1].index("by")
    return any(is_negation(said[at]) and _reaches(said, at, index) for at in range(first, index))


def _reaches(said: tuple[str, ...], at: int, index: int) -> bool:
    """Say whether what a negation at one place denies may stand at another, behind it."""
    verb, between = stem(said[at]), said[at + 1 : index]
    if verb not in _DENIES | _REJECTS:
        return True
    if "to" in between:  # calls to resign; but sales declined to 5 million, to a new low
        asked = said[at + between.index("to") + 2]
        return not (asked in _ARTICLES or asked[0].isdigit())
    was_denied = at > 0 and said[at - 1] in BE
    return verb in _DENIES and (was_denied or not between or between[0] in _DEED or not _DID.isdisjoint(between))


def _is_unclear(said: tuple[str, ...], index: int, *, denied: bool, until: int) -> bool:
    if index + 1 < len(said) and said[index + 1] in _NONE:
        return True
    return denied and (index < until or not _HARDLY.isdisjoint(said[max(0, index - _REACH) : index]))


def _stems(said: Iterable[str]) -> frozenset[str]:
    return frozenset(stem(word) for word in said if _tells(word))


def _compares(word: str) -> bool:
    return word in _COMPARATIVES or word.endswith("er")


def _tells(word: str) -> bool:
    return len(word) >= _SHORTEST and word not in NOT_NAMES and not is_negation(word)
