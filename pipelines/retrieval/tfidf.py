"""Rank passages by TF-IDF with scikit-learn: a yardstick for the other retrievers (extra [evaluation])."""

import threading
from dataclasses import replace
from datetime import datetime
from itertools import islice
from typing import Any

import numpy as np
from haystack import Document, component
from haystack.utils.filters import document_matches_filter

from core.errors import ConfigError, InputError
from indexing.stores.contract import EvidenceStore
from pipelines.retrieval.base import StoreRetriever

MAX_PASSAGES = 300_000
"""All passages are held in memory."""


class _Table:
    """
    The TF-IDF vectors of all passages of one snapshot.

    :param documents: In order of id.
    """

    def __init__(self, documents: list[Document]) -> None:
        try:
            from sklearn.feature_extraction.text import TfidfVectorizer
        except ImportError as error:
            raise ConfigError(
                "retriever tfidf needs scikit-learn, which is not installed",
                field="retriever",
                hint="Run pip install 'looksy[evaluation]', or use bm25.",
            ) from error
        self.documents = documents
        texts = [f"{document.meta.get('headline') or ''}\n{document.content or ''}" for document in documents]
        self._vectorizer = TfidfVectorizer()
        try:
            self._matrix = self._vectorizer.fit_transform(texts)  # (passages, words), rows of unit length
        except ValueError:  # no text holds a word
            self._matrix = None

    def ranked(self, query: str) -> list[tuple[float, Document]]:
        """Return the passages that share a word with the query, best first, ties by id."""
        if self._matrix is None:
            return []
        scores = (self._matrix @ self._vectorizer.transform([query]).T).toarray().ravel()  # (passages,)
        order = np.argsort(-scores, kind="stable")
        return [(float(scores[row]), self.documents[row]) for row in order if scores[row] > 0]


@component
class TfidfRetriever(StoreRetriever):
    """
    Rank the current passages of the store by the cosine of TF-IDF vectors of headline and text.

    With `as_of`, an article that was changed after that day is left out: only current revisions are ranked.

    >>> TfidfRetriever(store, top_k=3).run("repairs of the Osterholm bridge")["documents"][0].meta["headline"]
    'Osterholm bridge reopens'

    Parameters: see `StoreRetriever`. A run raises `InputError` if the store holds more than `MAX_PASSAGES` passages.
    """

    def __init__(
        self,
        document_store: EvidenceStore | None = None,
        *,
        top_k: int = 20,
        filters: dict[str, Any] | None = None,
    ) -> None:
        StoreRetriever.__init__(self, document_store, top_k=top_k, filters=filters)  # @component made another class
        self._lock = threading.Lock()
        self._tables: dict[str, _Table] = {}

    def _search(
        self, store: EvidenceStore, query: str, *, top_k: int, filters: dict[str, Any] | None, as_of: datetime | None
    ) -> list[Document]:
        passing = (
            replace(document, score=score)
            for score, document in self._table(store).ranked(query)
            if _known_by(document, as_of) and (not filters or document_matches_filter(filters, document))
        )
        return list(islice(passing, top_k))

    def _table(self, store: EvidenceStore) -> _Table:
        """Return the table of the store's present content, made once."""
        with self._lock:
            snapshot = store.snapshot_id()
            if snapshot not in self._tables:
                count = store.count_documents()
                if count > MAX_PASSAGES:
                    raise InputError(
                        f"retriever is 'tfidf', and the index has {count} passages; it ranks {MAX_PASSAGES} at most",
                        field="retriever",
                        hint="Use bm25, embedding or hybrid.",
                    )
                self._tables = {snapshot: _Table([replace(d, embedding=None) for d in store.filter_documents()])}
            return self._tables[snapshot]


def _known_by(document: Document, as_of: datetime | None) -> bool:
    if as_of is None:
        return True
    times = (document.meta.get("published_at"), document.meta.get("first_seen_at"))
    return times[1] is not None and all(datetime.fromisoformat(time) <= as_of for time in times if time is not None)
