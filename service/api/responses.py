"""The errors that every route may answer with, for OpenAPI."""

from typing import Any

from service.api.bodies import ErrorBody
from service.api.examples import error_example

_DESCRIPTIONS = {
    400: "The body is not valid JSON.",
    401: "A key is needed.",
    403: "The key does not allow this.",
    404: "There is no such thing.",
    405: "The address does not take this method.",
    409: "The thing has changed meanwhile, or its state does not allow this.",
    413: "The body is too large.",
    415: "The body is not declared as JSON.",
    422: "A field cannot be used; `field` names it.",
    429: "Too many requests; see Retry-After.",
    500: "Something is wrong with the service.",
    503: "The service cannot answer now; `code` says why.",
    504: "There was no answer in time.",
}
_SCHEMA = {"$ref": "#/components/schemas/ErrorBody"}  # also where a route answers with text, its errors are JSON
ERRORS: dict[int | str, dict[str, Any]] = {
    status: {
        "description": description,
        "content": {"application/json": {"schema": _SCHEMA, "example": error_example(status)}},
    }
    for status, description in _DESCRIPTIONS.items()
}
"""Without `model`: FastAPI would build a validator for each of them, some 700, at each start."""


def add_error_body(document: dict[str, Any]) -> dict[str, Any]:
    """Put the body of the errors into an OpenAPI document, where every route points to it."""
    schemas = {**document["components"]["schemas"], ErrorBody.__name__: ErrorBody.model_json_schema()}
    document["components"]["schemas"] = dict(sorted(schemas.items()))
    return document
