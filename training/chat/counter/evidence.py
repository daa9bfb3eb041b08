"""Given quotes as the evidence that the system `counter` works on: judged by the same models, found by no search."""

from collections.abc import Sequence
from datetime import UTC, datetime

from core.types import Article, Relation
from core.urls import article_id, content_hash
from evaluation.data.formats.refuted_claims import GivenQuote, RefutedClaim
from pipelines.contracts.evidence import Evidence, premise
from pipelines.injection.sanitise import is_tainted
from pipelines.reading.slot_questions import find_conflicts
from pipelines.resources import Resources
from pipelines.systems.counter.quotes import MAX_QUOTES

_UNDATED = datetime(1970, 1, 1, tzinfo=UTC)


def evidence_of(given: RefutedClaim, resources: Resources) -> tuple[Evidence, ...]:
    """
    Make evidence of a claim's quotes.

    :returns: Those that refute first, `MAX_QUOTES` at most; without those that talk to a machine, so perhaps none.
    """
    articles = _articles(given.evidence)
    ordered = sorted(given.evidence, key=lambda one: one.relation is not Relation.REFUTES)
    items = [_evidence(one, articles[one.url]) for one in {one.quote: one for one in ordered}.values()]
    items = [one for one in items if not is_tainted(one.article.body, one.start, one.end)][:MAX_QUOTES]
    if not any(one.relation is Relation.REFUTES for one in items):
        return ()
    return _judged(given.claim, items, resources)


def _articles(quotes: Sequence[GivenQuote]) -> dict[str, Article]:
    """Return one article a URL: the texts given for it, one paragraph each."""
    texts: dict[str, dict[str, None]] = {}
    for one in quotes:
        texts.setdefault(one.url, {}).setdefault(one.text)
    return {one.url: _article(one, "\n\n".join(texts[one.url])) for one in reversed(quotes)}


def _article(given: GivenQuote, body: str) -> Article:
    return Article(
        article_id=article_id(given.url),
        url=given.url,
        headline=given.headline,
        body=body,
        published_at=given.published_at,
        first_seen_at=given.published_at or _UNDATED,
        source=given.source,
        content_hash=content_hash(given.headline, body),
    )


def _evidence(given: GivenQuote, article: Article) -> Evidence:
    start = article.body.index(given.quote)
    return Evidence(
        article=article,
        start=start,
        end=start + len(given.quote),
        text=given.quote,
        context=given.quote,
        context_start=start,
        relevance=1.0,
        relation=given.relation,
        score=1.0,
    )


def _judged(claim: str, items: Sequence[Evidence], resources: Resources) -> tuple[Evidence, ...]:
    model = resources.evidence_model()
    found = find_conflicts(model, claim, items, max_slots=3, max_texts=len(items))[: len(items)]
    readings = model.read([(claim, item.text) for item in found])
    judgements = resources.verifier().judge([(claim, premise(item)) for item in found])
    return tuple(
        item.model_copy(update={"relevance": reading.relevance, "supports": judged.supports, "refutes": judged.refutes})
        for item, reading, judged in zip(found, readings, judgements, strict=True)
    )
