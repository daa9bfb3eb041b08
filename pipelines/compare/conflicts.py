"""What a statement and a quote say differently: the conflicts that a refutation must be able to point to."""

from pipelines.compare.antonyms import ANTONYMS
from pipelines.compare.cloze import Slot, SlotKind
from pipelines.compare.names import is_negation, mentions, names
from pipelines.compare.quantities import agree, quantities
from pipelines.compare.words import NOT_NAMES, words
from pipelines.findings import Conflict

_STEM = 5
_COMPARED = ("er", "est")
"""Nobody younger and the youngest say the same."""
_REACH = 4
"""A negation reaches this many words forward."""


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
    if not others or others[0].end - others[0].start < len(found.split(maxsplit=1)[0]):
        return None
    return Conflict(kind="name", stated=slot.stated, found=others[0].text)


def wording_conflicts(statement: str, sentence: str) -> list[Conflict]:
    """Return where one denies what the other says in the same word, and where they use opposite words."""
    ours, theirs = words(statement), words(sentence)
    return [*_negations(ours, theirs), *_opposites(ours, theirs)]


def _negations(ours: list[str], theirs: list[str]) -> list[Conflict]:
    mine, other = _denied(ours), _denied(theirs)
    shared = [stem for stem in mine if stem in other and mine[stem] != other[stem]]
    return [Conflict(kind="negation", stated=_phrase(mine, stem), found=_phrase(other, stem)) for stem in shared[:1]]


def _denied(text: list[str]) -> dict[str, bool]:
    """Return the stems of a text's content words, and whether each is denied; a stem used both ways is left out."""
    stems: dict[str, bool] = {}
    both = set()
    for index, word in enumerate(text):
        if len(word) < _STEM or word in NOT_NAMES or is_negation(word) or word.endswith(_COMPARED):
            continue
        denied = any(is_negation(before) for before in text[max(0, index - _REACH) : index])
        if stems.setdefault(word[:_STEM], denied) != denied:
            both.add(word[:_STEM])
    return {stem: denied for stem, denied in stems.items() if stem not in both}


def _phrase(stems: dict[str, bool], stem: str) -> str:
    return f"not {stem}-" if stems[stem] else f"{stem}-"


def _opposites(ours: list[str], theirs: list[str]) -> list[Conflict]:
    mine, other = set(ours), set(theirs)
    return [
        Conflict(kind="antonym", stated=word, found=sorted(ANTONYMS[word] & other)[0])
        for word in ours
        if word in ANTONYMS and ANTONYMS[word] & other and word not in other and not ANTONYMS[word] & mine
    ][:1]
