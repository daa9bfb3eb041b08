"""
Which published fact-checks a text is about: keyword and vector candidates, weighed together.

The order comes from BM25 and cosine similarity. How sure a match is comes from a logistic regression: similarity, the
lead over the best other claim, and the share of the claim's words that the text has. docs/factchecks.md says what the
weights were fitted on, and what they are worth.
"""

import math
import threading
from collections.abc import Sequence
from dataclasses import dataclass

import faiss
import numpy as np
from numpy.typing import NDArray

from core.progress import Progress, ProgressEvent, Stage, ignore_progress
from core.types import FactCheckMatch
from core.words import TERM
from indexing.embedders import Embedder
from indexing.factchecks.posts import plain_post, said
from indexing.factchecks.store import FactCheckStore
from indexing.factchecks.types import FactCheck, Matches

Floats = NDArray[np.float32]

KEYWORD_CANDIDATES = 100
VECTOR_CANDIDATES = 50
"""For the text as a whole, and for each of its sentences."""
MAX_WORDS = 80
MAX_CHARS = 4000
"""Of a text that are read; a fact-check is about one thing."""
EMBED_PIECE = 256
SURE_FROM = 0.9
"""Probability from which a fact-check is shown above a verdict."""
KEYWORD_WEIGHT = 0.4
"""Of BM25, as a share of the best score, beside the mean of two cosines."""
SAME_CLAIM = 0.75
"""Cosine from which two fact-checks count as being about one claim: neither takes from how sure the other is."""
MAX_LEAD = 0.4
COMPARED = 10
"""Of the best candidates, those that are compared with each other."""
STEM_CHARS = 6
_COMMON = """
    a about all an and any are as at be been being but by can could did do does for from had has have he her here his
    how i if in into is it its just may me might more my no not of on or our out over shall she should so than that the
    their them then there these they this those to up us very was we were what when where which who whom whose why will
    with would you your
"""
_STOP_WORDS = frozenset(_COMMON.split())


@dataclass(frozen=True)
class Certainty:
    """Logistic regression: that a text and a fact-check are about one claim."""

    intercept: float = -4.64
    similarity: float = 2.20
    """Of the cosine."""
    lead: float = 7.70
    """Of what the score has more than that of the best other claim, at most `MAX_LEAD`."""
    coverage: float = 3.95
    """Of the share of the claim's words, or the title's, that the text has."""

    def probability(self, *, similarity: float, lead: float, coverage: float) -> float:
        """Return the probability."""
        logit = self.intercept + self.similarity * similarity + self.lead * min(lead, MAX_LEAD)
        return 1.0 / (1.0 + math.exp(-logit - self.coverage * coverage))


CERTAINTY = Certainty()


@dataclass(frozen=True)
class _Candidate:
    """A fact-check that a text may be about."""

    number: int
    similarity: float
    """Mean of the cosines of the whole text and of its most similar sentence; 0 without vectors."""
    score: float
    """What candidates are ordered by."""


@dataclass(frozen=True)
class _Vectors:
    """The vectors of one generation of the index."""

    generation: int
    numbers: NDArray[np.int64]
    """Of the fact-checks; shape (vectors,)."""
    index: faiss.IndexScalarQuantizer | None
    rows: dict[int, list[int]]
    """Number of a fact-check to its rows: claim, and title if it has one."""

    def read(self, rows: Sequence[int]) -> Floats:
        """Return vectors by row; shape (rows, dimension)."""
        assert self.index is not None  # noqa: S101 - there are no rows without it
        read: Floats = self.index.reconstruct_batch(np.array(rows, dtype=np.int64))
        return read

    def alike(self, numbers: Sequence[int]) -> NDArray[np.bool_]:
        """Say which fact-checks are about one claim, as far as vectors tell; shape (numbers, numbers)."""
        same = np.eye(len(numbers), dtype=np.bool_)
        places = [place for place, number in enumerate(numbers) if number in self.rows]
        if places:
            claims = self.read([self.rows[numbers[place]][0] for place in places])
            same[np.ix_(places, places)] |= claims @ claims.T >= SAME_CLAIM
        return same


