"""What the second role is shown of the found passages: whole sentences by numbered article."""

from collections.abc import Mapping, Sequence

from haystack import Document

from core.types import Article
from pipelines.contracts.evidence import ShownArticle, ShownSentence
from pipelines.injection.sanitise import is_tainted, looks_like_instruction
from pipelines.reading.windows import query_weights, sentences_of, share, word_stems


def shown_articles(
    query: str, documents: Sequence[Document], articles: Mapping[str, Article], numbers: Mapping[str, int]
) -> tuple[ShownArticle, ...]:
    """
    Take the sentences of passages; those that share most with the query stay longest when they have to be cut.

    :param articles: Passage id to article.
    :param numbers: Article id to n in Doc[n].
    :returns: By first appearance. Articles whose headline talks to a machine are left out, and such sentences.
    """
    weights = query_weights(query, [document.content or "" for document in documents])
    spans: dict[str, dict[tuple[int, int], float]] = {}
    named: dict[str, Article] = {}
    for document in documents:
        article = articles[document.id]
        if looks_like_instruction(article.headline):
            continue
        named.setdefault(article.article_id, article)
        base = int(document.meta["start"])
        for start, end in sentences_of(document.content or ""):
            if not is_tainted(article.body, base + start, base + end):
                text = article.body[base + start : base + end]
                found = spans.setdefault(article.article_id, {})
                found[base + start, base + end] = share(weights, word_stems(text))
    return tuple(
        ShownArticle(
            number=numbers[name],
            article=named[name],
            sentences=tuple(
                ShownSentence(start=start, end=end, relevance=value) for (start, end), value in sorted(found.items())
            ),
        )
        for name, found in spans.items()
    )
