"""Passages of other articles that share a statement's words: what retrieval sets before a reader by mistake."""

import random
from collections.abc import Sequence

import bm25s

from training.data.examples import NEITHER, Example, Group

_BEST = 10
"""How many of BM25's best the passage is drawn from; articles of the same source among them are left out."""


class Distractors:
    """BM25 over the passages of a pack."""

    def __init__(self, passages: Sequence[str], sources: Sequence[str], *, seed: str) -> None:
        """
        Index the passages.

        :param passages: Texts, (passages,).
        :param sources: What article each is of, (passages,).
        """
        self._passages = passages
        self._sources = sources
        self._chance = random.Random(seed)
        self._index = bm25s.BM25(method="lucene", k1=1.2, b=0.75)
        self._index.index(_tokens(passages), show_progress=False)

    def draw(self, statements: Sequence[str], sources: Sequence[str]) -> list[str | None]:
        """
        Draw one passage for each statement from those that BM25 puts first.

        :param sources: What article each statement is about; its passages are not drawn.
        :returns: (statements,), None where all of the best are of the same source.
        """
        best = min(_BEST, len(self._passages))
        found, _ = self._index.retrieve(_tokens(statements), k=best, show_progress=False)
        return [self._pick(list(places), source) for places, source in zip(found, sources, strict=True)]

    def _pick(self, places: list[int], source: str) -> str | None:
        others = [place for place in places if self._sources[place] != source]
        return self._passages[self._chance.choice(others)] if others else None


def far_groups(
    drawn: Sequence[tuple[str, str]], passages: Sequence[str], sources: Sequence[str], *, seed: str
) -> list[Group]:
    """
    Set statements before passages of other articles that share words with them, as *neither*.

    :param drawn: Statements, each with the article that it is about.
    :param passages: As for `Distractors`; the same for `sources`.
    :returns: Groups of one; statements without such a passage are left out.
    """
    if not drawn:
        return []
    statements = [statement for statement, _ in drawn]
    found = Distractors(passages, sources, seed=seed).draw(statements, [source for _, source in drawn])
    return [
        Group((Example(statement, passage, relation=NEITHER, relevant=False),))
        for statement, passage in zip(statements, found, strict=True)
        if passage is not None
    ]


def _tokens(texts: Sequence[str]) -> "bm25s.tokenization.Tokenized":
    return bm25s.tokenize(list(texts), stopwords="en", show_progress=False)
