"""The pages of the desk: the board, a check with its decision form, and what is to be looked at again."""

from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Annotated, Any

import jinja2
from fastapi import APIRouter, Depends, Path, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from pydantic import ValidationError

from core.errors import ConflictError, InputError, LooksyError, NotFoundError
from core.requests import input_error
from core.types import Result, Verdict
from service.api.app_state import AppState, state_of
from service.api.changes import MOST_ID
from service.api.checks import reviewer
from service.auth.access import Requirement, person
from service.auth.keys import Scope
from service.auth.redaction import public_error
from service.desk.agreement import Agreement, measure_agreement
from service.desk.side_by_side import side_by_side
from service.desk.types import CHECKLIST, DECIDED, MOVES, REASONS, Check, CheckPatch, CheckQuery, CheckState
from service.web.forms import first, read_form
from service.web.view import view_result

Render = Callable[..., HTMLResponse]
"""Fills a template: request, name, status, values."""
_READ, _RUN, _REVIEW = (Depends(Requirement(scope)) for scope in (Scope.READ, Scope.RUN, Scope.REVIEW))
COLUMN = 25
"""Checks that a column of the board shows."""
LISTED = 50
MAX_VERSION_DIGITS = 15
COLUMNS: tuple[tuple[str, tuple[CheckState, ...]], ...] = (
    ("Open", (CheckState.OPEN,)),
    ("In review", (CheckState.IN_REVIEW,)),
    ("Decided", (CheckState.APPROVED, CheckState.OVERRIDDEN)),
)
STATES = {
    CheckState.OPEN: "Open",
    CheckState.IN_REVIEW: "In review",
    CheckState.APPROVED: "Approved",
    CheckState.OVERRIDDEN: "Overridden",
    CheckState.WITHDRAWN: "Withdrawn",
}
MOVE_WORDS = {
    CheckState.OPEN: "Put back to open",
    CheckState.IN_REVIEW: "Take into review",
    CheckState.WITHDRAWN: "Withdraw",
}
ACTIONS = {
    "created": "put it on the desk",
    "edited": "edited it",
    "open": "put it back to open",
    "in_review": "took it into review",
    "proposed": "proposed a decision",
    "approved": "approved it",
    "overridden": "overrode the machine",
    "withdrawn": "withdrew it",
    "evidence_changed": "noted that the evidence has changed",
    "asked_again": "asked it again",
}
KINDS = {
    "corrected": "Corrected",
    "removed": "Page gone",
    "revised": "Revised",
    "new_evidence": "New evidence",
    "restored": "Page is back",
}
_FIELDS = ("owner", "note", "claim_author", "claim_appearance", "claim_date", "published_url")
_FILTERS = ("text", "state", "verdict", "owner", "changed")


def add_desk_globals(templates: jinja2.Environment) -> None:
    """Give the templates the words of the desk."""
    templates.globals |= {
        "states": {state.value: words for state, words in STATES.items()},
        "kinds": KINDS,
        "actions": ACTIONS,
        "reasons": REASONS,
        "checklist_items": CHECKLIST,
        "move_words": {state.value: words for state, words in MOVE_WORDS.items()},
    }


def add_desk(router: APIRouter, render: Render) -> None:
    """Add the routes."""
    _add_board(router, render)
    _add_changes(router, render)
    _add_check(router, render)


