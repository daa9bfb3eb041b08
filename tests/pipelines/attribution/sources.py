"""Sources that answers cite in tests, and the check of a sentence against them."""

from datetime import UTC, datetime

from core.sentences import sentence_spans
from core.types import Article
from pipelines.attribution.citations import CitedSentence
from pipelines.attribution.support import check_sentence
from pipelines.contracts.evidence import ShownArticle, ShownSentence

FERRIES = "The Velmont harbour authority ordered four electric ferries on 2 May, its director Ida Marlow said."
PRICE = "The contract is worth 1,200 crowns. It was not put out to tender."


def article(number: int, body: str) -> ShownArticle:
    made = Article(
        article_id=f"a{number}",
        url=f"https://x.example/{number}",
        headline="Harbour news",
        body=body,
        published_at=datetime(2024, 5, 3, tzinfo=UTC),
        first_seen_at=datetime(2024, 5, 3, tzinfo=UTC),
        source="Post",
        content_hash="0" * 64,
    )
    sentences = tuple(ShownSentence(start=start, end=end, relevance=0.5) for start, end in sentence_spans(body))
    return ShownArticle(number=number, article=made, sentences=sentences)


SHOWN = (article(1, FERRIES), article(2, PRICE))


def check(text: str, *numbers: int, support: float = 0.0, shown: tuple[ShownArticle, ...] = SHOWN):
    return check_sentence(CitedSentence(text=text, numbers=numbers), shown, judge=lambda pairs: [support] * len(pairs))
