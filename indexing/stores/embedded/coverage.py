"""What an index holds, counted from the index itself."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from tantivy import Occur, Query

from indexing.stores.contract import SourceCounts, StoreCounts
from indexing.stores.embedded import filter_query
from indexing.stores.embedded.rows import SUPERSEDED, schema
from indexing.stores.embedded.view import View

MOST_SOURCES = 60_000
MOST_MONTHS = 5_000
MOST_BUCKETS = 60_000
"""Asked for in one aggregation of months; tantivy gives up beyond 65,000 in all."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def count_all(view: View, *, by_month: bool, bytes_on_disk: int) -> StoreCounts:
    """Count articles, passages and earlier revisions, by source and, if asked for, month."""
    first_passages = filter_query.first_passages()
    current = Query.boolean_query([(Occur.Must, first_passages), (Occur.Must, filter_query.current())])
    earlier = Query.boolean_query([(Occur.Must, first_passages), (Occur.Must, Query.exists_query(SUPERSEDED))])
    found = view.searcher.aggregate(
        current,
        {
            "sources": {"terms": {"field": "source", "size": MOST_SOURCES}},
            "first": {"min": {"field": "published"}},
            "last": {"max": {"field": "published"}},
        },
    )
    seen = view.searcher.aggregate(first_passages, {"first": {"min": {"field": "first_seen"}}})
    sources = {bucket["key"]: bucket["doc_count"] for bucket in found["sources"]["buckets"]}
    months = _count_months(view, current, sources) if by_month else {}
    return StoreCounts(
        articles=view.count(current),
        passages=count_passages(view),
        revisions=view.count(earlier),
        sources=tuple(
            SourceCounts(source=source, articles=articles, by_month=months.get(source, {}))
            for source, articles in sorted(sources.items())
        ),
        first_published_at=_moment(found["first"]["value"]),
        last_published_at=_moment(found["last"]["value"]),
        sections=_sections(view, current) if by_month else None,
        first_seen_at=_moment(seen["first"]["value"]),
        bytes_on_disk=bytes_on_disk,
        embedder=view.manifest.embedder,
    )


def count_passages(view: View) -> int:
    """Count the passages of current revisions."""
    return view.count(filter_query.conjunction([filter_query.passages(), filter_query.current()]))


def _sections(view: View, current: Query) -> tuple[str, ...] | None:
    """List the sections, in order; None: there are more than tantivy lists."""
    terms = {"sections": {"terms": {"field": "section", "size": MOST_SOURCES}}}
    found = [bucket["key"] for bucket in view.searcher.aggregate(current, terms)["sections"]["buckets"]]
    return tuple(sorted(found)) if len(found) < MOST_SOURCES else None


def _count_months(view: View, current: Query, sources: dict[str, int]) -> dict[str, dict[str, int]]:
    """Count the articles of each source by month, in order, for as many sources at a time as tantivy allows."""
    months: dict[str, Any] = {"months": {"terms": {"field": "month", "size": MOST_MONTHS}}}
    by_source: dict[str, Any] = {"sources": {"terms": {"field": "source", "size": MOST_SOURCES}, "aggs": months}}
    most = len(view.searcher.aggregate(current, months)["months"]["buckets"])
    counted: dict[str, dict[str, int]] = {}
    for group in _groups((source, 1 + min(articles, most)) for source, articles in sources.items()):
        of_group = Query.term_set_query(schema(), "source", group)
        found = view.searcher.aggregate(filter_query.conjunction([current, of_group]), by_source)
        for bucket in found["sources"]["buckets"]:
            by_month = {month["key"]: month["doc_count"] for month in bucket["months"]["buckets"]}
            counted[bucket["key"]] = dict(sorted(by_month.items()))
    return counted


def _groups(sources: Iterable[tuple[str, int]]) -> Iterator[list[str]]:
    """Group sources so that each group's buckets, given beside each source, stay within `MOST_BUCKETS`."""
    group: list[str] = []
    total = 0
    for source, buckets in sources:
        if group and total + buckets > MOST_BUCKETS:
            yield group
            group, total = [], 0
        group.append(source)
        total += buckets
    if group:
        yield group


def _moment(microseconds: float | None) -> datetime | None:
    return None if microseconds is None else _EPOCH + timedelta(microseconds=int(microseconds))