class FactCheckMatcher:
    """
    Finds fact-checks. Thread-safe; reads the vectors again when the index has changed.

    :param store: The index.
    :param embedder: None: by keyword alone.
    """

    def __init__(self, store: FactCheckStore, embedder: Embedder | None) -> None:
        self.store = store
        self.embedder = embedder
        self._lock = threading.Lock()
        self._vectors: _Vectors | None = None

    def match(self, text: str, *, top_k: int = 5) -> tuple[FactCheckMatch, ...]:
        """
        Rank the fact-checks that a text may be about, best first.

        :param text: A claim, a post of a social network, a headline.
        """
        return self.match_many([text], top_k=top_k)[0].matches

    def match_many(
        self, texts: Sequence[str], *, top_k: int = 5, progress: Progress = ignore_progress
    ) -> list[Matches]:
        """
        Rank for each text.

        :returns: One entry a text, in order.
        :raises StoreError: If the index cannot be used.
        """
        vectors = self._ready()
        found: list[Matches] = []
        for start in range(0, len(texts), EMBED_PIECE):
            piece = [_plain(text) for text in texts[start : start + EMBED_PIECE]]
            found += [self._match(post, near, vectors, top_k) for post, near in self._nearest(piece, vectors)]
            progress(ProgressEvent(stage=Stage.RETRIEVE, done=len(found), total=len(texts), unit="texts"))
        return found

    def embed_new(self, *, progress: Progress = ignore_progress) -> int:
        """
        Make the vectors that are missing; what is made is kept when the work is stopped.

        :returns: How many were made.
        """
        if self.embedder is None:
            return 0
        model = self.embedder.identity
        texts = self.store.texts_without_vector(model)
        for start in range(0, len(texts), EMBED_PIECE):
            piece = texts[start : start + EMBED_PIECE]
            self.store.save_vectors(model, piece, self.embedder.embed(piece))
            done = start + len(piece)
            progress(ProgressEvent(stage=Stage.EMBED, done=done, total=len(texts), unit="claims and titles"))
        return len(texts)

    def _ready(self) -> _Vectors:
        with self._lock:
            generation = self.store.generation()
            if self._vectors is None or self._vectors.generation != generation:
                self._vectors = self._load(generation)
            return self._vectors

    def _load(self, generation: int) -> _Vectors:
        if self.embedder is None or generation == 0:
            return _Vectors(generation, np.empty(0, dtype=np.int64), None, {})
        numbers, matrix = self.store.vectors(self.embedder.identity)
        if not len(numbers):
            return _Vectors(generation, numbers, None, {})
        index = faiss.IndexScalarQuantizer(matrix.shape[1], faiss.ScalarQuantizer.QT_fp16, faiss.METRIC_INNER_PRODUCT)
        for start in range(0, len(matrix), 10_000):
            index.add(matrix[start : start + 10_000].astype(np.float32))
        rows: dict[int, list[int]] = {}
        for row, number in enumerate(numbers.tolist()):
            rows.setdefault(number, []).append(row)
        return _Vectors(generation, numbers, index, rows)

    def _nearest(self, posts: list[str], vectors: _Vectors) -> list[tuple[str, Floats]]:
        """Embed posts and their sentences; shape of each (1 + sentences, dimension), or (0, 0) without vectors."""
        if self.embedder is None or vectors.index is None:
            return [(post, np.empty((0, 0), dtype=np.float32)) for post in posts]
        parts = [said(post) for post in posts]
        flat = [part for one in parts for part in one]
        embedded = self.embedder.embed(flat) if flat else np.empty((0, 0), dtype=np.float32)
        ends = np.cumsum([len(one) for one in parts])
        return [(post, embedded[end - len(one) : end]) for post, one, end in zip(posts, parts, ends, strict=True)]

    def _match(self, post: str, queries: Floats, vectors: _Vectors, top_k: int) -> Matches:
        candidates = self._candidates(post, queries, vectors)[: max(top_k, COMPARED)]
        known = self.store.get([one.number for one in candidates]) if candidates else {}
        candidates = [one for one in candidates if one.number in known]
        words = _stems(post)
        alike = vectors.alike([one.number for one in candidates[:COMPARED]])
        found: list[FactCheckMatch] = []
        for rank, one in enumerate(candidates[:top_k]):
            others = [
                other.score
                for place, other in enumerate(candidates[:COMPARED])
                if place != rank and not (rank < COMPARED and alike[rank, place])
            ]
            sure = CERTAINTY.probability(
                similarity=one.similarity,
                lead=one.score - max(others, default=0.0),
                coverage=_coverage(known[one.number], words),
            )
            found.append(_as_match(known[one.number], min(sure, found[-1].score if found else 1.0)))
        return Matches(matches=tuple(found))

    def _candidates(self, post: str, queries: Floats, vectors: _Vectors) -> list[_Candidate]:
        """Return candidates, best first."""
        ranked = self.store.search(query_words(post), limit=KEYWORD_CANDIDATES)
        best = max(ranked[0][1], 1e-9) if ranked else 1.0
        keyword = {number: score / best for number, score in ranked}
        similar = _similarities(queries, vectors, set(keyword))
        candidates = [
            _Candidate(number, nearness, KEYWORD_WEIGHT * keyword.get(number, 0.0) + nearness)
            for number in keyword.keys() | similar.keys()
            for nearness in [similar.get(number, 0.0)]
        ]
        return sorted(candidates, key=lambda one: (-one.score, one.number))


