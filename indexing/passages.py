"""Sentence-aligned passages of an article."""

from core.sentences import sentence_spans
from core.types import Article, Passage

TARGET_WORDS = 180
"""A passage is closed once it holds this many words."""
LONGEST_WORDS = 360
"""A sentence longer than this (a table, a list without full stops) is cut between words."""
SHORTEST_WORDS = 60
"""A last passage shorter than this joins the one before it."""

Span = tuple[int, int]


def passage_id(article_id: str, revision: int, position: int) -> str:
    """Name a passage; the same article revision always gives the same names."""
    return f"{article_id}-{revision}-{position}"


def split_passages(article: Article) -> list[Passage]:
    """
    Cut an article's body into passages that neither overlap nor split a sentence.

    :returns: Passages in order. Between them they hold every character of the body that is not blank.
    """
    body = article.body
    pieces = [piece for span in _sentences(article) for piece in _bounded(body, span)]
    return [
        Passage(
            passage_id=passage_id(article.article_id, article.revision, position),
            article_id=article.article_id,
            position=position,
            start=start,
            end=end,
            text=body[start:end],
        )
        for position, (start, end) in enumerate(_grouped(body, pieces))
    ]


def _sentences(article: Article) -> list[Span]:
    """Return the sentences, or all that is there if the splitter finds none in a body of odd characters."""
    spans = sentence_spans(article.body, language=article.language or "en")
    return spans or [(0, len(article.body))]


def _bounded(body: str, span: Span) -> list[Span]:
    """Cut a sentence of more than `LONGEST_WORDS` words into equal runs of words."""
    start, end = span
    words = body[start:end].split()
    if len(words) <= LONGEST_WORDS:
        return [span]
    pieces: list[Span] = []
    position = first = start
    for number, word in enumerate(words, start=1):
        position = body.index(word, position, end) + len(word)
        if number % TARGET_WORDS == 0 or number == len(words):
            pieces.append((first, position))
            first = position + len(body[position:end]) - len(body[position:end].lstrip())
    return pieces


def _grouped(body: str, pieces: list[Span]) -> list[Span]:
    """Join consecutive pieces until each group holds `TARGET_WORDS` words."""
    groups: list[Span] = []
    sizes: list[int] = []
    for start, end in pieces:
        words = len(body[start:end].split())
        if sizes and sizes[-1] < TARGET_WORDS and sizes[-1] + words <= LONGEST_WORDS:
            groups[-1] = (groups[-1][0], end)
            sizes[-1] += words
        else:
            groups.append((start, end))
            sizes.append(words)
    if len(groups) > 1 and sizes[-1] < SHORTEST_WORDS and sizes[-2] + sizes[-1] <= LONGEST_WORDS:
        groups[-2:] = [(groups[-2][0], groups[-1][1])]
    return groups
