"""Examples for OpenAPI: requests and replies of every route as they were sent, kept in `examples.json`."""

import json
from pathlib import Path
from typing import Any

from service.api.bodies import ErrorBody

FILE = Path(__file__).parent / "examples.json"
ERROR_EXAMPLES: dict[int, tuple[str, str, str | None, str | None]] = {
    400: ("invalid_json", "The request body is not valid JSON.", None, "Send a JSON object, in UTF-8."),
    401: ("unauthorised", "An API key is needed.", "key", "Send Authorization: Bearer <key>."),
    403: (
        "forbidden",
        "This key is for read; this needs run.",
        None,
        "Use a key made with --scope run; on the page, sign out first.",
    ),
    404: ("not_found", "there is no such run, or it is no longer kept", "run_id", "GET /v1/runs lists them."),
    405: ("method_not_allowed", "This address does not take this method.", None, None),
    409: (
        "conflict",
        "Ada Fisher changed this check at 4 May 2026, 09:12:44 UTC: it is at version 3, and your change is made from 2",
        "version",
        "Look at the check as it is now, then make your change again.",
    ),
    413: ("too_large", "The request body is larger than 262144 bytes.", None, "Send less."),
    415: (
        "unsupported_media_type",
        "The request body is not declared as JSON.",
        None,
        "Send Content-Type: application/json.",
    ),
    422: ("invalid_input", "text is empty", "text", "Type a question or a statement."),
    429: ("rate_limited", "This key may send 120 requests a minute.", None, "Try again in 1 s."),
    500: ("internal", "Something went wrong in the service.", None, "Report it with the request id."),
    503: ("busy", "66 requests are being answered or waiting, which is all there is room for", None, "Try again."),
    504: ("time_limit", "There was no answer within 60 s", None, "Ask something narrower, or try again later."),
}
"""Status to code, message, field and hint."""


def error_example(status: int) -> dict[str, Any]:
    """Return the body of a typical error of a status."""
    code, message, field, hint = ERROR_EXAMPLES[status]
    body = ErrorBody(code=code, message=message, field=field, hint=hint, request_id="6f1c2a4be0d94c51")
    return body.model_dump()


def add_examples(document: dict[str, Any]) -> dict[str, Any]:
    """Put the examples into an OpenAPI document; systems share those of `verify`."""
    known = json.loads(FILE.read_text(encoding="utf-8"))
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            _add(operation, known.get(f"{method.upper()} {path}") or _of_system(known, path))
    return document


def _of_system(known: dict[str, Any], path: str) -> dict[str, Any]:
    """Return the example of the same route of `verify`."""
    return dict(known.get("POST /v1/verify/stream" if path.endswith("/stream") else "POST /v1/verify", {}))


def _add(operation: dict[str, Any], example: dict[str, Any]) -> None:
    for content in operation.get("requestBody", {}).get("content", {}).values():
        content["example"] = example.get("request")
    for status, response in operation["responses"].items():
        for media_type, content in response.get("content", {}).items():
            is_json = "json" in media_type
            if status.startswith("2") and "response" in example and is_json == example.get("json", True):
                content["example"] = example["response"]
