"""JSON schemas of options, made fit to stand inside another document."""

from typing import Any


def inlined(schema: dict[str, Any]) -> dict[str, Any]:
    """Put what `$defs` holds where `$ref` points at it: inside OpenAPI such a reference would lead nowhere."""
    known = schema.get("$defs", {})

    def resolve(part: Any) -> Any:
        if isinstance(part, list):
            return [resolve(one) for one in part]
        if not isinstance(part, dict):
            return part
        target = known.get(str(part.get("$ref", "")).removeprefix("#/$defs/"), {})
        return {name: resolve(value) for name, value in {**target, **part}.items() if name not in {"$defs", "$ref"}}

    return dict(resolve(schema))
