"""Numbers that have changed places in a sentence: "rose from 5 to 8 percent" for "rose from 8 to 5 percent"."""

from collections.abc import Sequence

from pipelines.attribution.grounding import running_words
from pipelines.conflicts.lexicon import MONTHS, WEEKDAYS

_ARTICLES = frozenset("a an the".split())
_LINKS = frozenset("and or".split())
_SMALL = _LINKS | frozenset("of in on at by to from with as is are was were be been has have had it its he she".split())
_UNCOMPARED = _SMALL.union(*(running_words(day) for day in (*MONTHS, *WEEKDAYS)))
"""Words that may stand elsewhere while all else is as it was."""
_PAIR = 2


def numbers_exchanged(sentence: str, source: str) -> bool:
    """
    Say whether two numbers of a source stand in a sentence in each other's place.

    With the two exchanged, all that stands once in both texts would come in the same order. A number that has taken
    along what stands before or behind it has kept its place ("to 5 percent from 8"), and the items of a list have none.
    """
    ours, theirs = _read(sentence), _read(source)
    once = {word for word in ours if ours.count(word) == theirs.count(word) == 1} - _UNCOMPARED
    said, told = ([word for word in words if word in once] for words in (ours, theirs))
    moved = [word for word, other in zip(said, told, strict=True) if word != other]
    if len(moved) != _PAIR or set(said) <= {*moved, "for"} or not all(word[0].isdigit() for word in moved):
        return False
    one, two = moved
    is_list = set(ours[ours.index(one) + 1 : ours.index(two)]) <= _LINKS
    return not is_list and _in_each_others_place(one, two, ours, theirs)


def _in_each_others_place(one: str, two: str, ours: Sequence[str], theirs: Sequence[str]) -> bool:
    """Say whether one of two numbers stands beside what was the other's, and neither beside its own."""
    is_beside_others = False
    for number, other in ((one, two), (two, one)):
        for beside in (_before, _behind):
            now, then, others = beside(number, ours), beside(number, theirs), beside(other, theirs)
            if now == then != others:
                return False
            is_beside_others |= now == others
    return is_beside_others


def _before(number: str, words: Sequence[str]) -> str:
    """Return the word before a number; empty: it is the first."""
    return "".join(words[: words.index(number)][-1:])


def _behind(number: str, words: Sequence[str]) -> str:
    """Return the first word behind a number that is more than a link, and no number; empty: there is none."""
    following = words[words.index(number) + 1 :]
    return next((word for word in following if word not in _SMALL and not word[0].isdigit()), "")


def _read(text: str) -> list[str]:
    return [word for word in running_words(text) if word and word not in _ARTICLES]
