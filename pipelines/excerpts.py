"""The part of a long passage that is worth reading for a query."""

import re
from dataclasses import dataclass
from functools import lru_cache

from core.sentences import sentence_spans

_WORD = re.compile(r"\w+")
_STEM_LETTERS = 5


@dataclass(frozen=True)
class Excerpt:
    """A run of whole sentences of a passage."""

    text: str
    start: int
    """Of `text` in the passage."""


@lru_cache(maxsize=4096)
def passage_sentences(text: str) -> tuple[tuple[int, int, frozenset[str]], ...]:
    """Return start, end and word stems of each sentence."""
    return tuple((start, end, word_stems(text[start:end])) for start, end in sentence_spans(text))


@lru_cache(maxsize=8192)
def word_stems(text: str) -> frozenset[str]:
    """Return the first letters of the words of a text, in lower case: a stemmer that is good enough to count by."""
    return frozenset(word[:_STEM_LETTERS] for word in _WORD.findall(text.lower()) if len(word) > 1 or word.isdigit())


def excerpt(query: str, passage: str, *, max_words: int) -> Excerpt:
    """
    Choose the run of sentences of at most `max_words` words that shares most words with the query.

    Each query word counts once in a run. The first of the best runs wins; a single longer sentence is kept whole.
    """
    if len(passage.split()) <= max_words:
        return Excerpt(passage, 0)
    sentences = passage_sentences(passage)
    wanted = word_stems(query)
    sizes = [len(passage[start:end].split()) for start, end, _ in sentences]
    best, best_score = (0, 1), -1
    for first in range(len(sentences)):
        last, words, found = first, 0, set[str]()
        while last < len(sentences) and (last == first or words + sizes[last] <= max_words):
            words += sizes[last]
            found |= wanted & sentences[last][2]
            last += 1
        if len(found) > best_score:
            best, best_score = (first, last), len(found)
        if last == len(sentences):
            break
    start, end = sentences[best[0]][0], sentences[best[1] - 1][1]
    return Excerpt(passage[start:end], start)
