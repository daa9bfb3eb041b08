"""A request's filters in Haystack's filter language."""

from typing import Any

from core.types import Filters


def haystack_filters(filters: Filters, *, without_origin: str | None = None) -> dict[str, Any] | None:
    """Return the conditions over a document's meta; None where everything may be evidence."""
    bounds = ((">=", filters.published_from), ("<=", filters.published_to))
    conditions: list[dict[str, Any]] = [
        {"field": "meta.published_at", "operator": operator, "value": time.isoformat()}
        for operator, time in bounds
        if time is not None
    ]
    names = {"source": filters.sources, "section": filters.sections, "language": filters.languages}
    conditions += [
        {"field": f"meta.{field}", "operator": "in", "value": list(values)} for field, values in names.items() if values
    ]
    if without_origin:
        conditions.append({"field": "meta.origin_id", "operator": "!=", "value": without_origin})
    if filters.excluded_origins:
        conditions.append({"field": "meta.origin_id", "operator": "not in", "value": list(filters.excluded_origins)})
    return {"operator": "AND", "conditions": conditions} if conditions else None