def _add_board(router: APIRouter, render: Render) -> None:
    @router.get("/desk", dependencies=[_READ])
    async def board(request: Request, before: str | None = None) -> Response:
        state = state_of(request)
        typed = {name: request.query_params.get(name, "").strip() for name in _FILTERS}
        values: dict[str, Any] = {"typed": typed, "error": None, "found": None, "columns": [], "before": before}
        figures = await state.reads.do(lambda _: _figures(state))
        try:
            query = _query(typed)
            if query != CheckQuery() or before:
                found = await state.reads.do(lambda _: state.desk.find(query, limit=LISTED + 1, before=before))
                values |= {"found": found[:LISTED], "more": len(found) > LISTED}
        except InputError as error:
            values |= {"error": public_error(error), "found": []}
        if values["found"] is None:
            values["columns"] = await state.reads.do(lambda _: _columns(state, figures["counts"]))
        status = HTTPStatus.UNPROCESSABLE_ENTITY if values["error"] else HTTPStatus.OK
        return render(request, "desk.html.j2", status=status, **({"more": False} | values | figures))

    @router.post("/desk", dependencies=[_RUN])
    async def add(request: Request) -> Response:
        state, form = state_of(request), await read_form(request)
        who = reviewer(request)
        check, _ = await state.reads.do(lambda _: state.desk.add(first(form, "run_id") or "", who=who))
        return _to_check(check.check_id)


def _query(typed: dict[str, str]) -> CheckQuery:
    given: dict[str, Any] = {name: value for name, value in typed.items() if value}
    try:
        return CheckQuery.model_validate(given | ({"changed": True} if "changed" in given else {}))
    except ValidationError as error:
        raise input_error(error) from error


def _columns(state: AppState, counts: Mapping[CheckState, int]) -> list[dict[str, Any]]:
    columns = []
    for title, states in COLUMNS:
        found = [check for one in states for check in state.desk.find(CheckQuery(state=one), limit=COLUMN)]
        found.sort(key=lambda check: check.updated_at, reverse=True)
        total = sum(counts[one] for one in states)
        shown = found[:COLUMN]
        columns.append({"title": title, "checks": shown, "total": total, "states": [one.value for one in states]})
    return columns


def _figures(state: AppState) -> dict[str, Any]:
    agreement: Agreement = measure_agreement(state.database)
    return {"agreement": agreement, "changed": state.changes.count_open(), "counts": state.desk.counts()}


def _add_changes(router: APIRouter, render: Render) -> None:
    @router.get("/changes", dependencies=[_READ])
    async def changes(
        request: Request, before: Annotated[int | None, Query(le=MOST_ID)] = None, settled: bool = False
    ) -> Response:
        state = state_of(request)
        found = await state.reads.do(
            lambda _: state.changes.find(limit=LISTED + 1, before=before, open_only=not settled)
        )
        more = len(found) > LISTED
        return render(request, "changes.html.j2", changes=found[:LISTED], more=more, settled=settled)

    @router.get("/changes/{change_id}", dependencies=[_READ])
    async def change(request: Request, change_id: Annotated[int, Path(le=MOST_ID)]) -> Response:
        state = state_of(request)
        shown = await state.reads.do(
            lambda _: side_by_side(state.changes.get(change_id), state.database, state.store.get)
        )
        answers = [(title, view_result(one, {}) if one else None) for title, one in _answers(shown.old, shown.new)]
        return render(request, "change.html.j2", shown=shown, answers=answers)


def _answers(old: Result | None, new: Result | None) -> list[tuple[str, Result | None]]:
    return [("Before", old), ("Now", new)]


def _add_check(router: APIRouter, render: Render) -> None:
    @router.get("/checks/{check_id}", dependencies=[_READ])
    async def check(request: Request, check_id: str) -> Response:
        return await _check_page(render, request, check_id)

    @router.post("/checks/{check_id}/edit", dependencies=[_REVIEW])
    async def edit(request: Request, check_id: str) -> Response:
        form = await read_form(request)
        patch: dict[str, Any] = {name: (first(form, name) or "").strip() or None for name in _FIELDS}
        ticked = set(form.get("done", []))
        items = [*CHECKLIST, *form.get("item", [])]
        patch["checklist"] = {item: item in ticked for item in items}
        return await _change(render, request, check_id, form=form, patch=patch)

    @router.post("/checks/{check_id}/move", dependencies=[_REVIEW])
    async def move(request: Request, check_id: str) -> Response:
        form = await read_form(request)
        return await _change(render, request, check_id, form=form, patch={"state": first(form, "state")})

    @router.post("/checks/{check_id}/decide", dependencies=[_REVIEW])
    async def decide(request: Request, check_id: str) -> Response:
        """Show what is about to be decided; the form of that page sends it a second time, confirmed."""
        form = await read_form(request)
        state = state_of(request)
        found = await state.reads.do(lambda _: state.desk.get(check_id))
        verdict = first(form, "verdict")
        try:
            decision = _decision(form)
        except LooksyError as error:
            return await _check_page(render, request, check_id, form=form, error=error)
        if first(form, "confirmed") != "yes":
            agrees = found.verdict is not None and verdict == found.verdict.value
            typed = {name: first(form, name) or "" for name in ("verdict", "reason_code", "comment", "by", "version")}
            return render(request, "decide.html.j2", check=found, typed=typed, agrees=agrees)
        return await _change(render, request, check_id, form=form, patch={"decision": decision})


