"""The order in which rows are learned from: a pure function of the recipe's seed and the round."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from training.evidence.encode import RowGroup


@dataclass(frozen=True, order=True)
class Place:
    """Where in the stream training stands."""

    round: int = 0
    batch: int = 0
    """Of the round, the next to be learned from."""


class Stream:
    """
    Batches without end. Each round draws a share from every source, in an order of its own for each pass over it,
    and puts groups of like length together.

    :param sources: Name to groups.
    :param draws: Name to groups drawn in a round.
    :param tokens: Of a batch, padding included, at most; a group alone may have more.
    """

    def __init__(
        self, sources: Mapping[str, Sequence[RowGroup]], draws: Mapping[str, int], *, tokens: int, seed: int
    ) -> None:
        self.sources = sources
        self.draws = draws
        self.tokens = tokens
        self.seed = seed

    def batches(self, place: Place) -> Iterator[tuple[list[RowGroup], Place]]:
        """Yield batches from a place on, each with the place behind it."""
        while True:
            batches = self._round(place.round)
            for index in range(place.batch, len(batches)):
                last = index + 1 == len(batches)
                yield batches[index], Place(place.round + 1, 0) if last else Place(place.round, index + 1)
            place = Place(place.round + 1, 0)

    def _round(self, number: int) -> list[list[RowGroup]]:
        chance = random.Random(f"{self.seed} {number}")
        groups = [group for name in self.draws for group in self._drawn(name, number)]
        chance.shuffle(groups)
        batches = bucket(groups, tokens=self.tokens)
        chance.shuffle(batches)
        return batches

    def _drawn(self, name: str, number: int) -> Iterator[RowGroup]:
        source, draw = self.sources[name], self.draws[name]
        orders: dict[int, list[int]] = {}
        for index in range(number * draw, (number + 1) * draw):
            turn, at = divmod(index, len(source))
            if turn not in orders:
                orders[turn] = list(range(len(source)))
                random.Random(f"{self.seed} {name} {turn}").shuffle(orders[turn])
            yield source[orders[turn][at]]


def bucket(groups: Sequence[RowGroup], *, tokens: int) -> list[list[RowGroup]]:
    """
    Put groups of like length together, short ones first.

    :param tokens: Of a batch, padding included, at most; a group alone may have more.
    """
    batches: list[list[RowGroup]] = [[]]
    for group in sorted(groups, key=_longest):
        rows = sum(len(one) for one in batches[-1]) + len(group)
        if batches[-1] and rows * _longest(group) > tokens:
            batches.append([])
        batches[-1].append(group)
    return batches


def _longest(group: RowGroup) -> int:
    return max(len(row) for row in group)
