"""Proof: a run or a check as one file."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import Response
from pydantic import Field

from service.api.app_state import AppState, state_of
from service.api.responses import ERRORS
from service.auth.access import Requirement
from service.auth.keys import Scope
from service.reports.formats import MEDIA_TYPES, ReportFile, ReportFormat, write_report
from service.reports.source import ReportSource, report_source

Id = Annotated[str, Field(max_length=64)]
Form = Annotated[ReportFormat, Query(alias="format", description="html, md, json, csv, claimreview or wacz.")]
_SHOWN = frozenset({ReportFormat.HTML, ReportFormat.MARKDOWN})
"""Opened in the browser; the others are saved."""
_BINARY = {"schema": {"type": "string", "format": "binary"}}
_TEXT = {"schema": {"type": "string"}, "example": "# Verified"}
_OBJECT = {"schema": {"type": "object"}}
_CONTENT: dict[str, Any] = {
    media_type.split(";", maxsplit=1)[0]: _OBJECT if "json" in media_type else _TEXT
    for form, media_type in MEDIA_TYPES.items()
    if form is not ReportFormat.WACZ
} | {MEDIA_TYPES[ReportFormat.WACZ]: _BINARY}
_RESPONSES: dict[int | str, dict[str, Any]] = {200: {"description": "The file.", "content": _CONTENT}, **ERRORS}


def reports_router() -> APIRouter:
    """Make the routes."""
    router = APIRouter(prefix="/v1", tags=["desk"], dependencies=[Depends(Requirement(Scope.READ))])

    @router.get(
        "/checks/{check_id}/report",
        summary="A check as one file: answer, quotes, decision, history",
        response_class=Response,
        responses=_RESPONSES,
    )
    async def report_check(request: Request, check_id: Id, form: Form = ReportFormat.HTML) -> Response:
        state, base = state_of(request), str(request.base_url)
        return _reply(await state.reads.do(lambda _: write_report(_of_check(state, check_id, base), form)), form)

    @router.get(
        "/runs/{run_id}/report",
        summary="A run as one file, with its check if it has one",
        response_class=Response,
        responses=_RESPONSES,
    )
    async def report_run(request: Request, run_id: Id, form: Form = ReportFormat.HTML) -> Response:
        state, base = state_of(request), str(request.base_url)
        return _reply(await state.reads.do(lambda _: write_report(_of_run(state, run_id, base), form)), form)

    return router


def _of_check(state: AppState, check_id: str, base: str) -> ReportSource:
    return _of_run(state, state.desk.get(check_id).run_id, base)


def _of_run(state: AppState, run_id: str, base: str) -> ReportSource:
    result, data_dir = state.runs.get(run_id), state.settings.data_dir
    return report_source(result, state.desk, base=base, open_store=state.store.get, data_dir=data_dir)


def _reply(file: ReportFile, form: ReportFormat) -> Response:
    disposition = "inline" if form in _SHOWN else "attachment"
    headers = {"Content-Disposition": f'{disposition}; filename="{file.name}"', "X-Content-Type-Options": "nosniff"}
    return Response(file.content, media_type=file.media_type, headers=headers)
