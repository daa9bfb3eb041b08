"""References of a result, made of checked evidence."""

from collections.abc import Sequence

from core.types import Quote, Reference, Relation
from core.urls import text_fragment
from pipelines.contracts.evidence import Evidence, number_articles


def make_references(evidence: Sequence[Evidence]) -> tuple[Reference, ...]:
    """
    Group quotes by article.

    :param evidence: Best first; the order of first appearance numbers the articles.
    :returns: One reference per article, by number; its quotes in the order of `evidence`.
    """
    numbers = number_articles(list(evidence))
    return tuple(
        _reference(number, [item for item in evidence if item.article.article_id == article_id])
        for article_id, number in numbers.items()
    )


def _reference(number: int, items: list[Evidence]) -> Reference:
    article = items[0].article
    return Reference(
        number=number,
        article_id=article.article_id,
        revision=article.revision,
        url=article.url,
        headline=article.headline,
        published_at=article.published_at,
        source=article.source,
        section=article.section,
        origin_id=article.origin_id or article.article_id,
        quotes=tuple(
            Quote(
                text=item.text,
                start=item.start,
                end=item.end,
                relation=item.relation,
                score=item.score,
                content_hash=article.content_hash,
                link=text_fragment(article.url, item.text),
            )
            for item in items
        ),
    )


def count_relation(references: Sequence[Reference], relation: Relation) -> tuple[int, int]:
    """Return how many articles, and how many independent origins, hold a quote with this relation."""
    holding = [ref for ref in references if any(quote.relation is relation for quote in ref.quotes)]
    return len(holding), len({reference.origin_id for reference in holding})
