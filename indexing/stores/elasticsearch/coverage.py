"""What an index holds, counted by the server."""

from collections import defaultdict
from datetime import UTC, datetime, timedelta
from typing import Any

from indexing.stores.contract import SourceCounts, StoreCounts
from indexing.stores.elasticsearch import filter_query
from indexing.stores.elasticsearch.manifest import Manifest
from indexing.stores.elasticsearch.reader import Reader

MOST_SOURCES = 10_000
PAIRS_PER_PAGE = 10_000
"""Of source and month; the server gives up beyond 65,536 buckets in one reply (`search.max_buckets`)."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_OF_ARTICLES = {
    "sources": {"terms": {"field": "source", "size": MOST_SOURCES}},
    "first": {"min": {"field": "published_at"}},
    "last": {"max": {"field": "published_at"}},
}
_SEEN = {"min": {"field": "first_seen_at"}}


def count_all(reader: Reader, manifest: Manifest, *, by_month: bool, bytes_on_disk: int | None) -> StoreCounts:
    """Count articles, passages and earlier revisions, by source and, if asked for, month."""
    current = filter_query.current(manifest.generation)
    first: filter_query.Query = {"term": {"first": True}}
    revisions = reader.aggregate([first], {"seen": _SEEN, "articles": {"filter": current, "aggs": _OF_ARTICLES}})
    found = revisions["articles"]
    articles = found["doc_count"]
    sources = {bucket["key"]: bucket["doc_count"] for bucket in found["sources"]["buckets"]}
    months = _count_months(reader, [first, current]) if by_month else {}
    return StoreCounts(
        articles=articles,
        passages=reader.count([current]),
        revisions=reader.count([first]) - articles,
        sources=tuple(
            SourceCounts(source=source, articles=count, by_month=dict(sorted(months.get(source, {}).items())))
            for source, count in sorted(sources.items())
        ),
        first_published_at=_moment(found["first"]["value"]),
        last_published_at=_moment(found["last"]["value"]),
        sections=_sections(reader, [first, current]) if by_month else None,
        first_seen_at=_moment(revisions["seen"]["value"]),
        bytes_on_disk=bytes_on_disk,
        embedder=manifest.embedder,
    )


def _sections(reader: Reader, queries: list[filter_query.Query]) -> tuple[str, ...] | None:
    """List the sections, in order; None: there are more than the server lists."""
    terms = {"sections": {"terms": {"field": "section", "size": MOST_SOURCES}}}
    found = [bucket["key"] for bucket in reader.aggregate(queries, terms)["sections"]["buckets"]]
    return tuple(sorted(found)) if len(found) < MOST_SOURCES else None


def _count_months(reader: Reader, queries: list[filter_query.Query]) -> dict[str, dict[str, int]]:
    """Count the articles of each source by month, page by page."""
    pairs: dict[str, Any] = {
        "size": PAIRS_PER_PAGE,
        "sources": [{field: {"terms": {"field": field}}} for field in ("source", "month")],
    }
    counted: dict[str, dict[str, int]] = defaultdict(dict)
    while True:
        found = reader.aggregate(queries, {"pairs": {"composite": pairs}})["pairs"]
        for bucket in found["buckets"]:
            counted[bucket["key"]["source"]][bucket["key"]["month"]] = bucket["doc_count"]
        if "after_key" not in found:  # nor buckets
            return counted
        pairs = pairs | {"after": found["after_key"]}


def _moment(milliseconds: float | None) -> datetime | None:
    return None if milliseconds is None else _EPOCH + timedelta(milliseconds=int(milliseconds))
