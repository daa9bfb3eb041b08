"""Filters as Elasticsearch queries. What the index has no field for is left to a check of each document."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from indexing.filters import ORDERINGS, Comparison, Condition, Group, as_time
from indexing.stores.elasticsearch.rows import KEYWORDS, TIMES

Query = dict[str, Any]

_REVISION = "revision"
_RANGES = {">": "gt", ">=": "gte", "<": "lt", "<=": "lte"}
_NOTHING: Query = {"match_none": {}}


class NoFieldError(Exception):
    """The index cannot answer this condition."""


def translate(condition: Condition) -> tuple[list[Query], bool]:
    """
    Translate as much of a condition as the index has fields for.

    :returns: Queries that all must hold, and whether each document must be checked against the whole condition too.
    """
    parts = condition.conditions if isinstance(condition, Group) and condition.operator == "AND" else (condition,)
    queries: list[Query] = []
    checked = False
    for part in parts:
        try:
            queries.append(_query(part))
        except NoFieldError:
            checked = True
    return queries, checked


def committed(generation: int) -> list[Query]:
    """Match the rows that a committed generation holds."""
    return [at_most("generation", generation), without(at_most("deleted_in", generation))]


def current(generation: int) -> Query:
    """Match the rows of current revisions, as of a generation."""
    return _by_end(generation, lambda end: without(exists(end)))


def known_by(moment: datetime, generation: int) -> list[Query]:
    """
    Match what was published and first seen by then, in the revision current then.

    What was seen was published, so an article without a date counts from when it was first seen.
    """
    until = moment.isoformat()
    return [
        any_of([{"range": {"published_at": {"lte": until}}}, without(exists("published_at"))]),
        {"range": {"first_seen_at": {"lte": until}}},
        _by_end(generation, lambda end: any_of([without(exists(end)), {"range": {end: {"gt": until}}}])),
    ]


def _by_end(generation: int, query: Callable[[str], Query]) -> Query:
    """
    Match rows by when they were superseded, as of a generation.

    :param query: Makes the query of a field with that time. A mark of a later generation keeps the time before it.
    """
    is_marked_later: Query = {"range": {"superseded_in": {"gt": generation}}}
    return any_of(
        [
            all_of([is_marked_later, query("superseded_was")]),
            all_of([without(is_marked_later), query("superseded_at")]),
        ]
    )


def exists(field: str) -> Query:
    """Match rows that have the field."""
    return {"exists": {"field": field}}


def at_most(field: str, value: int) -> Query:
    """Match rows whose field is there and not above the value."""
    return {"range": {field: {"lte": value}}}


def all_of(queries: list[Query]) -> Query:
    """Match what all queries match, without a score."""
    return {"bool": {"filter": queries}} if queries else {"match_all": {}}


def any_of(queries: list[Query]) -> Query:
    """Match what any query matches."""
    return {"bool": {"should": queries, "minimum_should_match": 1}} if queries else _NOTHING


def without(query: Query) -> Query:
    """Match what the query does not."""
    return {"bool": {"must_not": [query]}}


def _query(condition: Condition) -> Query:
    if isinstance(condition, Group):
        return _group(condition)
    if condition.field in KEYWORDS:
        if condition.operator in ORDERINGS:
            raise NoFieldError
        return _equality(condition, _text)
    if condition.field in TIMES:
        return _ordered(condition, _time)
    if condition.field == _REVISION:
        return _ordered(condition, _number)
    raise NoFieldError


def _group(group: Group) -> Query:
    queries = [_query(condition) for condition in group.conditions]
    if group.operator == "OR":
        return any_of(queries)
    return all_of(queries) if group.operator == "AND" else without(all_of(queries))


def _ordered(condition: Comparison, convert: Callable[[object], Any]) -> Query:
    if condition.operator not in ORDERINGS:
        return _equality(condition, convert)
    if condition.value is None:
        return _NOTHING
    return {"range": {condition.field: {_RANGES[condition.operator]: convert(condition.value)}}}


def _equality(condition: Comparison, convert: Callable[[object], Any]) -> Query:
    values = condition.value if condition.operator in {"in", "not in"} else [condition.value]
    found = any_of(
        [
            without(exists(condition.field)) if value is None else {"term": {condition.field: convert(value)}}
            for value in values
        ]
    )
    return without(found) if condition.operator in {"!=", "not in"} else found


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise NoFieldError
    return value


def _time(value: object) -> str:
    time = as_time(value)
    if time is None:
        raise NoFieldError
    return time.isoformat()


def _number(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise NoFieldError
    return value
