"""Searches on the last committed state."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from elasticsearch import Elasticsearch
from haystack import Document
from haystack.utils.filters import document_matches_filter

from core.types import Article
from indexing.filters import parse_filters
from indexing.stores.elasticsearch import filter_query
from indexing.stores.elasticsearch.filter_query import Query
from indexing.stores.elasticsearch.manifest import Manifest
from indexing.stores.elasticsearch.rows import to_article, to_document

MOST_HITS = 10_000
"""What Elasticsearch returns for one search at most."""
_PAGE = 1000
_FEWEST_CANDIDATES = 100
_OVERSAMPLE = 2.0
_SHOWN = ["id", "content", "meta"]


class Reader:
    """
    Searches one commit.

    :param index: Index or alias.
    :param manifest: Of the commit.
    """

    def __init__(self, client: Elasticsearch, index: str, manifest: Manifest) -> None:
        self._client = client
        self._index = index
        self._generation = manifest.generation

    def keyword_search(
        self, query: str, *, top_k: int, filters: dict[str, Any] | None, as_of: datetime | None
    ) -> list[Document]:
        """See `EvidenceStore.keyword_search`."""
        restriction, checked = self.restriction(filters, as_of)
        words = query.encode("utf-8", "replace").decode()
        body = {
            "query": {"bool": {"must": [{"match": {"text": {"query": words}}}], "filter": restriction}},
            "sort": [{"_score": "desc"}, {"id": "asc"}],
        }

        def search(size: int) -> list[Document]:
            return self._documents(body | {"size": size})

        return _enough(search, top_k, filters if checked else None)

    def vector_search(
        self, vector: Sequence[float], *, top_k: int, filters: dict[str, Any] | None, as_of: datetime | None
    ) -> list[Document]:
        """See `EvidenceStore.vector_search`."""
        restriction, checked = self.restriction(filters, as_of)

        def search(size: int) -> list[Document]:
            nearest = {
                "field": "embedding",
                "query_vector": list(vector),
                "k": size,
                "num_candidates": min(max(_FEWEST_CANDIDATES, 2 * size), MOST_HITS),
                "filter": restriction,
                "rescore_vector": {"oversample": _OVERSAMPLE},
            }
            found = self._documents({"knn": nearest, "size": size})
            return sorted(found, key=lambda document: (-(document.score or 0.0), document.id))

        return _enough(search, top_k, filters if checked else None)

    def filter_documents(self, filters: dict[str, Any] | None) -> list[Document]:
        """Return all current documents that pass, in order of id, with their vectors."""
        restriction, checked = self.restriction(filters, None)
        sources = self.scan(restriction, fields=[*_SHOWN, "embedding"])
        documents = [to_document(source, with_vector=True) for source in sources]
        return [d for d in documents if document_matches_filter(filters, d)] if checked and filters else documents

    def restriction(self, filters: dict[str, Any] | None, as_of: datetime | None) -> tuple[list[Query], bool]:
        """
        Return the queries that a row must match, and whether documents must be checked against the filter too.

        :raises BadFilterError: If the filter means nothing.
        """
        condition = parse_filters(filters)
        queries, checked = filter_query.translate(condition) if condition else ([], False)
        if as_of is None:
            queries.append(filter_query.current(self._generation))
        else:
            queries.extend(filter_query.known_by(as_of, self._generation))
        return [*filter_query.committed(self._generation), *queries], checked

    def articles(self, article_ids: Sequence[str], *, only_current: bool) -> list[Article]:
        """Return revisions of articles, oldest first."""
        wanted: list[Query] = [{"terms": {"article_id": list(article_ids)}}, {"term": {"first": True}}]
        if only_current:
            wanted.append(filter_query.current(self._generation))
        sources = self.scan([*filter_query.committed(self._generation), *wanted], fields=["id", "record"])
        articles = filter(None, (to_article(source) for source in sources))
        return sorted(articles, key=lambda article: (article.first_seen_at, article.revision))

    def count(self, queries: list[Query]) -> int:
        """Count the committed rows that match."""
        query = filter_query.all_of([*filter_query.committed(self._generation), *queries])
        return int(self._client.count(index=self._index, query=query)["count"])

    def aggregate(self, queries: list[Query], aggregations: dict[str, Any]) -> dict[str, Any]:
        """Aggregate over the committed rows that match."""
        query = filter_query.all_of([*filter_query.committed(self._generation), *queries])
        reply = self._client.search(index=self._index, size=0, query=query, aggregations=aggregations)
        found: dict[str, Any] = reply["aggregations"]
        return found

    def all_articles(self) -> Iterator[Article]:
        """Yield all revisions of all articles, in the order of `EvidenceStore.iter_articles`."""
        queries = [*filter_query.committed(self._generation), {"term": {"first": True}}]
        by_age = ("first_seen_at", "article_id", "revision")
        for source in self.scan(queries, fields=["id", "record"], first_by=by_age):
            article = to_article(source)
            if article is not None:
                yield article

    def scan(
        self, queries: list[Query], *, fields: list[str], first_by: Sequence[str] = ()
    ) -> Iterator[Mapping[str, Any]]:
        """
        Yield the sources of all rows that match, and their `_id`, in order of id.

        :param first_by: Fields to order by before the id.
        """
        order = [{field: "asc"} for field in (*first_by, "id")]
        after: list[Any] | None = None
        while True:
            hits = self._client.search(
                index=self._index,
                size=_PAGE,
                query=filter_query.all_of(queries),
                sort=order,
                source_includes=fields,
                search_after=after,
                track_total_hits=False,
            )["hits"]["hits"]
            yield from ({**hit["_source"], "_id": hit["_id"]} for hit in hits)
            if len(hits) < _PAGE:
                return
            after = hits[-1]["sort"]

    def _documents(self, body: dict[str, Any]) -> list[Document]:
        reply = self._client.search(index=self._index, source_includes=_SHOWN, track_total_hits=False, **body)
        return [to_document(hit["_source"], score=hit["_score"]) for hit in reply["hits"]["hits"]]


def _enough(search: Callable[[int], list[Document]], top_k: int, filters: dict[str, Any] | None) -> list[Document]:
    """Search for more and more until `top_k` documents pass a filter that the index cannot answer."""
    size = top_k
    while True:
        found = search(size)
        if filters is None:
            return found[:top_k]
        passed = [document for document in found if document_matches_filter(filters, document)]
        if len(passed) >= top_k or len(found) < size or size >= MOST_HITS:
            return passed[:top_k]
        size = min(size * 4, MOST_HITS)
