"""Statements beside their evidence, as the entailment and verification packs hold them."""

import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from training.data.examples import NEITHER, RELATIONS, Example, Group
from training.data.packs import read_pack


def statement_groups(
    root: Path, packs: Sequence[str], *, folds: Sequence[int] = (), splits: Sequence[str] = (), far: float = 0.0
) -> list[Group]:
    """
    Read statements with one evidence text each.

    :param packs: Names of packs whose rows have `claim`, `evidence` and `label`.
    :param folds: Only rows of these folds (0 to 9); none: rows of every fold.
    :param splits: Only rows of these splits; none: of every split.
    :param far: Share (0 to 1) of statements that are also set before another row's evidence, as *neither*.
    :returns: One group an example, and one of two for a statement with a far passage.
    """
    groups: list[Group] = []
    for name in packs:
        rows = [row for row in read_pack(root, name) if _wanted(row, folds, splits)]
        groups.extend(_groups(rows, far=far, seed=name))
    return groups


def _wanted(row: dict[str, Any], folds: Sequence[int], splits: Sequence[str]) -> bool:
    return (not folds or row["fold"] in folds) and (not splits or row["split"] in splits)


def _groups(rows: list[dict[str, Any]], *, far: float, seed: str) -> Iterator[Group]:
    chance = random.Random(seed)
    for row in rows:
        relation = RELATIONS[row["label"]]
        relevant = None if row["label"] in ("neutral", "not_supports") else True
        yield Group((Example(row["claim"], row["evidence"], relation=relation, relevant=relevant),))
        if chance.random() < far:
            other = chance.choice(rows)
            if other.get("group", other["id"]) != row.get("group", row["id"]):
                yield Group((Example(row["claim"], other["evidence"], relation=NEITHER, relevant=False),))
