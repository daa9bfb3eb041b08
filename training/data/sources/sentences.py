"""Sentences of a passage as statements: true of it, not of its mirror, which says other things in the same words."""

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

from core.sentences import sentence_spans
from training.data.examples import NOT_SUPPORTS, SUPPORTS, Example, Group
from training.data.sources.article_parts import mirror_rows

_WORDS = 6
"""Shorter sentences say too little by themselves."""


def sentence_groups(
    root: Path,
    packs: Sequence[str],
    *,
    splits: Sequence[str] = ("train",),
    share: float = 1.0,
    articles: str | None = None,
) -> list[Group]:
    """
    Set each sentence that only one of passage and mirror has before both.

    :param packs: Of `news_pairs`: rows with `passage` and perhaps a `mirror`.
    :param splits: Parts of the packs to read.
    :param share: Share (0 to 1) of such sentences that are used.
    :param articles: As for `mirror_groups`.
    :returns: Groups of two, each other's mirror; whether the other passage refutes the sentence is left open.
    """
    chance = random.Random("sentences")
    return [
        Group((_example(sentence, own, SUPPORTS), _example(sentence, other, NOT_SUPPORTS)))
        for name in packs
        for row in mirror_rows(root, name, articles=articles)
        if row["split"] in splits and "mirror" in row
        for own, other in ((row["passage"], row["mirror"]), (row["mirror"], row["passage"]))
        for sentence in _only_in(own, other)
        if chance.random() < share
    ]


def _only_in(own: str, other: str) -> Iterator[str]:
    for start, end in sentence_spans(own):
        sentence = own[start:end]
        if len(sentence.split()) >= _WORDS and sentence not in other:
            yield sentence


def _example(sentence: str, passage: str, relation: int) -> Example:
    return Example(sentence, passage, relation=relation, relevant=True)
