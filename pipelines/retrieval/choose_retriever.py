"""A retriever by name, outside a pipeline."""

from core.errors import InputError
from core.settings import RETRIEVERS_WITH_VECTORS, Settings
from indexing.stores.contract import EvidenceStore
from pipelines.retrieval.base import StoreRetriever
from pipelines.retrieval.bm25 import Bm25Retriever
from pipelines.retrieval.embedding import EmbeddingRetriever
from pipelines.retrieval.hybrid import HybridRetriever
from pipelines.retrieval.query_vector import shared_embedder
from pipelines.retrieval.tfidf import TfidfRetriever

RETRIEVERS = ("bm25", "tfidf", "embedding", "hybrid")


def make_retriever(name: str, store: EvidenceStore, settings: Settings) -> StoreRetriever:
    """
    Make a retriever.

    :param name: One of `RETRIEVERS`.
    :raises InputError: If it is none of them.
    """
    if name == "bm25":
        return Bm25Retriever(store, top_k=settings.top_k)
    if name == "tfidf":
        return TfidfRetriever(store, top_k=settings.top_k)
    if name == "embedding":
        return EmbeddingRetriever(
            store, embedder_model=settings.embedder_model, threads=settings.threads, top_k=settings.top_k
        )
    if name == "hybrid":
        return HybridRetriever(
            store, embedder_model=settings.embedder_model, threads=settings.threads, top_k=settings.top_k
        )
    raise InputError(f"retriever is {name!r}", field="retriever", hint=f"Use one of: {', '.join(RETRIEVERS)}.")


def retriever_identity(settings: Settings) -> str:
    """Name the embedder of the settings' retriever, for the run record; empty: it has none."""
    if settings.retriever not in RETRIEVERS_WITH_VECTORS:
        return ""
    return shared_embedder(settings.embedder_model, threads=settings.threads).identity
