"""What an index holds, counted by the server."""

from datetime import UTC, datetime, timedelta
from typing import Any

from indexing.stores.contract import SourceCounts, StoreCounts
from indexing.stores.elasticsearch import filter_query
from indexing.stores.elasticsearch.manifest import Manifest
from indexing.stores.elasticsearch.reader import Reader

MOST_SOURCES = 10_000
MOST_MONTHS = 2_000
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_AGGREGATIONS = {
    "sources": {
        "terms": {"field": "source", "size": MOST_SOURCES},
        "aggs": {"months": {"terms": {"field": "month", "size": MOST_MONTHS}}},
    },
    "first": {"min": {"field": "published_at"}},
    "last": {"max": {"field": "published_at"}},
}


def count_all(reader: Reader, manifest: Manifest, *, bytes_on_disk: int | None) -> StoreCounts:
    """Count articles, passages and earlier revisions, by source and month."""
    current = filter_query.current(manifest.generation)
    first: filter_query.Query = {"term": {"first": True}}
    found = reader.aggregate([first, current], _AGGREGATIONS)
    articles = reader.count([first, current])
    return StoreCounts(
        articles=articles,
        passages=reader.count([current]),
        revisions=reader.count([first]) - articles,
        sources=tuple(sorted(map(_source, found["sources"]["buckets"]), key=lambda source: source.source)),
        first_published_at=_moment(found["first"]["value"]),
        last_published_at=_moment(found["last"]["value"]),
        bytes_on_disk=bytes_on_disk,
        embedder=manifest.embedder,
    )


def _source(bucket: dict[str, Any]) -> SourceCounts:
    months = {month["key"]: month["doc_count"] for month in bucket["months"]["buckets"]}
    return SourceCounts(source=bucket["key"], articles=bucket["doc_count"], by_month=dict(sorted(months.items())))


def _moment(milliseconds: float | None) -> datetime | None:
    return None if milliseconds is None else _EPOCH + timedelta(milliseconds=int(milliseconds))
