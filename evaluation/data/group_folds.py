"""Rows that belong together, and may not be parted by a split."""

from collections.abc import Sequence


def spread(groups: Sequence[str], *, folds: int) -> list[int]:
    """Number the fold of each row, from 0: rows of one group are in one, and groups take turns by name."""
    numbers = {group: number for number, group in enumerate(sorted(set(groups)))}
    return [numbers[group] % folds for group in groups]


def joined(keys: Sequence[Sequence[str]]) -> list[str]:
    """
    Name the set of each row; rows that share a key, or are linked through others that do, are in one set.

    :param keys: Of each row, at least one.
    :returns: The least of all keys of the row's set.
    """
    parent: dict[str, str] = {}

    def root(key: str) -> str:
        while parent.setdefault(key, key) != key:
            parent[key] = parent[parent[key]]
            key = parent[key]
        return key

    for first, *others in keys:
        for other in others:
            least, most = sorted((root(first), root(other)))
            parent[most] = least
    return [root(own[0]) for own in keys]
