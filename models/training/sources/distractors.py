"""Passages of other articles that share a statement's words: what retrieval sets before a reader by mistake."""

import random
from collections.abc import Sequence

import bm25s

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
        self._chance = random.Random(seed)  # noqa: S311 - a sample, not a secret
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


def _tokens(texts: Sequence[str]) -> "bm25s.tokenization.Tokenized":
    return bm25s.tokenize(list(texts), stopwords="en", show_progress=False)
