"""`/healthz`: the process lives. `/readyz`: it can answer, or which part cannot."""

import logging
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import JSONResponse

from core import __version__
from core.errors import (
    LooksyError,
    StoreError,
    StoreLockedError,
    StoreMissingError,
    StoreVersionError,
    UnavailableError,
)
from service.api.bodies import HealthBody, PartBody, ReadyBody
from service.api.errors import error_body, request_id

logger = logging.getLogger(__name__)
_LOG = "The log tells more."
_WORDS = {
    StoreMissingError.code: ("nothing has been indexed yet", "Run 'looksy index'."),
    StoreVersionError.code: ("the index was made by another version of Looksy, or with another embedder", _LOG),
    StoreLockedError.code: ("another process is writing to the index", _LOG),
    StoreError.code: ("the index cannot be used as it is", _LOG),
    UnavailableError.code: ("a server does not answer as it should", "Start it, or look into the log."),
}
"""Message and hint of errors whose own words name folders and addresses: no key is asked for here."""
_MESSAGE, _HINT = _WORDS[StoreMissingError.code]
_MISSING = {"name": "index", "ready": False, "message": _MESSAGE, "hint": _HINT}
_NOT_READY: dict[str, Any] = {
    "model": ReadyBody,
    "description": "A part is not ready; the body says which.",
    "content": {"application/json": {"example": {"ready": False, "parts": [_MISSING]}}},
}
Check = Callable[[], None]
"""Raises a `LooksyError` if the part cannot be used."""


def health_router(checks: Callable[[], dict[str, Check]]) -> APIRouter:
    """
    Make the routes.

    :param checks: Gives the name of each part and its check.
    """
    router = APIRouter(tags=["health"])

    @router.get("/healthz", summary="Is the process alive?")
    async def healthz() -> HealthBody:
        return HealthBody(version=__version__)

    @router.get(
        "/readyz",
        summary="Can it answer, or which part cannot?",
        response_model=ReadyBody,
        responses={503: _NOT_READY},
    )
    async def readyz(request: Request) -> JSONResponse:
        asked = request_id(request)
        parts = [await run_in_threadpool(_check, name, check, asked) for name, check in checks().items()]
        ready = all(part.ready for part in parts)
        status = HTTPStatus.OK if ready else HTTPStatus.SERVICE_UNAVAILABLE
        return JSONResponse(ReadyBody(ready=ready, parts=parts).model_dump(), status_code=status)

    return router


def _check(name: str, check: Check, asked: str) -> PartBody:
    try:
        check()
    except LooksyError as error:
        if error.code in _WORDS:
            logger.warning("readiness check failed", extra={"part": name, "reason": error.message})
            message, hint = _WORDS[error.code]
            return PartBody(name=name, ready=False, message=message, hint=hint)
        body = error_body(error, asked)
        return PartBody(name=name, ready=False, message=body.message, hint=body.hint)
    except Exception:
        logger.exception("readiness check failed", extra={"part": name})
        return PartBody(name=name, ready=False, message=f"The {name} cannot be used.", hint=_LOG)
    return PartBody(name=name, ready=True)
