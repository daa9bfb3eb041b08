"""Twins before their passage and before its mirror: neither statement nor passage alone gives a label away."""

import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from training.data.examples import Group
from training.data.packs import read_pack
from training.data.sources.article_parts import edited, part_of
from training.data.sources.minimal_pairs import told_of


def grid_groups(
    root: Path,
    packs: Sequence[str],
    *,
    twins: str,
    articles: str,
    splits: Sequence[str] = ("train",),
    headlines: float = 0.3,
) -> list[Group]:
    """
    Read mirrors of the passages of twins, under which the false twin is true and the true one false.

    :param packs: Whose rows name a row of `twins` (`id`), the `edits` that make the mirror of its passage, and the
        numbers of the pairs that do not turn (`unturned`).
    :param twins: Pack as for `twin_groups`.
    :param articles: Pack that holds the articles, with `id`, `title` and `body`.
    :param splits: Parts of `twins` to read.
    :param headlines: Share (0 to 1) of pairs whose passage stands behind the article's title. The mirror never does:
        the title may tell what it turns.
    :returns: Groups of four, true and false twin before the passage, then before the mirror.
    """
    mirrors = {row["id"]: row for name in packs for row in read_pack(root, name)}
    known = {row["id"]: row for row in read_pack(root, articles)}
    chance = random.Random("grids")
    return [
        group
        for row in read_pack(root, twins)
        if row["split"] in splits and row["id"] in mirrors
        for group in _groups(row, mirrors[row["id"]], known[row["article"]], chance, headlines=headlines)
    ]


def _groups(
    row: dict[str, Any],
    mirror: Mapping[str, Any],
    article: Mapping[str, str],
    chance: random.Random,
    *,
    headlines: float,
) -> Iterator[Group]:
    passage = part_of(row, article)
    turned = edited(passage, mirror["edits"])
    for number, (true, false) in enumerate(row["twins"]):
        headed = f"{article['title']}. {passage}" if chance.random() < headlines else passage
        if number not in mirror["unturned"]:
            yield Group((*told_of(true, false, headed), *told_of(false, true, turned)[::-1]))