def _decision(form: dict[str, list[str]]) -> dict[str, Any]:
    """
    Read a decision.

    :raises InputError: If no verdict was chosen.
    """
    verdict = first(form, "verdict")
    if verdict not in set(Verdict):
        raise InputError("no verdict was chosen", field="verdict", hint="Choose one.")
    comment = (first(form, "comment") or "").strip() or None
    return {"verdict": verdict, "reason_code": first(form, "reason_code"), "comment": comment}


async def _change(
    render: Render, request: Request, check_id: str, *, form: dict[str, list[str]], patch: dict[str, Any]
) -> Response:
    """Change a check and show it; what cannot be done is said beside what was typed."""
    state = state_of(request)
    try:
        who, version, wanted = reviewer(request, first(form, "by")), _version(form), _patch(patch)
        await state.reads.do(lambda _: state.desk.change(check_id, wanted, who=who, version=version))
    except NotFoundError:
        raise
    except (InputError, ConflictError) as error:
        return await _check_page(render, request, check_id, form=form, error=error)
    return _to_check(check_id)


def _version(form: dict[str, list[str]]) -> int:
    text = first(form, "version") or ""
    if not (text.isascii() and text.isdigit() and len(text) <= MAX_VERSION_DIGITS):
        raise InputError("the form names no version", field="version", hint="Load the page again.")
    return int(text)


def _patch(fields: dict[str, Any]) -> CheckPatch:
    try:
        return CheckPatch.model_validate(fields)
    except ValidationError as error:
        raise input_error(error) from error


async def _check_page(
    render: Render,
    request: Request,
    check_id: str,
    *,
    form: dict[str, list[str]] | None = None,
    error: LooksyError | None = None,
) -> HTMLResponse:
    state = state_of(request)
    values = await state.reads.do(lambda _: _of_check(state, check_id))
    return render(
        request,
        "desk_check.html.j2",
        status=error.http_status if error else HTTPStatus.OK,
        typed=dict.fromkeys(("verdict", "reason_code", "comment", "by"), "")
        | {name: value[0] for name, value in (form or {}).items()},
        edited=error is not None and request.url.path.endswith("/edit"),
        error=public_error(error) if error else None,
        known=person(request),
        reviewers=state.settings.reviewers,
        **values,
    )


def _of_check(state: AppState, check_id: str) -> dict[str, Any]:
    check: Check = state.desk.get(check_id)
    result = state.runs.get(check.run_id)
    moves = [one.value for one in MOVE_WORDS if one in MOVES[check.state]]
    return {
        "check": check,
        "view": view_result(result, {}),
        "history": state.desk.history(check_id),
        "runs": state.desk.runs(check_id),
        "changes": state.changes.find(limit=LISTED, check_id=check_id),
        "reason": state.changes.reason(check_id) if check.changed else None,
        "moves": moves,
        "can_decide": bool(DECIDED & MOVES[check.state]),
        "is_decided": check.state in DECIDED,
    }


def _to_check(check_id: str) -> RedirectResponse:
    return RedirectResponse(f"/checks/{check_id}", status_code=HTTPStatus.SEE_OTHER)
