"""What every request passes: a name, a limit to its body, headers that protect browsers."""

import ipaddress
import json
import re
import uuid
from http import HTTPStatus

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from service.operations.logs import REQUEST_ID

MAX_BODY_BYTES = 256 * 1024
_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
_BODY_METHODS = frozenset({"POST", "PUT", "PATCH"})
_JSON_TYPES = re.compile(r"application/(?:[a-z0-9.+-]+\+)?json\s*(?:;.*)?", re.IGNORECASE)
_FORM_TYPE = "application/x-www-form-urlencoded"
SECURITY_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",  # with no-referrer, browsers send our own forms with "Origin: null"
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
}
_RAW_HEADERS = [(name.lower().encode(), value.encode()) for name, value in SECURITY_HEADERS.items()]
_STATIC = "/static/"
_FORM = "/"


class RequestNameMiddleware:
    """Give each request a name, in `request.state.request_id` and the header `X-Request-ID`; add `SECURITY_HEADERS`."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        given = Headers(scope=scope).get("x-request-id", "")
        name = given if _ID.fullmatch(given) else uuid.uuid4().hex
        scope.setdefault("state", {})["request_id"] = name
        REQUEST_ID.set(name)

        async def send_named(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = list(message.get("headers", ()))
                known = {header for header, _ in given}
                added = [(b"x-request-id", name.encode()), *_RAW_HEADERS]
                added.append((b"cache-control", _keeping(scope).encode()))
                message = {**message, "headers": given + [pair for pair in added if pair[0] not in known]}
            await send(message)

        await self.app(scope, receive, send_named)


def _keeping(scope: Scope) -> str:
    """Say what a browser may keep: scripts and styles, if it asks whether they are still these, and the empty form."""
    if scope["path"].startswith(_STATIC):
        return "no-cache"
    if scope["path"] == _FORM and scope["method"] == "GET":
        return "private, no-cache"  # so that what was typed is there again after Back
    return "no-store"


class HeadAsGetMiddleware:
    """Answer HEAD as GET, without the body: monitors and link checkers ask so."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self.app(scope, receive, send)
            return

        async def send_head(message: Message) -> None:
            await send({**message, "body": b""} if message["type"] == "http.response.body" else message)

        await self.app({**scope, "method": "GET"}, receive, send_head)


class BodyLimitMiddleware:
    """
    Refuse bodies that are too large or of another type than JSON or a form, before any of it is parsed.

    :param max_bytes: Largest body.
    """

    def __init__(self, app: ASGIApp, *, max_bytes: int = MAX_BODY_BYTES) -> None:
        self.app = app
        self.max_bytes = max_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        length = headers.get("content-length", "0")
        if length.isdigit() and int(length) > self.max_bytes:
            await self._refuse(scope, send)
            return
        if _has_wrong_type(scope, headers):
            await send_error(
                scope,
                send,
                status=HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
                code="unsupported_media_type",
                message="The request body is not declared as JSON.",
                hint="Send Content-Type: application/json.",
            )
            return
        await self.app(scope, self._counted(receive), send)

    def _counted(self, receive: Receive) -> Receive:
        taken = 0

        async def receive_counted() -> Message:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            if taken > self.max_bytes:
                raise HTTPException(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
            return message

        return receive_counted

    async def _refuse(self, scope: Scope, send: Send) -> None:
        await send_error(
            scope,
            send,
            status=HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
            code="too_large",
            message=f"The request body is larger than {self.max_bytes} bytes.",
            hint="Send less.",
        )


class LocalNameMiddleware:
    """
    Answer only to names that no stranger can own: IP addresses and names without a dot.

    A page of another site could otherwise point its own name at this machine and read what we answer (DNS rebinding).
    Used while no keys are asked for.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http" or is_local_name(Headers(scope=scope).get("host", "localhost")):
            await self.app(scope, receive, send)
            return
        await send_error(
            scope,
            send,
            status=HTTPStatus.FORBIDDEN,
            code="forbidden",
            message="The service does not answer to this host name.",
            hint="Use its address or localhost, or let the operator switch keys on.",
        )


def is_local_name(host: str) -> bool:
    """Say whether a Host header names an IP address, or a name without a dot."""
    name = host.rsplit(":", 1)[0] if not host.endswith("]") and host.count(":") else host
    name = name.strip("[]").rstrip(".").lower()
    if "." not in name and ":" not in name:
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return name.endswith(".localhost")
    return True


async def send_error(
    scope: Scope, send: Send, *, status: HTTPStatus, code: str, message: str, hint: str | None = None
) -> None:
    """Answer with the one error body, from below FastAPI."""
    name = scope.get("state", {}).get("request_id", "none")
    body = {"code": code, "message": message, "field": None, "hint": hint, "request_id": name}
    raw = json.dumps(body).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(raw)).encode())]
    await send({"type": "http.response.start", "status": int(status), "headers": headers})
    await send({"type": "http.response.body", "body": raw})


def _has_wrong_type(scope: Scope, headers: Headers) -> bool:
    has_body = headers.get("content-length", "0") != "0" or "chunked" in headers.get("transfer-encoding", "").lower()
    if scope["method"] not in _BODY_METHODS or not has_body:
        return False
    declared = headers.get("content-type", "")
    if _JSON_TYPES.fullmatch(declared):
        return False
    return scope["path"].startswith("/v1") or not declared.lower().startswith(_FORM_TYPE)  # forms are the page's