def query_words(post: str) -> list[str]:
    """Return the words of a post that are worth searching, each once; where all are common words, those."""
    words = list(dict.fromkeys(word.lower() for word in TERM.findall(post)))
    return [word for word in words if word not in _STOP_WORDS][:MAX_WORDS] or words[:MAX_WORDS]


def _plain(text: str) -> str:
    return plain_post(text[:MAX_CHARS]) or " ".join(text[:MAX_CHARS].split())


def _similarities(queries: Floats, vectors: _Vectors, also: set[int]) -> dict[int, float]:
    """
    Return how similar the nearest fact-checks are: the mean for the whole post and for its most similar sentence.

    :param also: Numbers of fact-checks to compare besides the nearest ones.
    """
    if vectors.index is None or not len(queries):
        return {}
    _, rows = vectors.index.search(queries, min(VECTOR_CANDIDATES, len(vectors.numbers)))
    near = set(vectors.numbers[rows[rows >= 0]].tolist()) | also
    wanted = [(number, row) for number in sorted(near) for row in vectors.rows.get(number, ())]
    if not wanted:
        return {}
    cosines = queries @ vectors.read([row for _, row in wanted]).T  # (1 + sentences, texts)
    found: dict[int, tuple[float, float]] = {}
    for place, (number, _) in enumerate(wanted):
        whole, sentence = found.get(number, (-1.0, -1.0))
        found[number] = (max(whole, float(cosines[0, place])), max(sentence, float(cosines[:, place].max())))
    return {number: (whole + sentence) / 2 for number, (whole, sentence) in found.items()}


def _stems(text: str) -> set[str]:
    return {word[:STEM_CHARS] for word in query_words(text)}


def _coverage(known: FactCheck, words: set[str]) -> float:
    """Return the share of the words of a claim, or of its title, that a text has; of one word alone: 0."""
    shares = [len(stems & words) / len(stems) for text in (known.claim, known.title) if len(stems := _stems(text)) > 1]
    return max(shares, default=0.0)


def _as_match(known: FactCheck, score: float) -> FactCheckMatch:
    return FactCheckMatch(
        id=known.id,
        score=score,
        claim=known.claim,
        url=known.url,
        publisher=known.publisher,
        date=known.date,
        verdict=known.verdict,
    )
