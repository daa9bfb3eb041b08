"""Passages as Haystack documents: what a store takes in and gives back."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from haystack import Document

from core.types import Article, Passage
from indexing.embedders import Embedder
from indexing.passages import passage_id, split_passages


def to_document(article: Article, passage: Passage) -> Document:
    """
    Make the document of a passage: its text as content, its article as meta.

    Times are ISO 8601 strings in UTC. `origin_id` falls back to the article's own id.
    """
    return _document(passage, article_meta(article))


def article_documents(article: Article) -> list[Document]:
    """Make the documents of all passages of an article, in order."""
    meta = article_meta(article)
    return [_document(passage, meta) for passage in split_passages(article)]


def renumber(article: Article, passages: Sequence[Document], revision: int) -> tuple[Article, list[Document]]:
    """Give an article and its documents another revision number."""
    documents = [
        replace(
            document,
            id=passage_id(article.article_id, revision, int(document.meta["position"])),
            meta=document.meta | {"revision": revision},
        )
        for document in passages
    ]
    return article.model_copy(update={"revision": revision}), documents


def fit_revision(
    article: Article, passages: Sequence[Document], *, known: Sequence[Article]
) -> tuple[Article, Sequence[Document]] | None:
    """
    Give an article whose text is not the current one its place among its revisions.

    A number above all others is its publisher's next revision, even if it is dated before the current one: a page that
    is extracted again bears the time of its archive record, which may lack the fraction of the second. It then counts
    as first seen with the current one. Any other number is replaced by the next one, and time alone decides the place.

    :param known: Its revisions that are there, oldest first; at least one.
    :returns: The article and its documents as they are to be added; None: it is one of the revisions.
    """
    current = known[-1]
    highest = max(revision.revision for revision in known)
    if article.revision > highest:
        is_early = article.first_seen_at < current.first_seen_at
        return _redate(article, passages, first_seen_at=current.first_seen_at) if is_early else (article, passages)
    hashes = {revision.content_hash for revision in known}
    if article.content_hash in hashes and article.first_seen_at <= current.first_seen_at:
        return None
    return renumber(article, passages, highest + 1)


def _redate(
    article: Article, passages: Sequence[Document], *, first_seen_at: datetime
) -> tuple[Article, list[Document]]:
    """Give an article and its documents another time of first sight."""
    time = {"first_seen_at": iso_time(first_seen_at)}
    documents = [replace(document, meta=document.meta | time) for document in passages]
    return article.model_copy(update={"first_seen_at": first_seen_at}), documents


def iso_time(time: datetime | None) -> str | None:
    """Write a time as it stands in a document's meta."""
    return time.isoformat() if time else None


def article_meta(article: Article) -> dict[str, Any]:
    """Return what the documents of all passages of an article have in common."""
    return {
        "article_id": article.article_id,
        "revision": article.revision,
        "headline": article.headline,
        "url": article.url,
        "source": article.source,
        "section": article.section,
        "language": article.language,
        "published_at": iso_time(article.published_at),
        "first_seen_at": iso_time(article.first_seen_at),
        "origin_id": article.origin_id or article.article_id,
        "content_hash": article.content_hash,
    }


def _document(passage: Passage, meta: dict[str, Any]) -> Document:
    place = {"position": passage.position, "start": passage.start, "end": passage.end}
    return Document(id=passage.passage_id, content=passage.text, meta=meta | place)


def embed_documents(embedder: Embedder, documents: Sequence[Sequence[Document]]) -> list[list[Document]]:
    """
    Add a vector of headline and text to every document.

    :param documents: Of several articles, one sequence each.
    :returns: The same, in the same order.
    """
    flat = [document for passages in documents for document in passages]
    vectors = iter(embedder.embed([embedding_text(document) for document in flat])) if flat else iter(())
    return [[replace(document, embedding=next(vectors).tolist()) for document in passages] for passages in documents]


def embedding_text(document: Document) -> str:
    """Return what a passage's vector is made of."""
    return f"{document.meta.get('headline') or ''}\n{document.content or ''}".strip()
