"""What a statement and a quote say differently: the conflicts that a refutation must be able to point to."""

import re
from collections.abc import Sequence
from datetime import date

from pipelines.compare.antonyms import ANTONYMS
from pipelines.compare.cloze import Slot, SlotKind
from pipelines.compare.days import day_conflicts
from pipelines.compare.names import Name, is_negation, mentions, names
from pipelines.compare.ordinals import ordinal_conflicts
from pipelines.compare.quantities import agree, quantities
from pipelines.compare.roles import role_conflicts
from pipelines.compare.words import NOT_NAMES, words
from pipelines.findings import Conflict

_STEM = 5
_COMPARED = ("er", "est")
"""Nobody younger and the youngest say the same."""
_REACH = 4
"""A negation reaches this many words forward."""
_CLAUSE_END = re.compile(
    r"[,;:.!?()]|\b(?:but|because|although|though|while|whereas|which|who|since|after|before|when|if)\b", re.IGNORECASE
)
_DETERMINER = re.compile(r"(?:the|an?|his|her|its|their|another)\s", re.IGNORECASE)
_NOT_ONLY = re.compile(r"\bnot (?:only|just|least)\b", re.IGNORECASE)


def slot_conflict(slot: Slot, found: str, sentence: str) -> Conflict | None:
    """
    Compare what was stated with what the reader found in its place.

    :param found: The answer span.
    :param sentence: The sentence that holds it.
    :returns: None if they agree, cannot be compared, or the sentence also holds what was stated.
    """
    if slot.kind is SlotKind.NAME:
        return _name_conflict(slot, found, sentence)
    return _number_conflict(slot, found, sentence)


def slot_agrees(slot: Slot, found: str) -> bool:
    """Say whether the reader found what was stated."""
    if slot.name is not None:
        return mentions(slot.name.keys, found)
    stated = slot.quantity
    return stated is not None and any(
        agree(stated, item) and item.percent == stated.percent for item in quantities(found)
    )


def _number_conflict(slot: Slot, found: str, sentence: str) -> Conflict | None:
    stated = slot.quantity
    if stated is None:
        return None
    comparable = [
        item for item in quantities(found) if item.is_year == stated.is_year and item.percent == stated.percent
    ]
    same = [item for item in quantities(sentence) if item.percent == stated.percent and agree(stated, item)]
    if not comparable or same:
        return None
    kind = "date" if slot.kind is SlotKind.DATE else "number"
    return Conflict(kind=kind, stated=slot.stated, found=comparable[0].text)


def _name_conflict(slot: Slot, found: str, sentence: str) -> Conflict | None:
    if slot.name is None or mentions(slot.name.keys, sentence):
        return None
    others = names(found)
    if not others or others[0].end - others[0].start < len(found.split(maxsplit=1)[0]) or _describes(found, others[0]):
        return None
    return Conflict(kind="name", stated=slot.stated, found=others[0].text)


def _describes(found: str, name: Name) -> bool:
    """Say whether a span describes somebody ("the sixteen-year-old Swede") instead of naming them."""
    return " " not in name.text and bool(_DETERMINER.match(found))


def wording_conflicts(statement: str, sentence: str, *, published: date | None = None) -> list[Conflict]:
    """
    Return where two texts cannot both be right, as plain code can see.

    One denies what the other says in the same word; they use opposite words; they give a thing another place in an
    order, or a deed another day; doer and other party have changed places.

    :param published: Day of publication of the article that the sentence is from.
    """
    return [
        *_negations(statement, sentence),
        *_opposites(words(statement), words(sentence)),
        *ordinal_conflicts(statement, sentence),
        *role_conflicts(statement, sentence),
        *day_conflicts(statement, sentence, published=published),
    ]


def _negations(statement: str, sentence: str) -> list[Conflict]:
    proper = frozenset(key for text in (statement, sentence) for name in names(text) for key in name.keys)
    mine, other = _denied(statement, proper), _denied(sentence, proper)
    shared = [stem for stem in mine if stem in other and mine[stem] != other[stem]]
    return [Conflict(kind="negation", stated=_phrase(mine, stem), found=_phrase(other, stem)) for stem in shared[:1]]


def _denied(text: str, proper: frozenset[str]) -> dict[str, bool]:
    """
    Return the stems of a text's content words, and whether each is denied; a stem used both ways is left out.

    Names are not denied. A negation reaches to the end of its clause, and `_REACH` words at most; "not only" denies
    nothing.
    """
    stems: dict[str, bool] = {}
    both = set()
    for clause in _CLAUSE_END.split(_NOT_ONLY.sub(" ", text)):
        said = words(clause)
        for index, word in enumerate(said):
            if len(word) < _STEM or word in NOT_NAMES | proper or is_negation(word) or word.endswith(_COMPARED):
                continue
            denied = any(is_negation(before) for before in said[max(0, index - _REACH) : index])
            if stems.setdefault(word[:_STEM], denied) != denied:
                both.add(word[:_STEM])
    return {stem: denied for stem, denied in stems.items() if stem not in both}


def _phrase(stems: dict[str, bool], stem: str) -> str:
    return f"not {stem}-" if stems[stem] else f"{stem}-"


def _opposites(ours: Sequence[str], theirs: Sequence[str]) -> list[Conflict]:
    mine, other = set(ours), set(theirs)
    return [
        Conflict(kind="antonym", stated=word, found=sorted(ANTONYMS[word] & other)[0])
        for word in ours
        if word in ANTONYMS and ANTONYMS[word] & other and word not in other and not ANTONYMS[word] & mine
    ][:1]
