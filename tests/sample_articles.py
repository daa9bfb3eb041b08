"""Small articles for store tests."""

from datetime import UTC, datetime, timedelta
from typing import Any

from core.types import Article
from core.urls import article_id, content_hash

DAY = timedelta(days=1)
START = datetime(2020, 1, 1, tzinfo=UTC)


def make_article(name: str, *, headline: str = "Nothing new", body: str | None = None, **fields: Any) -> Article:
    """Make an article; `published_at` and `first_seen_at` default to `START`."""
    body = body if body is not None else f"The town council met about {name}. It decided nothing."
    url = f"https://news.example/{name}"
    values = {
        "article_id": article_id(url),
        "url": url,
        "headline": headline,
        "body": body,
        "published_at": START,
        "first_seen_at": START,
        "source": "example",
        "content_hash": content_hash(headline, body),
    }
    return Article.model_validate(values | fields)


def long_body(*, sentences: int = 60, word: str = "harbour") -> str:
    """Make a body of several passages."""
    return " ".join(
        f"Sentence number {number} tells of the {word} and of what the people there did." for number in range(sentences)
    )
