"""What a chat model is shown of the evidence: whole sentences by numbered article, cut to what fits its context."""

from collections.abc import Callable, Sequence

from core.sentences import sentence_spans
from core.types import Article, Model, Relation
from pipelines.contracts.evidence import Evidence, ShownArticle, ShownSentence, number_articles
from pipelines.injection.sanitise import as_data, is_tainted, looks_like_instruction

NEIGHBOUR_SHARE = 0.5
"""Relevance of a sentence beside picked evidence, as a share of that evidence's."""

MOST_SHOWN = 4
"""Pieces of evidence that a chat model is shown: small models lose the answer among more."""
LEAST_SHARE = 0.2
"""Of the likeliest answer's probability; a less likely one is not shown."""


class Fitted(Model):
    """What is left after cutting."""

    articles: tuple[ShownArticle, ...]
    sentences_cut: int
    tokens: int
    """Of the rendered evidence."""


def deciding(evidence: Sequence[Evidence]) -> list[Evidence]:
    """
    Choose the evidence that decides: what settles a statement, else what is likeliest to answer, a few pieces at most.

    :param evidence: Judged, best first.
    """
    settling = [item for item in evidence if item.relation is not Relation.MENTIONS]
    least = LEAST_SHARE * max((item.score for item in evidence), default=0.0)
    return (settling or [item for item in evidence if item.score >= least])[:MOST_SHOWN]


def choose_sentences(
    evidence: Sequence[Evidence], *, neighbours: int = 1, of: Sequence[Evidence] | None = None
) -> tuple[ShownArticle, ...]:
    """
    Take each piece of evidence with the sentences around it.

    :param evidence: Best first; articles are numbered by first appearance.
    :param neighbours: Sentences before and after. Sentences that talk to a machine are left out.
    :param of: The pieces of `evidence` to take; None: all.
    """
    numbers = number_articles(list(evidence))
    taken = evidence if of is None else of
    shown = []
    for article_id, number in numbers.items():
        items = [item for item in taken if item.article.article_id == article_id]
        if not items:
            continue
        article = items[0].article
        chosen = _with_neighbours(sentence_spans(article.body), items, neighbours=neighbours)
        kept = [one for one in chosen if not is_tainted(article.body, one.start, one.end)]
        if kept:
            shown.append(ShownArticle(number=number, article=article, sentences=tuple(kept)))
    return tuple(shown)


def _with_neighbours(spans: list[tuple[int, int]], items: list[Evidence], *, neighbours: int) -> list[ShownSentence]:
    relevance: dict[int, float] = {}
    for item in items:
        inside = [index for index, (start, end) in enumerate(spans) if start < item.end and item.start < end]
        if not inside:
            continue
        for index in range(max(0, inside[0] - neighbours), min(len(spans), inside[-1] + neighbours + 1)):
            value = item.score if index in inside else item.score * NEIGHBOUR_SHARE
            relevance[index] = max(relevance.get(index, 0.0), value)
    return [
        ShownSentence(start=spans[index][0], end=spans[index][1], relevance=relevance[index])
        for index in sorted(relevance)
    ]


def fit(
    articles: Sequence[ShownArticle],
    *,
    room: int,
    count: Callable[[str], int],
    render: Callable[[Sequence[ShownArticle]], str],
) -> Fitted:
    """
    Cut whole sentences, least relevant first, later ones before earlier ones, until the rendered evidence fits.

    :param room: Tokens; may be negative: nothing fits.
    :param count: Tokens of a text.
    """
    left = tuple(articles)
    order = sorted(
        ((sentence.relevance, -article.number, -sentence.start) for article in left for sentence in article.sentences),
    )
    cut = 0
    tokens = count(render(left))
    while left and tokens > room:
        # Steps as wide as what is too much keep this linear where far too much was found.
        step = max(1, int((len(order) - cut) * (1 - max(room, 0) / tokens) / 2))
        for _, number, start in order[cut : cut + step]:
            left = _without(left, -number, -start)
        cut = min(len(order), cut + step)
        tokens = count(render(left)) if left else 0
    return Fitted(articles=left, sentences_cut=cut, tokens=tokens)


def _without(articles: tuple[ShownArticle, ...], number: int, start: int) -> tuple[ShownArticle, ...]:
    left = []
    for article in articles:
        kept = tuple(one for one in article.sentences if article.number != number or one.start != start)
        if kept:
            left.append(
                article if len(kept) == len(article.sentences) else article.model_copy(update={"sentences": kept})
            )
    return tuple(left)


def render_references(articles: Sequence[ShownArticle]) -> str:
    """Write numbered articles: headline, date and source, then the sentences."""
    return "\n\n".join(f"Doc[{article.number}] {_title(article.article)}\n{_body(article)}" for article in articles)


def render_contexts(articles: Sequence[ShownArticle]) -> str:
    """Write the sentences of each article as a paragraph, without numbers."""
    return "\n\n".join(f"{_title(article.article)}\n{_body(article)}" for article in articles)


def render_keywords(evidence: Sequence[Evidence]) -> str:
    """Write the answer spans, or failing those the sentences, with their scores."""
    lines = (f"- {as_data(item.answer or item.text)} ({item.score:.2f})" for item in evidence)
    return "\n".join(dict.fromkeys(lines))


def _title(article: Article) -> str:
    day = article.published_at.date().isoformat() if article.published_at else "undated"
    headline, source = (
        "" if looks_like_instruction(text) else as_data(text) for text in (article.headline, article.source)
    )
    return f"{headline} ({source or 'unnamed source'}, {day})".strip()


def _body(article: ShownArticle) -> str:
    lines: list[str] = []
    previous_end = None
    for sentence in article.sentences:
        text = as_data(article.text(sentence))
        joined = previous_end is not None and not article.article.body[previous_end : sentence.start].strip()
        if joined:
            lines[-1] += f" {text}"
        else:
            lines.append(text)
        previous_end = sentence.end
    return "\n".join(lines)
