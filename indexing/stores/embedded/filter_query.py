"""Filters as tantivy queries. What the index has no field for is left to a check of each document."""

from collections.abc import Callable
from datetime import datetime

import tantivy
from tantivy import FieldType, Occur, Query

from indexing.filters import ORDERINGS, Comparison, Condition, Group, as_time
from indexing.stores.embedded.rows import KEYWORDS, OPTIONAL, SUPERSEDED, TIMES, microseconds, schema

_REVISION = "revision"

_Convert = Callable[[object], int | None]
"""Makes the number in the index of a filter's value; None: it is of another kind."""


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


def current() -> Query:
    """Match the rows of current revisions."""
    return _without(Query.exists_query(SUPERSEDED))


def known_by(moment: datetime) -> Query:
    """
    Match what was published and first seen by then, in the revision current then.

    What was seen was published, so an article without a date counts from when it was first seen.
    """
    until = microseconds(moment)
    return _all(
        _any(_range("published", "<=", until), _without(Query.exists_query("published"))),
        _range("first_seen", "<=", until),
        _any(_range(SUPERSEDED, ">", until), current()),
    )


def passages() -> Query:
    """Match everything but the manifest."""
    return _without(Query.term_query(schema(), "kind", "manifest", "basic"))


def first_passages() -> Query:
    """Match the rows that carry an article: one for each revision."""
    return Query.exists_query("month")


def with_vector() -> Query:
    """Match the rows that have a vector."""
    return Query.exists_query("key")


def unscored(query: Query) -> Query:
    """Match the same without adding to the score."""
    return Query.const_score_query(query, 0.0)


def _query(condition: Condition) -> Query:
    if isinstance(condition, Group):
        return _group(condition)
    if condition.field in KEYWORDS:
        return _keyword(KEYWORDS[condition.field], condition)
    if condition.field in TIMES:
        return _time(TIMES[condition.field], condition)
    if condition.field == _REVISION:
        return _revision(condition)
    raise NoFieldError


def _group(group: Group) -> Query:
    queries = [_query(condition) for condition in group.conditions]
    if group.operator == "AND":
        return _all(*queries)
    if group.operator == "OR":
        return _any(*queries)
    return _without(_all(*queries))


def _keyword(field: str, condition: Comparison) -> Query:
    if condition.operator in ORDERINGS:
        raise NoFieldError
    values = condition.value if condition.operator in {"in", "not in"} else [condition.value]
    found = _any(*(_equal_keyword(field, value) for value in values))
    return _without(found) if condition.operator in {"!=", "not in"} else found


def _equal_keyword(field: str, value: object) -> Query:
    if value is None and field in OPTIONAL:
        return _without(Query.exists_query(field))
    if not isinstance(value, str):
        raise NoFieldError
    return Query.term_query(schema(), field, value, "basic")


def _time(field: str, condition: Comparison) -> Query:
    return _number(field, condition, lambda value: None if as_time(value) is None else microseconds(value))


def _revision(condition: Comparison) -> Query:
    return _number(
        _REVISION, condition, lambda value: value if isinstance(value, int) and not isinstance(value, bool) else None
    )


def _number(field: str, condition: Comparison, convert: _Convert) -> Query:
    operator, value = condition.operator, condition.value
    if operator in ORDERINGS:
        if value is None:
            return Query.empty_query()
        return _range(field, operator, _converted(convert, value))
    values = value if operator in {"in", "not in"} else [value]
    found = _any(*(_equal_number(field, entry, convert) for entry in values))
    return _without(found) if operator in {"!=", "not in"} else found


def _equal_number(field: str, value: object, convert: _Convert) -> Query:
    if value is None:
        return _without(Query.exists_query(field))
    number = _converted(convert, value)
    return Query.range_query(schema(), field, FieldType.Integer, number, number)


def _converted(convert: _Convert, value: object) -> int:
    number = convert(value)
    if number is None:
        raise NoFieldError
    return number


def _range(field: str, operator: str, value: int | None) -> Query:
    upward = operator in {">", ">="}
    return Query.range_query(
        schema(),
        field,
        FieldType.Integer,
        lower_bound=value if upward else None,
        upper_bound=None if upward else value,
        include_lower=operator != ">",
        include_upper=operator != "<",
    )


def _all(*queries: Query) -> Query:
    return Query.boolean_query([(Occur.Must, query) for query in queries]) if queries else Query.all_query()


def _any(*queries: Query) -> Query:
    return Query.boolean_query([(Occur.Should, query) for query in queries]) if queries else Query.empty_query()


def _without(query: Query) -> Query:
    return Query.boolean_query([(Occur.Must, Query.all_query()), (Occur.MustNot, query)])


def conjunction(queries: list[tantivy.Query]) -> Query:
    """Match what all queries match."""
    return _all(*queries)
