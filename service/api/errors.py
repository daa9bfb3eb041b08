"""Every error as HTTP, with one body: code, message, field, hint, request id."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from core.errors import LooksyError, RateLimitError, writable
from service.api.bodies import ErrorBody
from service.api.negotiation import HTML, JSON, preferred
from service.auth.redaction import public_error

MAX_ECHO_CHARS = 60
BUSY_RETRY_S = 2
_HTTP_CODES = {
    HTTPStatus.BAD_REQUEST: ("invalid_json", "The request body is not valid JSON.", "Send a JSON object, in UTF-8."),
    HTTPStatus.NOT_FOUND: ("not_found", "There is nothing at this address.", "GET /openapi.json lists the addresses."),
    HTTPStatus.METHOD_NOT_ALLOWED: ("method_not_allowed", "This address does not take this method.", None),
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: ("too_large", "The request body is too large.", "Send less."),
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE: (
        "unsupported_media_type",
        "The request body is not declared as JSON.",
        "Send Content-Type: application/json.",
    ),
}


ErrorPage = Callable[[Request, int, ErrorBody], Response]
"""Makes the page that tells a person of an error."""


def install_error_handlers(app: FastAPI, *, page: ErrorPage) -> None:
    """
    Make the app answer every error with an `ErrorBody`.

    :param page: In place of it, for browsers.
    """
    app.state.error_page = page
    app.add_exception_handler(LooksyError, _on_looksy_error)  # type: ignore[arg-type]
    app.add_exception_handler(RequestValidationError, _on_invalid)  # type: ignore[arg-type]
    app.add_exception_handler(HTTPException, _on_http)  # type: ignore[arg-type]


def request_id(request: Request) -> str:
    """Return the name of the request, as the middleware gave it."""
    return str(getattr(request.state, "request_id", "")) or "none"


def error_response(request: Request, status: int, code: str, message: str, **more: Any) -> Response:
    """
    Make the answer to a request that failed.

    :param more: `field` and `hint` of the body; `headers` of the response.
    """
    headers = more.pop("headers", None)
    body = ErrorBody(code=code, message=message, request_id=request_id(request), **more)
    return _respond(request, status, body, headers)


def error_body(error: LooksyError, name: str) -> ErrorBody:
    """
    Make the body of an error.

    :param name: Of the request.
    """
    told = public_error(error)
    return ErrorBody(code=told.code, message=told.message, field=told.field, hint=told.hint, request_id=name)


async def _on_looksy_error(request: Request, error: LooksyError) -> Response:
    return _respond(request, error.http_status, error_body(error, request_id(request)), _headers(error))


def _respond(request: Request, status: int, body: ErrorBody, headers: dict[str, str] | None) -> Response:
    accept = request.headers.get("accept", "")
    if not request.url.path.startswith("/v1") and preferred(accept, (JSON, HTML)) == HTML:
        page: ErrorPage = request.app.state.error_page
        return page(request, status, body)
    return JSONResponse(body.model_dump(), status_code=status, headers=headers)


def _headers(error: LooksyError) -> dict[str, str] | None:
    if isinstance(error, RateLimitError):
        return {"Retry-After": str(error.retry_after)}
    if error.http_status == HTTPStatus.SERVICE_UNAVAILABLE:
        return {"Retry-After": str(BUSY_RETRY_S)}
    if error.http_status == HTTPStatus.UNAUTHORIZED:
        return {"WWW-Authenticate": "Bearer"}
    return None


async def _on_invalid(request: Request, error: RequestValidationError) -> Response:
    first = error.errors()[0]
    if first["type"] == "json_invalid":
        code, message, hint = _HTTP_CODES[HTTPStatus.BAD_REQUEST]
        return error_response(request, HTTPStatus.BAD_REQUEST, code, message, hint=hint)
    place = [str(part) for part in first["loc"] if part not in {"body", "query", "path", "header"}]
    field = writable(".".join(place)) or "body"
    if first["type"] == "extra_forbidden":
        message = f"{field} is not a known field"
    elif first["type"] == "missing":
        message = f"{field} is missing"
    else:
        message = f"{field} is {str(first.get('input'))[:MAX_ECHO_CHARS]!r}: {first['msg']}"
    return error_response(
        request, HTTPStatus.UNPROCESSABLE_ENTITY, "invalid_input", message, field=field, hint="See /openapi.json."
    )


async def _on_http(request: Request, error: HTTPException) -> Response:
    code, message, hint = _HTTP_CODES.get(
        HTTPStatus(error.status_code), ("http_error", HTTPStatus(error.status_code).phrase, None)
    )
    headers = dict(error.headers) if error.headers else None
    return error_response(request, error.status_code, code, message, hint=hint, headers=headers)


class UnexpectedErrorMiddleware:
    """
    Answer a request that ran into a bug. The error goes on to the server, which logs it with its trace.

    Starlette's own handler stands outside of all middleware: its answers would have no name and no headers of ours.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        begun = False

        async def send_noted(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self.app(scope, receive, send_noted)
        except Exception:
            if scope["type"] == "http" and not begun:
                await _bug_response(Request(scope))(scope, receive, send)
            raise


def _bug_response(request: Request) -> Response:
    return error_response(
        request,
        HTTPStatus.INTERNAL_SERVER_ERROR,
        "internal",
        "Something went wrong in the service.",
        hint="Report it with the request id.",
    )
