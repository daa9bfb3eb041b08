"""What every search backend promises, and how a result of another engine becomes an article."""

from datetime import UTC, datetime
from typing import Any, Protocol

from haystack import Document
from pydantic import ConfigDict

from core.text import visible
from core.types import Article, Filters, Model, UtcTime
from core.urls import article_id, content_hash, has_login, hostname
from pipelines.rendering.escape import safe_url

MAX_TEXT_CHARS = 20_000


class Hit(Model):
    """One result of another search engine: a title and an excerpt, not the page."""

    title: str
    url: str
    text: str
    published_at: UtcTime | None = None
    source: str = ""
    """Name of the publisher; empty: the host is used."""


class Search(Model):
    """What is asked of a backend."""

    query: str
    limit: int
    """Articles wanted, 1 to 10."""
    filters: Filters = Filters()
    as_of: UtcTime | None = None
    """Nothing later, and nothing undated, may come back."""


class Found(Model):
    """What came back."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    documents: tuple[Document, ...]
    """Passages, best first."""
    articles: dict[str, Article]
    """Passage id to article."""
    left_out: int = 0
    """Results that were dropped: too late, undated, filtered out, blocked, graded too low, without text or address."""
    blocked: int = 0
    """Articles among them that the block list or the allow list dropped."""
    below: tuple[str, ...] = ()
    """Addresses of the articles among them whose source is graded too low."""


class Backend(Protocol):
    """A search engine. Constructors touch neither network nor disk."""

    name: str

    def search(self, search: Search) -> Found:
        """
        Search once.

        :raises UnavailableError: If the engine does not answer as it should.
        """
        ...


def found_of(hits: list[Hit], search: Search) -> Found:
    """Make documents of results, without those that must not be evidence. An excerpt is an article of one passage."""
    documents: list[Document] = []
    articles: dict[str, Article] = {}
    for hit in hits:
        article = _article(hit)
        if article is None or not _allowed(article, search) or len(documents) >= search.limit:
            continue
        document = document_of(article)
        if document.id not in articles:
            documents.append(document)
            articles[document.id] = article
    return Found(documents=tuple(documents), articles=articles, left_out=len(hits) - len(documents))


def _article(hit: Hit) -> Article | None:
    title, text, source = (" ".join(visible(one).split()) for one in (hit.title, hit.text, hit.source))
    text = text[:MAX_TEXT_CHARS]
    if not title or not text or safe_url(hit.url) is None:
        return None
    try:
        name, host = article_id(hit.url), hostname(hit.url)
    except ValueError:  # a port that is none
        return None
    if not host or has_login(hit.url):  # its name may be one that only looks like the host
        return None
    now = datetime.now(UTC)
    return Article(
        article_id=name,
        url=hit.url,
        headline=title,
        body=text,
        published_at=hit.published_at,
        first_seen_at=hit.published_at or now,
        source=source or host,
        content_hash=content_hash(title, text),
    )


def _allowed(article: Article, search: Search) -> bool:
    time, filters = article.published_at, search.filters
    if search.as_of is not None and (time is None or time > search.as_of):
        return False
    if filters.published_from is not None and (time is None or time < filters.published_from):
        return False
    if filters.published_to is not None and (time is None or time > filters.published_to):
        return False
    return not filters.sources or article.source in filters.sources


def document_of(article: Article) -> Document:
    """Make the one passage of an article that is an excerpt."""
    meta: dict[str, Any] = {
        "article_id": article.article_id,
        "revision": article.revision,
        "headline": article.headline,
        "url": article.url,
        "source": article.source,
        "origin_id": article.article_id,
        "start": 0,
        "end": len(article.body),
    }
    return Document(id=f"{article.article_id}-web", content=article.body, meta=meta)
