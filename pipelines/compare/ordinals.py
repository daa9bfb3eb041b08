"""Places in an order: "the third time" against "the second time"."""
# ruff: noqa: SIM905  (long word lists read better as text)

import re

from pipelines.compare.words import TENS, fold_word
from pipelines.findings import Conflict

_WORDS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split()
_ORDINAL = re.compile(
    r"\b(?:(?<![a-z]-)(?<!\bhundred\s)(?<!\bhundred\sand\s)"
    rf"(?P<place>(?:(?P<tens>{'|'.join(TENS)})[\s-])?(?P<word>{'|'.join(_WORDS)}))"
    r"|(?P<digits>\d{1,3})(?:st|nd|rd|th))[\s-]+(?P<noun>[^\W\d_]{4,})",
    re.IGNORECASE,
)
_STEM = 5


def ordinal_conflicts(statement: str, sentence: str) -> list[Conflict]:
    """Return where both give the same thing another place in an order."""
    ours, theirs = _places(statement), _places(sentence)
    return [
        Conflict(kind="ordinal", stated=f"{text} {noun}-", found=f"{sorted(theirs[noun])[0][1]} {noun}-")
        for noun, places in ours.items()
        if noun in theirs and not {one for one, _ in places} & {one for one, _ in theirs[noun]}
        for _, text in sorted(places)[:1]
    ][:1]


def _places(text: str) -> dict[str, set[tuple[int, str]]]:
    """Return the places that a text gives to each noun; stem to number and wording."""
    found: dict[str, set[tuple[int, str]]] = {}
    for match in _ORDINAL.finditer(text):
        word = (match.group("word") or "").lower()
        tens = TENS.get((match.group("tens") or "").lower(), 0)
        number = tens + _WORDS.index(word) + 1 if word else int(match.group("digits"))
        noun = fold_word(match.group("noun"))[:_STEM]
        found.setdefault(noun, set()).add((number, match.group("place") or match.group().split()[0].split("-")[0]))
    return found
