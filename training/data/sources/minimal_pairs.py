"""Statements retold from real articles in pairs of like wording, one true and one false of the same passage."""

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from core.sentences import sentence_spans
from training.data.examples import NEITHER, NOT_REFUTES, NOT_SUPPORTS, REFUTES, SUPPORTS, Example, Group
from training.data.packs import read_pack
from training.data.sources.article_parts import part_of
from training.data.sources.distractors import far_groups

_LINE = re.compile(r"[^\n]+")
_WORDS = range(60, 151)
"""Of another part of the article, in words: shorter says little, longer does not fit beside a statement."""


def twin_groups(
    root: Path,
    packs: Sequence[str],
    *,
    articles: str,
    splits: Sequence[str] = ("train",),
    headlines: float = 0.5,
    elsewhere: float = 0.3,
    far: float = 0.1,
    narrow: float = 0.0,
) -> list[Group]:
    """
    Read twins, each pair before its passage, and statements that the passage leaves open.

    :param packs: Whose rows name a part of an article (`article`, `start`, `end`), `twins` and `open` statements.
    :param articles: Pack that holds the articles, with `id`, `title` and `body`.
    :param splits: Parts of the packs to read.
    :param headlines: Share (0 to 1) of pairs and statements whose passage stands behind the article's title, as the
        pipeline asks.
    :param elsewhere: Share of twins and open statements that are also set before another part of their article, as
        *neither*.
    :param far: Share that are also set before a passage of another article with the same words, as *neither*.
    :param narrow: Share of twins that are also set before one sentence of their passage behind the title, as the
        pipeline reads sentences: none refutes the true one, none supports the false one, and more is not known.
    :returns: Groups of two for twins, as for mirrors; of one for all others.
    """
    rows = [row for name in packs for row in read_pack(root, name) if row["split"] in splits]
    known = {row["id"]: row for row in read_pack(root, articles)}
    chance = random.Random("twins")
    groups = [group for row in rows for group in _groups(row, known[row["article"]], chance, headlines=headlines)]
    apart = [group for row in rows for group in _elsewhere(row, known[row["article"]], chance, share=elsewhere)]
    alone = [group for row in rows for group in _narrow(row, known[row["article"]], chance, share=narrow)]
    return groups + apart + _far_off(rows, known, chance, share=far) + alone


def told_of(true: str, false: str, passage: str) -> tuple[Example, Example]:
    """Set a statement that a passage supports, and one that it refutes, before it."""
    return (
        Example(true, passage, relation=SUPPORTS, relevant=True),
        Example(false, passage, relation=REFUTES, relevant=True),
    )


def _groups(row: dict[str, Any], article: Mapping[str, str], chance: random.Random, *, headlines: float) -> list[Group]:
    passage = part_of(row, article)

    def placed() -> str:
        return f"{article['title']}. {passage}" if chance.random() < headlines else passage

    pairs = [(true, false, placed()) for true, false in row["twins"]]
    return [
        *(Group(told_of(true, false, text)) for true, false, text in pairs),
        *(Group((Example(text, placed(), relation=NEITHER),)) for text in row["open"]),
    ]


def _elsewhere(
    row: dict[str, Any], article: Mapping[str, str], chance: random.Random, *, share: float
) -> Iterator[Group]:
    parts = _other_parts(article["body"], row["start"], row["end"])
    for statement in _statements(row):
        if parts and chance.random() < share:
            yield Group((Example(statement, f"{article['title']}. {chance.choice(parts)}", relation=NEITHER),))


def _narrow(row: dict[str, Any], article: Mapping[str, str], chance: random.Random, *, share: float) -> Iterator[Group]:
    passage = part_of(row, article)
    sentences = [passage[start:end] for start, end in sentence_spans(passage)]
    for pair in row["twins"]:
        for statement, relation in zip(pair, (NOT_REFUTES, NOT_SUPPORTS), strict=True):
            if chance.random() < share:
                text = f"{article['title']}. {chance.choice(sentences)}"
                yield Group((Example(statement, text, relation=relation),))


def _far_off(
    rows: Sequence[dict[str, Any]], known: Mapping[str, dict[str, Any]], chance: random.Random, *, share: float
) -> list[Group]:
    drawn = [(statement, row["article"]) for row in rows for statement in _statements(row) if chance.random() < share]
    passages = [part_of(row, known[row["article"]]) for row in rows]
    return far_groups(drawn, passages, [row["article"] for row in rows], seed="twins")


def _other_parts(body: str, start: int, end: int) -> list[str]:
    """Join paragraphs before and behind a part of a text to parts of their own."""
    parts: list[str] = []
    for piece in (body[:start], body[end:]):
        words: list[str] = []
        for line in _LINE.findall(piece):
            words = [*words, *line.split()]
            if len(words) in _WORDS:
                parts.append(" ".join(words))
            if len(words) >= _WORDS.start:
                words = []
    return parts


def _statements(row: dict[str, Any]) -> list[str]:
    return [*(statement for pair in row["twins"] for statement in pair), *row["open"]]
