"""Segments of found articles: the parts of at most 256 words that share most with a question."""

from collections.abc import Sequence

from haystack import Document

from core.types import Article
from core.words import TERM
from pipelines.reading.windows import query_weights, sentences_of, share, word_stems

SEGMENT_WORDS = 256
COPY_FROM = 0.5
"""Share of a text's runs of five words from which an article is a copy of it."""
_RUN = 5


def segment_spans(body: str, *, max_words: int = SEGMENT_WORDS) -> list[tuple[int, int]]:
    """Cut a body into runs of whole sentences of at most `max_words` words; a longer sentence stands alone."""
    spans: list[tuple[int, int]] = []
    words = 0
    for start, end in sentences_of(body):
        size = len(body[start:end].split())
        if spans and words + size <= max_words:
            spans[-1] = (spans[-1][0], end)
            words += size
        else:
            spans.append((start, end))
            words = size
    return spans


def best_segments(question: str, articles: Sequence[Article], *, keep: int) -> list[Document]:
    """
    Choose the segments to read.

    :param articles: Best first.
    :param keep: Segments of each article.
    :returns: Documents as a retriever returns them, by article and then by place.
    """
    cut = [(article, span) for article in articles for span in segment_spans(article.body)]
    weights = query_weights(question, [article.body[start:end] for article, (start, end) in cut])
    found: list[Document] = []
    for article in articles:
        spans = [span for one, span in cut if one is article]
        ranked = sorted(spans, key=lambda span: -share(weights, word_stems(article.body[span[0] : span[1]])))
        found += [_document(article, span, weights) for span in sorted(ranked[:keep])]
    return found


def _document(article: Article, span: tuple[int, int], weights: dict[str, float]) -> Document:
    text = article.body[span[0] : span[1]]
    meta = {
        "article_id": article.article_id,
        "revision": article.revision,
        "headline": article.headline,
        "url": article.url,
        "source": article.source,
        "origin_id": article.origin_id or article.article_id,
        "start": span[0],
        "end": span[1],
    }
    name = f"{article.article_id}-{article.revision}-at{span[0]}"
    return Document(id=name, content=text, meta=meta, score=share(weights, word_stems(text)))


def is_copy(text: str, body: str) -> bool:
    """Say whether an article has most of a text word for word, or the text most of the article."""
    ours, theirs = _runs(text), _runs(body)
    smaller = min(len(ours), len(theirs))
    return smaller > 0 and len(ours & theirs) / smaller >= COPY_FROM


def _runs(text: str) -> set[tuple[str, ...]]:
    words = TERM.findall(text.casefold())
    return {tuple(words[place : place + _RUN]) for place in range(len(words) - _RUN + 1)}
