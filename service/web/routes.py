"""The page of REST routes, made from the OpenAPI document: no script and no other host, as everywhere on the page."""

import json
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class RouteView:
    """One route. Examples are JSON or plain text; empty: there is none."""

    method: str
    path: str
    summary: str
    description: str
    sent: str
    replied: str


@dataclass(frozen=True)
class RouteGroup:
    """Routes of one subject."""

    name: str
    routes: tuple[RouteView, ...]


def view_routes(document: dict[str, Any]) -> list[RouteGroup]:
    """
    Make the view of an OpenAPI document.

    :returns: One group a tag, in the order of the document.
    """
    groups: dict[str, list[RouteView]] = {}
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            groups.setdefault(operation["tags"][0], []).append(_route(method, path, operation))
    return [RouteGroup(name, tuple(routes)) for name, routes in groups.items()]


def _route(method: str, path: str, operation: dict[str, Any]) -> RouteView:
    replies = [reply for status, reply in operation["responses"].items() if status.startswith("2")]
    return RouteView(
        method=method.upper(),
        path=path,
        summary=operation["summary"],
        description=operation.get("description", ""),
        sent=_example(operation.get("requestBody", {})),
        replied=next(filter(None, map(_example, replies)), ""),
    )


def _example(described: dict[str, Any]) -> str:
    """Return the first example of a body; empty: there is none."""
    for content in described.get("content", {}).values():
        if (example := content.get("example")) is not None:
            return example if isinstance(example, str) else json.dumps(example, indent=2, ensure_ascii=False)
    return ""
