"""Statements in free wording beside a passage and its mirror, under which they turn their label."""

import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from training.data.examples import RELATIONS, Example, Group
from training.data.packs import read_pack
from training.data.sources.article_parts import mirror_rows
from training.data.sources.distractors import far_groups

TRAIN = ("train",)


def mirror_groups(
    root: Path,
    packs: Sequence[str],
    *,
    splits: Sequence[str] = TRAIN,
    far: float = 0.1,
    headlines: float = 0.3,
    titles: str | None = None,
    articles: str | None = None,
    first: int | None = None,
) -> list[Group]:
    """
    Read statements, each together with its mirror where there is one.

    :param splits: Parts of the packs to read.
    :param far: Share (0 to 1) of statements that are also set before a passage of another article with the same words
        (see `Distractors`), as *neither*.
    :param headlines: Share of statements whose passages stand behind the article's title, as the pipeline asks; those
        that begin with one (`headed`) get no second one.
    :param titles: Pack of articles with `id` and `title`, for passages not from Wikipedia; None: only rows that have a
        `headline` of their own have one.
    :param articles: Pack that holds the articles, for packs whose rows are parts of them (see `mirror_rows`).
    :param first: Rows read of each pack, from its beginning; None: all.
    """
    rows = [
        row for name in packs for row in mirror_rows(root, name, articles=articles)[:first] if row["split"] in splits
    ]
    chance = random.Random("mirrors")
    known = {row["id"]: row["title"] for row in read_pack(root, titles)} if titles else {}
    pairs = [group for row in rows for group in _pairs(row, row_title(row, known), chance, headlines=headlines)]
    return pairs + _far_off(rows, chance, share=far)


def row_title(row: dict[str, Any], known: Mapping[str, str]) -> str:
    """
    Return the title that a row's passage can stand behind; empty where there is none, or it stands behind one already.

    :param known: Articles' `id` to their titles.
    """
    if row.get("headed"):
        return ""
    own: str = row.get("headline") or known.get(row["source"].split(": ", 1)[1]) or ""
    return own or wikipedia_title(row["source"])


def _pairs(row: dict[str, Any], title: str, chance: random.Random, *, headlines: float) -> Iterator[Group]:
    for statement in row["statements"]:
        headed = bool(title) and chance.random() < headlines
        head, mirror_head = (f"{title}. ", f"{row.get('mirror_headline') or title}. ") if headed else ("", "")
        pair = [_example(statement["text"], head + row["passage"], statement["label"])]
        if "mirror" in row and "mirror_label" in statement:
            pair.append(_example(statement["text"], mirror_head + row["mirror"], statement["mirror_label"]))
        yield Group(tuple(pair))


def _far_off(rows: Sequence[dict[str, Any]], chance: random.Random, *, share: float) -> list[Group]:
    drawn = [
        (statement["text"], row["source"]) for row in rows for statement in row["statements"] if chance.random() < share
    ]
    return far_groups(drawn, [row["passage"] for row in rows], [row["source"] for row in rows], seed="mirrors")


def _example(statement: str, passage: str, label: str) -> Example:
    return Example(statement, passage, relation=RELATIONS[label], relevant=None if label == "neutral" else True)


def wikipedia_title(source: str) -> str:
    """Return the title of a Wikipedia article, for passages that come by way of SQuAD; else nothing."""
    pack, name = source.split(": ", 1)
    return name.replace("_", " ").replace("%27", "'") if pack == "squad" else ""
