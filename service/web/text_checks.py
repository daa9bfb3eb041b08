"""The pages of whole texts: hand one in, watch its claims settle, take the report."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

import jinja2
from fastapi import APIRouter, Depends, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from core.errors import LooksyError
from pipelines.systems.check import MAX_WORDS
from service.api.app_state import state_of
from service.api.checks import reviewer
from service.api.negotiation import JSON, MARKDOWN
from service.api.text_checks import CSV, HTML, report_response
from service.auth.access import Requirement
from service.auth.keys import Scope
from service.auth.redaction import public_error
from service.checks.on_desk import put_on_desk
from service.checks.report.html_page import globals_of_checks
from service.checks.report.view import CheckView, view_check
from service.checks.request import check_request
from service.checks.store import StoredCheck
from service.web.forms import first, read_form

Render = Callable[..., HTMLResponse]
"""Fills a template: request, name, status, values."""
_READ, _RUN = (Depends(Requirement(scope)) for scope in (Scope.READ, Scope.RUN))
_REPORTS = {"html": HTML, "md": MARKDOWN, "csv": CSV}
_FIELDS = ("title", "written_on", "speaker", "as_of")


def add_check_globals(templates: jinja2.Environment) -> None:
    """Give the templates the words of checked texts."""
    templates.globals |= globals_of_checks()


def add_text_checks(router: APIRouter, render: Render) -> None:
    """Add the routes."""

    @router.get("/check", dependencies=[_READ])
    async def form(request: Request) -> Response:
        typed = {name: request.query_params.get(name, "") for name in ("text", *_FIELDS)}
        return _form(render, request, typed)

    @router.post("/check", dependencies=[_RUN])
    async def start(request: Request) -> Response:
        fields = await read_form(request)
        typed = {name: first(fields, name) or "" for name in ("text", *_FIELDS)}
        try:
            asked = check_request({name: value for name, value in typed.items() if value})
            stored = await run_in_threadpool(state_of(request).text_checks.start, asked)
        except LooksyError as error:
            return _form(render, request, typed, error=error)
        return RedirectResponse(f"/check/{stored.checked.id}", status_code=HTTPStatus.SEE_OTHER)

    @router.get("/check/{check_id}.{ending}", dependencies=[_READ])
    async def report(request: Request, check_id: str, ending: str) -> Response:
        stored = await run_in_threadpool(state_of(request).text_checks.runner.store.get, check_id)
        if ending == "json":
            return Response(stored.checked.model_dump_json(indent=2), media_type=JSON)
        return await run_in_threadpool(report_response, stored, _REPORTS.get(ending, HTML))

    @router.post("/check/{check_id}/stop", dependencies=[_RUN])
    async def stop(request: Request, check_id: str) -> Response:
        state_of(request).text_checks.stop(check_id)
        return RedirectResponse(f"/check/{check_id}", status_code=HTTPStatus.SEE_OTHER)

    @router.post("/check/{check_id}/claims/{claim_id}/desk", dependencies=[_RUN])
    async def to_desk(request: Request, check_id: str, claim_id: str) -> Response:
        state, who = state_of(request), reviewer(request)
        stored = await run_in_threadpool(state.text_checks.runner.store.get, check_id)
        await state.reads.do(lambda _: put_on_desk(state.desk, stored, claim_id, who=who))
        return RedirectResponse(f"/check/{check_id}#{claim_id}", status_code=HTTPStatus.SEE_OTHER)

    @router.get("/check/{check_id}", dependencies=[_READ])
    async def checked(request: Request, check_id: str, fragment: bool = False) -> Response:
        state = state_of(request)
        stored, view = await run_in_threadpool(_view, state.text_checks.runner.store.get, check_id)
        is_running = state.text_checks.is_running(check_id)
        runs = [claim.run_id for claim in stored.checked.claims if claim.run_id]
        desk = await state.reads.do(lambda _: state.desk.of_runs(runs))
        name = "_checked.html.j2" if fragment else "checked.html.j2"
        return render(request, name, view=view, running=is_running, error=stored.error, desk=desk)


def _view(get: Callable[[str], StoredCheck], check_id: str) -> tuple[StoredCheck, CheckView]:
    stored = get(check_id)
    return stored, view_check(stored.request, stored.checked)


def _form(render: Render, request: Request, typed: dict[str, Any], *, error: LooksyError | None = None) -> HTMLResponse:
    return render(
        request,
        "check.html.j2",
        status=error.http_status if error else HTTPStatus.OK,
        typed=typed,
        max_words=MAX_WORDS,
        error=public_error(error) if error else None,
    )
