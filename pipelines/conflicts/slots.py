"""Which gaps of a statement are worth asking for, and whether a text is about the same matter."""

import re

from pipelines.conflicts.analysis import analyse
from pipelines.conflicts.cloze import Slot, SlotKind, slots
from pipelines.conflicts.lexicon import BE, DO, HAVE, MODALS
from pipelines.conflicts.names.names import Name, mentions

_PARTICLES = frozenset(
    "in on at by from to for with of off into onto over under and or but that who whom which after before when while "
    "as since until because during against between".split()
)
_AFTER_NAME = BE | HAVE | DO | MODALS | _PARTICLES
_SMALLEST = 3
"""One and two are mostly pronouns and articles ("the two men")."""
_SHARE = re.compile(r"\b(?:one|two|three|\d+)\b[\w\s]{0,20}\bin\s+$", re.IGNORECASE)
_FRACTION = re.compile(r"^[\s-]*(?:thirds?|quarters?|fourths?|fifths?|tenths?|halves)\b", re.IGNORECASE)


def useful_slots(statement: str, texts: list[str], *, limit: int) -> list[Slot]:
    """
    Return the gaps whose answer can be compared, numbers first.

    Left out: one and two, shares ("one in three"), numbers with a stroke (9/11, 24/7), names that
    describe a noun ("Polish shops"), and a single word that begins the statement unless a text has it as a name.

    :param texts: Where the answers will be looked for.
    """
    found = [slot for slot in slots(statement) if _is_useful(slot, statement, texts)]
    order = {SlotKind.NUMBER: 0, SlotKind.DATE: 1, SlotKind.NAME: 2}
    return sorted(found, key=lambda slot: order[slot.kind])[:limit]


def _is_useful(slot: Slot, statement: str, texts: list[str]) -> bool:
    if slot.quantity is not None:
        before, after = statement[: slot.quantity.start], statement[slot.quantity.end :]
        is_small = not slot.quantity.percent and abs(slot.quantity.value) < _SMALLEST
        is_counted = not (slot.quantity.is_year or slot.quantity.percent)
        is_share = is_counted and bool(_SHARE.search(before) or _FRACTION.match(after))
        is_stroked = before.endswith("/") or after.startswith("/")
        return not (is_small or is_share or is_stroked)
    return slot.name is not None and _is_free(slot.name, statement) and _is_attested(slot.name, texts)


def _is_free(name: Name, statement: str) -> bool:
    """Say whether a name stands by itself and does not describe the noun behind it."""
    after = re.match(r"['’]s\b|[,;:.!?]|\s+(\w+)|$", statement[name.end :])
    return after is not None and (after.group(1) is None or after.group(1).lower() in _AFTER_NAME)


def _is_attested(name: Name, texts: list[str]) -> bool:
    if name.start > 0 or " " in name.text:
        return True
    inside = re.compile(rf"[\w,;]['\"”’]?\s{re.escape(name.text)}\b")
    return any(inside.search(text) for text in texts)


def same_matter(statement: str, text: str, *, beside: str) -> bool:
    """
    Say whether a text mentions every other name of the statement, so that both can be about one thing.

    :param beside: What was stated in the gap; its name need not be there.
    """
    others = [
        name
        for name in analyse(statement).names
        if name.text not in beside and not (name.start == 0 and " " not in name.text)
    ]
    return all(mentions(name.keys, text) for name in others)
