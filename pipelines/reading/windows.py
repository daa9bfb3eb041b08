"""
The parts of retrieved passages that are worth reading for a query.

A passage is cut into pieces of whole sentences, about a hundred words each: the length on which the reader is best.
The pieces that share most with the query are read, rare words counting more.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from haystack import Document

from core.sentences import sentence_spans
from core.words import TERM, stem

PIECE_WORDS = 100
_RANK_WEIGHT = 0.05

Stems = frozenset[str]


@dataclass(frozen=True)
class Piece:
    """A run of whole sentences of a retrieved passage."""

    document: Document
    rank: int
    """Of the passage in the retriever's ranking; 0 is the best."""
    text: str
    start: int
    """Of `text` in the article's body."""
    overlap: float
    """Share of the query's words, weighted by rarity, that are in the piece or its headline."""
    passage_overlap: float
    """The same for the whole passage and its headline."""
    own_overlap: float
    """The same for the piece alone."""

    @property
    def priority(self) -> float:
        """Order of reading; higher is sooner."""
        return self.own_overlap + self.overlap + self.passage_overlap - _RANK_WEIGHT * self.rank


@lru_cache(maxsize=16384)
def word_stems(text: str) -> Stems:
    """Return the first letters of the words of a text, in lower case: a stemmer that is good enough to count by."""
    return frozenset(stem(word) for word in TERM.findall(text.lower()) if len(word) > 1 or word.isdigit())


@lru_cache(maxsize=8192)
def sentences_of(text: str) -> tuple[tuple[int, int], ...]:
    """Return the sentences of a text as spans."""
    return tuple(sentence_spans(text))


def sentence_around(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span of the sentences that hold the span; all of the text if none does."""
    spans = [span for span in sentences_of(text) if span[0] < max(end, start + 1) and start < span[1]]
    return (spans[0][0], spans[-1][1]) if spans else (0, len(text))


@lru_cache(maxsize=8192)
def cut(text: str) -> tuple[tuple[int, int], ...]:
    """Cut a passage into runs of whole sentences of nearly equal length, near `PIECE_WORDS` words."""
    spans = sentences_of(text)
    sizes = [len(text[start:end].split()) for start, end in spans]
    target = sum(sizes) / max(1, round(sum(sizes) / PIECE_WORDS))
    pieces: list[tuple[int, int]] = []
    words = 0
    for (start, end), size in zip(spans, sizes, strict=True):
        if pieces and words + size / 2 <= target:
            pieces[-1] = (pieces[-1][0], end)
            words += size
        else:
            pieces.append((start, end))
            words = size
    return tuple(pieces)


def best_pieces(query: str, documents: Sequence[Document], *, max_pieces: int) -> list[Piece]:
    """
    Choose what to read.

    :param documents: Passages, best first; those without text are left out.
    :returns: At most `max_pieces`, by rank of their passage and then by place.
    """
    passages = [(rank, document, document.content or "") for rank, document in enumerate(documents)]
    weights = query_weights(query, [text[start:end] for _, _, text in passages for start, end in cut(text)])
    pieces = [_piece(rank, document, span, weights=weights) for rank, document, text in passages for span in cut(text)]
    chosen = sorted(pieces, key=lambda piece: (-piece.priority, piece.rank, piece.start))[:max_pieces]
    return sorted(chosen, key=lambda piece: (piece.rank, piece.start))


def query_weights(query: str, texts: list[str]) -> dict[str, float]:
    """Weigh the query's words by how few of the texts hold them; the weights sum to one."""
    wanted = word_stems(query)
    counts = Counter(stem for text in texts for stem in word_stems(text) & wanted)
    raw = {stem: math.log(1 + len(texts) / (1 + counts[stem])) for stem in wanted}
    total = sum(raw.values()) or 1.0
    return {stem: weight / total for stem, weight in sorted(raw.items())}


def _piece(rank: int, document: Document, span: tuple[int, int], *, weights: dict[str, float]) -> Piece:
    passage = document.content or ""
    text = passage[span[0] : span[1]]
    head = word_stems(str(document.meta["headline"]))
    return Piece(
        document=document,
        rank=rank,
        text=text,
        start=int(document.meta["start"]) + span[0],
        overlap=share(weights, word_stems(text) | head),
        passage_overlap=share(weights, word_stems(passage) | head),
        own_overlap=share(weights, word_stems(text)),
    )


def share(weights: dict[str, float], stems: Stems) -> float:
    """Return how much of the query's weight is among the stems; 0 to 1."""
    return sum(weight for stem, weight in weights.items() if stem in stems)
