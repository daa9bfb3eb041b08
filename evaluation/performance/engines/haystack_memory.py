"""Haystack's InMemoryDocumentStore, searched by its BM25."""

from dataclasses import replace
from datetime import datetime
from pathlib import Path

from haystack.document_stores.in_memory import InMemoryDocumentStore

from evaluation.performance.engines.base import Batch


class HaystackMemory:
    """Headline and text as one content, since its BM25 reads one field."""

    on_disk = False

    def __init__(self, folder: Path) -> None:
        pass

    def create(self) -> None:
        self._store = InMemoryDocumentStore(bm25_parameters={"k1": 1.2, "b": 0.75}, bm25_algorithm="BM25Plus")

    def add(self, batch: Batch) -> None:
        documents = [
            replace(document, content=f"{article.headline}\n{document.content}")
            for article, passages in batch
            for document in passages
        ]
        self._store.write_documents(documents)

    def finish(self) -> None:
        pass

    def open(self) -> None:
        pass

    def search(self, text: str, *, top_k: int, published_from: datetime | None = None) -> list[str]:
        filters = None
        if published_from is not None:
            filters = {"field": "meta.published_at", "operator": ">=", "value": published_from.isoformat()}
        return [document.id for document in self._store.bm25_retrieval(text, filters=filters, top_k=top_k)]

    def close(self) -> None:
        pass

    def destroy(self) -> None:
        pass
