"""The page of all answers: searched by words, verdict, state, person, source and date; repeats of a claim grouped."""

from http import HTTPStatus
from typing import Any

from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response
from pydantic import ValidationError

from core.errors import InputError, NotFoundError
from core.requests import input_error
from service.api.app_state import state_of
from service.api.runs import ArchiveParameters
from service.auth.access import Requirement
from service.auth.keys import Scope
from service.auth.redaction import public_error
from service.web.desk import Render

SHOWN = 50
FILTERS = ("text", "verdict", "state", "person", "source", "tag", "asked_from", "asked_to", "repeats_of")


def add_answers(router: APIRouter, render: Render) -> None:
    """Add the route."""

    @router.get("/runs", dependencies=[Depends(Requirement(Scope.READ))])
    async def answers(request: Request, before: str | None = None) -> Response:
        state = state_of(request)
        typed = {name: request.query_params.get(name, "").strip() for name in FILTERS}
        values: dict[str, Any] = {"typed": typed, "latest": before is None, "runs": [], "more": False, "error": None}
        try:
            query = _parameters(typed).query()
            found = await state.reads.do(
                lambda _: state.archive.search(query, limit=SHOWN + 1, before=before, grouped=not query.repeats_of)
            )
            values |= {"runs": found[:SHOWN], "more": len(found) > SHOWN}
        except NotFoundError:
            raise
        except InputError as error:
            values["error"] = public_error(error)
        status = HTTPStatus.UNPROCESSABLE_ENTITY if values["error"] else HTTPStatus.OK
        values["searched"] = {name: value for name, value in typed.items() if value}
        values["people"] = await state.reads.do(lambda _: state.archive.people())
        return render(request, "runs.html.j2", status=status, **values)


def _parameters(typed: dict[str, str]) -> ArchiveParameters:
    try:
        return ArchiveParameters.model_validate({name: value for name, value in typed.items() if value})
    except ValidationError as error:
        raise input_error(error) from error
