"""What an index holds, counted from the index itself."""

from datetime import UTC, datetime, timedelta
from typing import Any

from tantivy import Occur, Query

from indexing.stores.contract import SourceCounts, StoreCounts
from indexing.stores.embedded import filter_query
from indexing.stores.embedded.rows import SUPERSEDED
from indexing.stores.embedded.view import View

MOST_SOURCES = 60_000
MOST_MONTHS = 5_000

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def count_all(view: View, *, bytes_on_disk: int) -> StoreCounts:
    """Count articles, passages and earlier revisions, by source and month."""
    first_passages = filter_query.first_passages()
    current = Query.boolean_query([(Occur.Must, first_passages), (Occur.Must, filter_query.current())])
    earlier = Query.boolean_query([(Occur.Must, first_passages), (Occur.Must, Query.exists_query(SUPERSEDED))])
    found = view.searcher.aggregate(
        current,
        {
            "sources": {
                "terms": {"field": "source", "size": MOST_SOURCES},
                "aggs": {"months": {"terms": {"field": "month", "size": MOST_MONTHS}}},
            },
            "first": {"min": {"field": "published"}},
            "last": {"max": {"field": "published"}},
        },
    )
    return StoreCounts(
        articles=view.count(current),
        passages=count_passages(view),
        revisions=view.count(earlier),
        sources=tuple(sorted(map(_source, found["sources"]["buckets"]), key=lambda source: source.source)),
        first_published_at=_moment(found["first"]["value"]),
        last_published_at=_moment(found["last"]["value"]),
        bytes_on_disk=bytes_on_disk,
        embedder=view.manifest.embedder,
    )


def count_passages(view: View) -> int:
    """Count the passages of current revisions."""
    return view.count(filter_query.conjunction([filter_query.passages(), filter_query.current()]))


def _source(bucket: dict[str, Any]) -> SourceCounts:
    months = {month["key"]: month["doc_count"] for month in bucket["months"]["buckets"]}
    return SourceCounts(source=bucket["key"], articles=bucket["doc_count"], by_month=dict(sorted(months.items())))


def _moment(microseconds: float | None) -> datetime | None:
    return None if microseconds is None else _EPOCH + timedelta(microseconds=int(microseconds))
