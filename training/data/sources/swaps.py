"""
Supported statements and passages with a word exchanged: in one of the two it turns the label, in both it does not.

Each exchange gives four pairs in the same words but one. After Glockner, Shwartz, Goldberg 2018, "Breaking NLI Systems
with Sentences that Require Simple Lexical Inferences"; antonyms from WordNet.
"""

import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from core.antonyms import antonyms
from training.data.examples import NOT_SUPPORTS, REFUTES, SUPPORTS, Example, Group
from training.data.packs import read_pack

_WORD = re.compile(r"[A-Za-z]+|\d+(?:[.,]\d+)*")
_NAME = re.compile(r"(?<=[\w,;] )[A-Z][a-z]{2,}\b")
"""A capitalised word that begins no sentence."""
_JOINED = re.compile(r"\b(?:and|or|met|meet|with|between|versus|both|together|than)\b")
"""Words about which two names may stand either way round."""
_TWO = 2
_VAGUE = frozenset(
    "left right well back lie stand like kind set even second let last close present most few go come long".split()
)
"""Words with too many meanings for their antonym to be one in most sentences."""
_SCARCE = 40
"""Of one exchange, at most so many; else a few frequent words would be most of it."""

Swap = tuple[str, str, int]
"""A word, what takes its place, and the relation that the exchange leads to."""


def swap_groups(
    root: Path, packs: Sequence[str], *, splits: Sequence[str] = ("train",), share: float = 1.0
) -> list[Group]:
    """
    Exchange words that a supported statement shares with its passage: an antonym, a number, a name, two names' places.

    :param packs: Rows with `claim`, `evidence` and `label`, or those of `news_pairs`.
    :param splits: Parts of `news_pairs` to read; rows of packs without parts are all read.
    :param share: Share (0 to 1) of the statements that allow an exchange.
    :returns: Groups of two: a statement under the passage and under the changed one, each other's mirror.
    """
    chance = random.Random("swaps")
    pairs = [pair for name in packs for pair in _supported(root, name, splits)]
    chance.shuffle(pairs)
    names = sorted({name for _, passage in pairs for name in _NAME.findall(passage)})
    used: dict[tuple[str, str], int] = {}
    groups: list[Group] = []
    for statement, passage in pairs:
        swaps = _swaps(statement, passage, names, chance)
        if not swaps or chance.random() >= share:
            continue
        swap = chance.choice(swaps)
        used[swap[:2]] = used.get(swap[:2], 0) + 1
        if used[swap[:2]] <= _SCARCE:
            groups += _swapped(statement, passage, swap)
    return groups


def _supported(root: Path, pack: str, splits: Sequence[str]) -> Iterator[tuple[str, str]]:
    for row in read_pack(root, pack):
        if "statements" not in row:
            if row["label"] == "supports":
                yield row["claim"], row["evidence"]
        elif row["split"] in splits:
            yield from ((one["text"], row["passage"]) for one in row["statements"] if one["label"] == "supports")


def _swaps(statement: str, passage: str, names: Sequence[str], chance: random.Random) -> list[Swap]:
    told = _WORD.findall(passage)
    shared = [word for word in _WORD.findall(statement) if told.count(word) == 1]
    found: list[Swap] = []
    for word in shared:
        if word.isalpha() and word not in _VAGUE:
            found += [(word, other, REFUTES) for other in sorted(antonyms().get(word, frozenset()))]
        elif not word.isalpha():
            found.append((word, _other_number(word, chance), REFUTES))
    shared_names = [name for name in _NAME.findall(statement) if name in passage]
    if found or not shared_names or not names:
        return found
    return [(chance.choice(shared_names), chance.choice(names), NOT_SUPPORTS), *_places(statement, passage)]


def _places(statement: str, passage: str) -> Iterator[Swap]:
    """Yield two names that change places in the passage."""
    told = [name for name in dict.fromkeys(re.findall(r"\b[A-Z][a-z]{2,}\b", statement)) if name in passage]
    if len(told) == _TWO and not _JOINED.search(statement):
        yield "|".join(told), "|".join(reversed(told)), NOT_SUPPORTS


def _swapped(statement: str, passage: str, swap: Swap) -> Iterator[Group]:
    word, other, relation = swap
    changed, turned = _exchange(passage, word, other), _exchange(statement, word, other)
    if changed in (passage, turned) or turned == statement:
        return
    yield Group((_example(statement, passage, SUPPORTS), _example(statement, changed, relation)))
    yield Group((_example(turned, passage, relation), _example(turned, changed, SUPPORTS)))


def _exchange(text: str, words: str, others: str) -> str:
    """Put others in the place of words; several stand between bars."""
    table = dict(zip(words.split("|"), others.split("|"), strict=True))
    pattern = "|".join(rf"\b{re.escape(word)}\b" for word in table)
    return re.sub(pattern, lambda found: table[found.group()], text)


def _other_number(number: str, chance: random.Random) -> str:
    """Change one digit of a number, not to a leading nought."""
    places = [index for index, sign in enumerate(number) if sign.isdigit()]
    at = chance.choice(places)
    digits = [digit for digit in "123456789" if digit != number[at]]
    return number[:at] + chance.choice(digits) + number[at + 1 :]


def _example(statement: str, passage: str, relation: int) -> Example:
    return Example(statement, passage, relation=relation, relevant=None if relation == NOT_SUPPORTS else True)
