"""Checks: put a run on the desk, list, look at one, change it, see its history; export it as ClaimReview."""

import re
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, Query, Request
from fastapi.responses import JSONResponse, Response, StreamingResponse
from pydantic import BaseModel, Field

from core.errors import InputError
from core.types import Verdict
from service.api.app_state import AppState, state_of
from service.api.bodies import Body
from service.api.responses import ERRORS
from service.auth.access import Requirement, key_used, person
from service.auth.keys import Scope
from service.desk.agreement import Agreement, labelled_rows, measure_agreement
from service.desk.claim_review import claim_review
from service.desk.types import (
    MAX_CHECKLIST,
    MAX_NAME_CHARS,
    MAX_NOTE_CHARS,
    MOVES,
    Address,
    Check,
    CheckPatch,
    CheckQuery,
    CheckState,
    HistoryEntry,
    ReasonCode,
    Reviewer,
)
from service.reports.source import page_address

CheckId = Annotated[str, Field(max_length=64)]
_READ, _RUN = Depends(Requirement(Scope.READ)), Depends(Requirement(Scope.RUN))
_REVIEW, _ADMIN = Depends(Requirement(Scope.REVIEW)), Depends(Requirement(Scope.ADMIN))
_VERSION = re.compile(r'(?:W/)?"(\d{1,18})"')
Version = Annotated[int | None, Field(ge=1, le=2**53, description="The version that the change is made from.")]
IfMatch = Annotated[str | None, Header(max_length=40, description="The ETag that the change is made from.")]
By = Annotated[str | None, Field(max_length=MAX_NAME_CHARS, description="Who you are, where no key says it.")]


class LinkedData(JSONResponse):
    """JSON-LD."""

    media_type = "application/ld+json"


class NewCheckBody(Body):
    """A run for the desk."""

    run_id: str = Field(max_length=64)
    by: By = None


class DecisionBody(Body):
    """What people decide."""

    verdict: Verdict | None = Field(None, strict=False, description="Left out: that of the machine.")
    reason_code: ReasonCode | None = Field(None, description="Needed to override.", examples=["missing_evidence"])
    comment: str | None = Field(None, max_length=MAX_NOTE_CHARS)


class CheckChangeBody(Body):
    """Changes of a check; what is left out stays, null empties a field."""

    state: CheckState | None = Field(None, strict=False)
    owner: str | None = Field(None, max_length=MAX_NAME_CHARS)
    note: str | None = Field(None, max_length=MAX_NOTE_CHARS)
    checklist: dict[Annotated[str, Field(min_length=1, max_length=200)], bool] | None = Field(
        None, max_length=MAX_CHECKLIST, description="Items to true or false; merged into the checklist."
    )
    decision: DecisionBody | None = None
    claim_author: str | None = Field(None, max_length=200, description="Who made the claim.")
    claim_appearance: Address | None = Field(None, description="Where the claim can be seen.")
    claim_date: str | None = Field(None, max_length=40, description="When the claim was made.")
    published_url: Address | None = Field(
        None, description="Your published report; it is never evidence for this check."
    )
    version: Version = None
    by: By = None


class CheckBody(Check):
    """A check with what can be done with it."""

    moves: tuple[CheckState, ...]
    """States that it can be moved to."""
    runs: tuple[str, ...]
    """Its answers, oldest first."""


class CheckParameters(BaseModel):
    """Which checks are wanted."""

    limit: int = Field(50, ge=1, le=200)
    before: CheckId | None = Field(None, description="The `check_id` of the last check on the page before.")
    state: CheckState | None = None
    owner: str | None = Field(None, max_length=MAX_NAME_CHARS)
    text: str | None = Field(None, max_length=200, description="Words of claim, note or comment.")
    verdict: Verdict | None = Field(None, description="What people decided, else what the machine says.")
    changed: bool | None = Field(None, description="Whether the evidence has changed since the last decision.")
    run_id: CheckId | None = None


def reviewer(request: Request, by: str | None = None) -> Reviewer:
    """
    Return who works on a check.

    :param by: The name that the client sends; it counts where neither key nor proxy says who it is.
    :raises InputError: If they say something else.
    """
    known = person(request)
    if known is not None and by is not None and by.strip() != known:
        raise InputError(f"by is {by[:40]!r}, and you are {known}", field="by", hint="Leave it out.")
    return Reviewer(known or (by or "").strip() or None, key_used(request))


