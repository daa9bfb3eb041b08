"""Who may do what: API keys, their scopes and their rate."""

import ipaddress
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from fastapi import Request

from core.errors import AccessError, ForbiddenError
from core.settings import Settings
from service.answers.caller import CALLER, Caller, Via, person_name
from service.api.app_state import state_of
from service.auth.keys import Key, Scope

COOKIE = "looksy_key"
_SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
WRONG_KEY = "This key is not valid."
FEED_PARAMETER = "key"
"""Of an address: where readers of feeds, which send no headers, put the key."""
_OWN_SITES = frozenset({"", "same-origin", "none"})


def needs_keys(settings: Settings) -> bool:
    """Say whether callers must show a key: as set, or else whenever others than this machine can reach the service."""
    return settings.require_keys if settings.require_keys is not None else not is_loopback(settings.host)


def add_keys(document: dict[str, Any], settings: Settings) -> dict[str, Any]:
    """Say in an OpenAPI document how to send a key, and which routes ask for one: those that may answer with 401."""
    ways: list[dict[str, list[str]]] = [{"key": []}] if needs_keys(settings) else [{"key": []}, {}]
    for methods in document["paths"].values():
        for operation in methods.values():
            if str(int(HTTPStatus.UNAUTHORIZED)) in operation["responses"]:
                operation["security"] = ways
    scheme = {"type": "http", "scheme": "bearer", "description": "A key that 'looksy keys create' made."}
    document["components"]["securitySchemes"] = {"key": scheme}
    return document


def is_loopback(host: str) -> bool:
    """Say whether an address is reached from this machine alone."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


@dataclass(frozen=True)
class Requirement:
    """
    Lets a request pass only with a key for a scope, where keys are needed; a dependency of routes.

    :param scope: For a feed, the key may stand in the address.
    """

    scope: Scope

    async def __call__(self, request: Request) -> None:
        """
        Check a request.

        :raises AccessError: If it shows no valid key.
        :raises ForbiddenError: If its key does not allow this, or a page of another site sent it.
        :raises RateLimitError: If the key asked too often.
        """
        check_origin(request)
        state = state_of(request)
        if not needs_keys(state.settings):
            CALLER.set(Caller(person=person(request), via=_via(request)))
            return
        key = request.state.key = (
            _recognise_any(request) if self.scope is Scope.FEED else recognise(request, _key_text(request))
        )
        CALLER.set(Caller(person=person(request), via=_via(request)))
        if not key.allows(self.scope):
            raise ForbiddenError(
                f"This key is for {key.scope.value}; this needs {self.scope.value}.",
                hint=f"Use a key made with --scope {self.scope.value}; on the page, sign out first.",
            )
        state.rates.take(key.key_id)


def recognise(request: Request, text: str) -> Key:
    """
    Return the key that a text is.

    :raises AccessError: If it is none.
    :raises RateLimitError: If it is none, and the same address has shown too many such texts.
    """
    state = state_of(request)
    key = state.keys.recognise(text)
    if key is None:
        if text:
            state.wrong_keys.take(request.client.host if request.client else "")
        message = WRONG_KEY if text else "An API key is needed."
        raise AccessError(message, field="key", hint="Send Authorization: Bearer <key>.")
    return key


def _recognise_any(request: Request) -> Key:
    """
    Return the key that a request shows, in its address too.

    :raises AccessError: If there is none, or one in the address may do more than read a feed: addresses get about.
    """
    text, in_address = _key_text(request), request.query_params.get(FEED_PARAMETER, "")
    key = recognise(request, text or in_address)
    if not text and key.scope is not Scope.FEED:
        raise ForbiddenError(
            "This key may not stand in an address.", field=FEED_PARAMETER, hint="Make one with --scope feed for it."
        )
    return key


def check_origin(request: Request) -> None:
    """
    Refuse changes that another site's page asks for in the browser of someone who may.

    :raises ForbiddenError: If the browser says that the request comes from another site.
    """
    if request.method in _SAFE_METHODS:
        return
    site = request.headers.get("sec-fetch-site", "")
    origin = request.headers.get("origin")
    is_foreign = origin is not None and origin.split("://", 1)[-1] != request.headers.get("host")
    if site not in _OWN_SITES or (not site and is_foreign):
        raise ForbiddenError("Requests from pages of other sites are not accepted.")


def caller(request: Request) -> Key | None:
    """Return the key that the request showed; None where none is needed."""
    return getattr(request.state, "key", None)


def person(request: Request) -> str | None:
    """Return who makes a request: whom a trusted proxy names, else the key's name; None if unknown."""
    header = state_of(request).settings.user_header
    named = request.headers.get(header, "") if header else ""
    key = caller(request)
    return person_name(_as_utf8(named)) or (key.name if key else None)


def key_used(request: Request) -> str | None:
    """Return id and name of the key that a request showed, for the operator; None where none is needed."""
    key = caller(request)
    return f"{key.key_id}, {key.name}" if key else None


def _via(request: Request) -> Via:
    path = request.url.path
    if path.startswith("/v1/chat"):
        return Via.CHAT
    if path.startswith("/v1/batch"):
        return Via.BATCH
    from_page = request.headers.get("sec-fetch-site") == "same-origin" or not path.startswith("/v1/")
    return Via.PAGE if from_page else Via.REST


def _as_utf8(text: str) -> str:
    """Return a header's value, which HTTP reads as Latin-1, as the UTF-8 that proxies send."""
    try:
        return text.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return text


def _key_text(request: Request) -> str:
    scheme, _, text = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return text.strip()
    return request.cookies.get(COOKIE, "")
