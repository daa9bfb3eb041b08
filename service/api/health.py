"""`/healthz`: the process lives. `/readyz`: it can answer, or which part cannot."""

import logging
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import JSONResponse

from core import __version__
from core.errors import LooksyError
from service.api.bodies import HealthBody, PartBody, ReadyBody
from service.api.errors import error_body, request_id

logger = logging.getLogger(__name__)
_MISSING = {"name": "index", "ready": False, "message": "nothing has been indexed yet", "hint": "Run 'looksy index'."}
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
        body = error_body(error, asked)  # no key is asked for here
        return PartBody(name=name, ready=False, message=body.message, hint=body.hint)
    except Exception:
        logger.exception("readiness check failed", extra={"part": name})
        return PartBody(name=name, ready=False, message=f"The {name} cannot be used.", hint="The log tells more.")
    return PartBody(name=name, ready=True)
