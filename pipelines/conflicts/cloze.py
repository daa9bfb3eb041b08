"""
Ask a statement back: each number or name in it becomes the gap of a question.

"The bridge cost 48 million pounds" asks "The bridge cost how much pounds?"; what the reader finds there, beside what
was stated, shows a conflict or an agreement that can be pointed to.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

from pipelines.conflicts.analysis import analyse
from pipelines.conflicts.names.names import Name
from pipelines.conflicts.numbers.currencies import SIGN
from pipelines.conflicts.numbers.quantity import Quantity

AT = re.compile(r"\b(in|at|near|from|to|off|outside|inside|across|over)\s+(?:the\s+)?$", re.IGNORECASE)
"""Before a place."""
_BY = re.compile(r"\b(by|with|against|for|of)\s+(?:the\s+)?$", re.IGNORECASE)
_OWNS = re.compile(r"['’]s\b(?:\s+(?P<owned>\w+))?")
_IT_WAS = re.compile(r"^it (?:was|is)\s+(?P<gap>\x00)\s+(?:who|that|which)\b", re.IGNORECASE)


class SlotKind(StrEnum):
    """What stands in the gap."""

    NUMBER = "number"
    DATE = "date"
    NAME = "name"


@dataclass(frozen=True)
class Slot:
    """A piece of a statement, and the question that asks for it."""

    kind: SlotKind
    stated: str
    question: str
    statement: str
    quantity: Quantity | None = None
    name: Name | None = None
    is_place: bool = False
    """The name stands where a place does."""
    owned: str = ""
    """What belongs to the name: the word behind it; empty: it owns nothing."""


def slots(statement: str) -> list[Slot]:
    """Return the gaps of a statement, numbers first, in order. The number one is none: it is mostly a pronoun."""
    text = statement.strip().rstrip(".!")
    told = analyse(text).numbers
    numbers = [_number_slot(text, item) for item in told if item.value != 1 or item.text.isdigit()]
    signs = {at for item in told for at in range(item.start, item.end)}  # the US of US$5 is not a country
    return numbers + [_name_slot(text, item) for item in analyse(text).names if item.start not in signs]


def _number_slot(text: str, item: Quantity) -> Slot:
    if item.is_year:
        return Slot(SlotKind.DATE, item.text, _gap(text, item.start, item.end, "what year"), text, quantity=item)
    words = "what percentage" if item.percent else "how much" if SIGN.search(item.text) else "how many"
    return Slot(SlotKind.NUMBER, item.text, _gap(text, item.start, item.end, words), text, quantity=item)


def _name_slot(text: str, item: Name) -> Slot:
    before, after = text[: item.start], text[item.end :]
    if owner := _OWNS.match(after):
        question = _gap(text, item.start, item.end + 2, "whose")
        return Slot(SlotKind.NAME, item.text, question, text, name=item, owned=owner.group("owned") or "")
    is_place = AT.search(before) is not None
    word = "which place" if is_place else "whom" if _BY.search(before) else "who or what"
    if not before.strip():
        word = "who"
    return Slot(SlotKind.NAME, item.text, _gap(text, item.start, item.end, word), text, name=item, is_place=is_place)


def _gap(text: str, start: int, end: int, word: str) -> str:
    cut = f"{text[:start]}\x00{text[end:]}"
    cut = _IT_WAS.sub("\x00", cut)
    filled = cut.replace("\x00", word)
    return f"{filled[0].upper()}{filled[1:]}?"