def checks_router() -> APIRouter:
    """Make the routes."""
    router = APIRouter(prefix="/v1", tags=["desk"], responses=ERRORS)

    @router.post(
        "/checks",
        summary="Put a run on the desk",
        dependencies=[_RUN],
        status_code=201,
        responses={200: {"model": CheckBody, "description": "The run was on the desk already"}},
    )
    async def add_check(request: Request, response: Response, body: NewCheckBody) -> CheckBody:
        state, who = state_of(request), reviewer(request, body.by)
        check, is_new = await state.reads.do(lambda _: state.desk.add(body.run_id, who=who))
        response.status_code = 201 if is_new else 200
        return await _tell(state, check, response)

    @router.get("/checks", summary="Checks, the latest changed first", dependencies=[_READ])
    async def list_checks(request: Request, wanted: Annotated[CheckParameters, Query()]) -> list[Check]:
        state = state_of(request)
        query = CheckQuery.model_validate(wanted.model_dump(exclude={"limit", "before"}))
        return await state.reads.do(lambda _: state.desk.find(query, limit=wanted.limit, before=wanted.before))

    _add_figures(router)

    @router.get("/checks/{check_id}", summary="A check", dependencies=[_READ])
    async def get_check(request: Request, response: Response, check_id: CheckId) -> CheckBody:
        state = state_of(request)
        return await _tell(state, await state.reads.do(lambda _: state.desk.get(check_id)), response)

    @router.patch("/checks/{check_id}", summary="Change a check", dependencies=[_REVIEW])
    async def change_check(
        request: Request,
        response: Response,
        check_id: CheckId,
        body: CheckChangeBody,
        if_match: Annotated[
            str | None, Header(max_length=40, description="The ETag that the change is made from.")
        ] = None,
    ) -> CheckBody:
        state, who = state_of(request), reviewer(request, body.by)
        patch = CheckPatch.model_validate(body.model_dump(exclude={"version", "by"}, exclude_unset=True))
        version = body.version if body.version is not None else _version_of(if_match)
        changed = await state.reads.do(lambda _: state.desk.change(check_id, patch, who=who, version=version))
        return await _tell(state, changed, response)

    @router.get("/checks/{check_id}/history", summary="What happened to a check, oldest first", dependencies=[_READ])
    async def get_history(request: Request, check_id: CheckId) -> list[HistoryEntry]:
        state = state_of(request)
        return await state.reads.do(lambda _: state.desk.history(check_id))

    @router.get(
        "/checks/{check_id}/claim-review",
        summary="A decided check as ClaimReview JSON-LD",
        dependencies=[_READ],
        response_class=LinkedData,
    )
    async def export(request: Request, check_id: CheckId) -> dict[str, Any]:
        state = state_of(request)
        return await state.reads.do(
            lambda _: export_claim_review(state, state.desk.get(check_id).run_id, base=str(request.base_url))
        )

    return router


def _add_figures(router: APIRouter) -> None:
    @router.get("/checks/agreement", summary="How far people and machine agree", dependencies=[_READ])
    async def agreement(request: Request) -> Agreement:
        state = state_of(request)
        return await state.reads.do(lambda _: measure_agreement(state.database))

    @router.get(
        "/checks/labels",
        summary="People's decisions as labelled rows, one JSON object a line",
        dependencies=[_READ],
        response_class=StreamingResponse,
        responses={200: {"content": {"application/x-ndjson": {"schema": {"type": "string"}}}}},
    )
    async def labels(
        request: Request,
        all_decided: Annotated[bool, Query(description="Also those in which people agree with the machine.")] = False,
    ) -> Any:
        state = state_of(request)
        rows = await state.reads.do(lambda _: list(labelled_rows(state.database, overrides_only=not all_decided)))
        return StreamingResponse((f"{row.model_dump_json()}\n" for row in rows), media_type="application/x-ndjson")


async def _tell(state: AppState, check: Check, response: Response) -> CheckBody:
    response.headers["ETag"] = f'"{check.version}"'
    runs = await state.reads.do(lambda _: state.desk.runs(check.check_id))
    moves = tuple(move for move in CheckState if move in MOVES[check.state])
    return CheckBody(**check.model_dump(), moves=moves, runs=tuple(runs))


def _version_of(tag: str | None) -> int | None:
    if tag is None or tag.strip() == "*":
        return None
    found = _VERSION.fullmatch(tag.strip())
    if found is None:
        raise InputError(f"If-Match is {tag[:40]!r}, no version", field="if-match", hint="Send the ETag of the check.")
    return int(found[1])


def export_claim_review(state: AppState, run_id: str, *, base: str) -> dict[str, Any]:
    """
    Return the ClaimReview of a run's check.

    :param base: Address of the service, with a slash at its end.
    """
    result, check = state.runs.get(run_id), state.desk.of_run(run_id)
    if check is not None and check.run_id != run_id:
        result = state.runs.get(check.run_id)
    reason = state.changes.reason(check.check_id) if check is not None and check.changed else None
    return claim_review(result, check, page=page_address(base, result, check), reason=reason)
