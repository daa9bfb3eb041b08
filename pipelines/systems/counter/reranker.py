"""Puts the passages that BM25 found for a claim in the order of the shipped reranker."""

from collections.abc import Mapping, Sequence

from haystack import Document

from core.paths import MODELS
from core.types import Article
from models.hashes import file_hash
from models.reranker import WEIGHTS, Reranker
from pipelines.contracts.evidence import Evidence
from pipelines.retrieval.query_vector import shared_embedder

SHIPPED_RERANKER = MODELS / "check-covid-reranker"


def open_reranker(*, threads: int = 0) -> Reranker:
    """Return the shipped reranker on the shipped embedder, which it was trained for; both load on first use."""
    return Reranker(SHIPPED_RERANKER, shared_embedder(None, threads=threads).embed)


def reranker_identity(*, threads: int = 0) -> str:
    """Name the shipped reranker and its embedder by their content."""
    weights = file_hash(SHIPPED_RERANKER / WEIGHTS)
    return f"{SHIPPED_RERANKER.name}@{weights[:12]} on {shared_embedder(None, threads=threads).identity}"


def rerank(
    claim: str, documents: Sequence[Document], articles: Mapping[str, Article], reranker: Reranker
) -> list[Evidence]:
    """
    Return the passages as evidence, best first.

    :param documents: As the retriever ranked them; those without text or article are left out.
    :param articles: Passage id to article.
    :returns: Relevance is the reranker's score of the candidates, from 0 to 1; it compares them with each other only.
    """
    kept = [document for document in documents if document.content and document.id in articles]
    texts = [f"{articles[one.id].headline}. {one.content}" for one in kept]
    scores = reranker.scores(claim, texts, [max(0.0, one.score or 0.0) for one in kept])
    highest = 1.0 + reranker.bm25_share if kept else 1.0
    found = [
        _evidence(document, articles[document.id], min(1.0, max(0.0, float(score) / highest)))
        for document, score in zip(kept, scores, strict=True)
    ]
    return sorted(found, key=lambda item: (-item.relevance, item.article.article_id, item.start))


def _evidence(document: Document, article: Article, relevance: float) -> Evidence:
    start, end = int(document.meta["start"]), int(document.meta["end"])
    return Evidence(
        article=article, start=start, end=end, text=article.body[start:end], relevance=relevance, score=relevance
    )
