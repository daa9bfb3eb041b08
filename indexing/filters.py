"""
Haystack's filter language, checked and made into a small tree that a store can translate.

A filter is `{"field": …, "operator": …, "value": …}` or `{"operator": "AND" | "OR" | "NOT", "conditions": […]}`. What
each operator means, also for missing values and dates, is what `haystack.utils.filters.document_matches_filter` does.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from haystack.errors import FilterError

from core.errors import InputError

COMPARISONS = ("==", "!=", ">", ">=", "<", "<=", "in", "not in")
ORDERINGS = frozenset({">", ">=", "<", "<="})
GROUPS = ("AND", "OR", "NOT")
_META = "meta."


class BadFilterError(InputError, FilterError):
    """A filter that means nothing; Haystack's pipelines know it as a `FilterError`."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """A condition on one field, named without `meta.`; times in `value` are as they were given."""

    field: str
    operator: str
    value: Any


@dataclass(frozen=True, slots=True)
class Group:
    """Conditions joined by AND, OR or NOT; NOT means: not all of them."""

    operator: str
    conditions: tuple["Condition", ...]


Condition = Comparison | Group


def parse_filters(filters: Mapping[str, Any] | None) -> Condition | None:
    """
    Check a filter and return its tree; None if it is None or empty.

    :raises BadFilterError: If a key is missing or an operator or value cannot be used.
    """
    return _parse(filters) if filters else None


def _parse(data: object) -> Condition:
    if not isinstance(data, Mapping):
        raise BadFilterError(f"a filter is {data!r}; an object is expected", field="filters")
    if "field" in data:
        return _comparison(data)
    for key in ("operator", "conditions"):
        if key not in data:
            raise BadFilterError(f"a filter has no {key!r}: {dict(data)!r}", field="filters")
    if data["operator"] not in GROUPS:
        raise BadFilterError(f"operator is {data['operator']!r}; {', '.join(GROUPS)} are accepted", field="filters")
    if not isinstance(data["conditions"], list | tuple):
        raise BadFilterError(f"conditions is {data['conditions']!r}; a list is expected", field="filters")
    return Group(data["operator"], tuple(_parse(condition) for condition in data["conditions"]))


def _comparison(data: Mapping[str, Any]) -> Comparison:
    for key in ("operator", "value"):
        if key not in data:
            raise BadFilterError(f"a filter has no {key!r}: {dict(data)!r}", field="filters")
    field, operator, value = str(data["field"]), data["operator"], data["value"]
    if operator not in COMPARISONS:
        raise BadFilterError(
            f"operator of {field} is {operator!r}; {', '.join(COMPARISONS)} are accepted", field="filters"
        )
    if operator in {"in", "not in"} and not isinstance(value, list):
        raise BadFilterError(f"value of {field} is {value!r}; {operator!r} takes a list", field="filters")
    if operator in ORDERINGS:
        _check_ordering(field, operator, value)
    return Comparison(field.removeprefix(_META), operator, value)


def _check_ordering(field: str, operator: str, value: object) -> None:
    if isinstance(value, list):
        raise BadFilterError(f"value of {field} is a list; {operator!r} takes a number or a time", field="filters")
    if isinstance(value, str) and as_time(value) is None:
        raise BadFilterError(
            f"value of {field} is {value!r}; {operator!r} takes a number or an ISO 8601 time", field="filters"
        )


def as_time(value: object) -> datetime | None:
    """Return an ISO 8601 day or time, UTC if it does not say; None if it is none."""
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value)
        except ValueError:
            return None
    if not isinstance(value, datetime):
        return None
    return value if value.tzinfo else value.replace(tzinfo=UTC)
