"""Rows in memory that are changed and searched as on a server: enough of both interfaces for a transaction."""

from collections.abc import Mapping
from typing import Any

from indexing.stores.elasticsearch.bulk import Operation
from indexing.stores.elasticsearch.filter_query import Query

_BOUNDS = {
    "gt": lambda value, bound: value > bound,
    "gte": lambda value, bound: value >= bound,
    "lt": lambda value, bound: value < bound,
    "lte": lambda value, bound: value <= bound,
}


class RowsServer:
    """A client and a bulk loader in one; what is added is found at once, as after a refresh."""

    def __init__(self) -> None:
        self.rows: dict[str, dict[str, Any]] = {}

    def add(self, operation: Operation) -> None:
        body = dict(operation.body or {})
        if operation.action == "index":
            self.rows[operation.id] = body
        elif operation.action == "update":
            self.rows[operation.id] |= body["doc"]
        else:
            del self.rows[operation.id]

    def flush(self) -> None:
        pass

    def search(self, *, query: Query, sort: list[dict[str, str]], size: int, **_: Any) -> dict[str, Any]:
        keys = [name for part in sort for name in part]
        found = [{"_id": name, "_source": row} for name, row in self.rows.items() if matches(query, row)]
        found.sort(key=lambda hit: [hit["_source"][key] for key in keys])
        assert len(found) < size, "pages are not played"
        return {"hits": {"hits": found}}


def matches(query: Query, row: Mapping[str, Any]) -> bool:
    """Say whether a row matches a query of the kinds that restrict a search. A field that is null is not there."""
    ((kind, body),) = query.items()
    if kind == "bool":
        assert body.keys() <= {"filter", "must_not", "should", "minimum_should_match"}
        return (
            all(matches(part, row) for part in body.get("filter", []))
            and not any(matches(part, row) for part in body.get("must_not", []))
            and any(matches(part, row) for part in body.get("should", [{"match_all": {}}]))
        )
    if kind == "match_all":
        return True
    if kind == "exists":
        return row.get(body["field"]) is not None
    ((field, wanted),) = body.items()
    value = row.get(field)
    if kind == "range":
        return value is not None and all(_BOUNDS[name](value, bound) for name, bound in wanted.items())
    assert kind in {"term", "terms"}
    return value in (wanted if kind == "terms" else [wanted])
