"""Statements in free wording beside a passage and its mirror, under which they turn their label."""

import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from models.training.examples import NEITHER, RELATIONS, Example, Group
from models.training.packs import read_pack

TRAIN = ("train",)


def mirror_groups(
    root: Path, packs: Sequence[str], *, splits: Sequence[str] = TRAIN, far: float = 0.1, headlines: float = 0.3
) -> list[Group]:
    """
    Read statements, each together with its mirror where there is one.

    :param splits: Parts of the packs to read.
    :param far: Share (0 to 1) of statements that are also set before a passage of another article, as *neither*.
    :param headlines: Share of statements whose passages stand behind the article's title, as the pipeline asks.
    """
    rows = [row for name in packs for row in read_pack(root, name) if row["split"] in splits]
    chance = random.Random("mirrors")  # noqa: S311 - a sample, not a secret
    return [group for row in rows for group in _groups(row, rows, chance, far=far, headlines=headlines)]


def _groups(
    row: dict[str, Any], rows: list[dict[str, Any]], chance: random.Random, *, far: float, headlines: float
) -> Iterator[Group]:
    title = wikipedia_title(row["source"])
    for statement in row["statements"]:
        head = f"{title}. " if title and chance.random() < headlines else ""
        pair = [_example(statement["text"], head + row["passage"], statement["label"])]
        if "mirror" in row and "mirror_label" in statement:
            pair.append(_example(statement["text"], head + row["mirror"], statement["mirror_label"]))
        yield Group(tuple(pair))
        if chance.random() < far:
            other = chance.choice(rows)
            if other["source"] != row["source"]:
                far_off = Example(statement["text"], other["passage"], relation=NEITHER, relevant=False)
                yield Group((far_off,))


def _example(statement: str, passage: str, label: str) -> Example:
    return Example(statement, passage, relation=RELATIONS[label], relevant=None if label == "neutral" else True)


def wikipedia_title(source: str) -> str:
    """Return the title of a Wikipedia article, for passages that come by way of SQuAD; else nothing."""
    pack, name = source.split(": ", 1)
    return name.replace("_", " ").replace("%27", "'") if pack == "squad" else ""
