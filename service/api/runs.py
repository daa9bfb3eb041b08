"""Runs: list, get, replay, approve, export as ClaimReview; and what readers say about them."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import JSONResponse, Response
from pydantic import Field, StringConstraints

from core.errors import ForbiddenError, InputError
from core.types import Model, Result
from pipelines.runs.replay import Replay
from pipelines.runs.replay import replay as replay_run
from service.answers.runs import Approval, RunSummary
from service.api.app_state import state_of
from service.api.bodies import Body
from service.api.responses import ERRORS
from service.auth.access import caller, requires
from service.auth.keys import Scope
from service.claim_review import claim_review
from service.state.feedback import MAX_FEEDBACK_ID, MAX_REASON_CHARS, Feedback

RunId = Annotated[str, Field(max_length=64)]
_READ, _RUN, _ADMIN = (Depends(requires(scope)) for scope in (Scope.READ, Scope.RUN, Scope.ADMIN))


class LinkedData(JSONResponse):
    """JSON-LD."""

    media_type = "application/ld+json"


class RunBody(Model):
    """A run: its result with the record, and who approved it."""

    result: Result
    approval: Approval | None


class ApprovalBody(Body):
    """A person's sign-off."""

    approved_by: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)] = Field(
        description="Name of the person.", examples=["Ada Fisher"]
    )
    note: str | None = Field(None, max_length=2000)


class FeedbackBody(Body):
    """Was the answer helpful, or one part of it?"""

    run_id: RunId
    part: int | None = Field(
        None, ge=1, le=1000, description="Number of a section of the result, from 1; left out: the result as a whole."
    )
    helpful: bool
    reason: str | None = Field(None, max_length=MAX_REASON_CHARS)


def runs_router() -> APIRouter:
    """Make the routes."""
    router = APIRouter(prefix="/v1", tags=["runs"], responses=ERRORS)

    @router.get("/runs", summary="The latest runs", dependencies=[_READ])
    async def list_runs(
        request: Request, limit: Annotated[int, Query(ge=1, le=200)] = 50, before: RunId | None = None
    ) -> list[RunSummary]:
        state = state_of(request)
        return await state.reads.do(lambda _: state.runs.list(limit=limit, before=before))

    @router.get("/runs/{run_id}", summary="A run with its record", dependencies=[_READ])
    async def get_run(request: Request, run_id: RunId) -> RunBody:
        state = state_of(request)
        return await state.reads.do(
            lambda _: RunBody(result=state.runs.get(run_id), approval=state.runs.approval(run_id))
        )

    @router.post("/runs/{run_id}/replay", summary="Ask again, and compare", dependencies=[_RUN])
    async def replay(
        request: Request,
        run_id: RunId,
        fresh: Annotated[bool, Query(description="Ask the chat model again instead of its recorded replies.")] = False,
    ) -> Replay:
        state = state_of(request)
        return await state.answers.do(
            lambda progress: replay_run(state.runs.get(run_id), state.asker, fresh=fresh, progress=progress),
            request=request,
        )

    @router.put("/runs/{run_id}/approval", summary="Stand behind a run", dependencies=[_ADMIN])
    async def approve(request: Request, run_id: RunId, body: ApprovalBody) -> Approval:
        state, key = state_of(request), caller(request)
        used = f"{key.key_id}, {key.name}" if key else None
        kept = await state.reads.do(lambda _: state.runs.approve(run_id, by=body.approved_by, note=body.note, key=used))
        if kept.approved_by != body.approved_by:
            raise InputError(
                f"{kept.approved_by} has approved this run already, and stays its author",
                field="approved_by",
                hint="DELETE the approval first, if another person is to stand behind the run.",
            )
        return kept

    @router.delete("/runs/{run_id}/approval", summary="Take an approval back", dependencies=[_ADMIN], status_code=204)
    async def withdraw(request: Request, run_id: RunId) -> Response:
        state = state_of(request)
        await state.reads.do(lambda _: state.runs.withdraw(run_id))
        return Response(status_code=204)

    _add_export(router)
    _add_feedback(router)
    return router


def _add_export(router: APIRouter) -> None:
    @router.get(
        "/runs/{run_id}/claim-review",
        summary="An approved run as ClaimReview JSON-LD",
        dependencies=[_READ],
        response_class=LinkedData,
    )
    async def export(request: Request, run_id: RunId) -> dict[str, Any]:
        state = state_of(request)
        result, approval = await state.reads.do(lambda _: (state.runs.get(run_id), state.runs.approval(run_id)))
        return claim_review(result, approval, page=f"{request.base_url}runs/{run_id}")


def _add_feedback(router: APIRouter) -> None:
    @router.post("/feedback", summary="Say whether an answer helped", dependencies=[_RUN], status_code=201)
    async def give_feedback(request: Request, body: FeedbackBody) -> Feedback:
        state = state_of(request)
        if not state.settings.feedback:
            raise ForbiddenError("Feedback is switched off here.", hint="The operator sets feedback: true.")
        return await state.reads.do(
            lambda _: state.feedback.add(body.run_id, helpful=body.helpful, reason=body.reason, part=body.part)
        )

    @router.get("/feedback", summary="What readers said, newest first", dependencies=[_ADMIN])
    async def list_feedback(
        request: Request,
        limit: Annotated[int, Query(ge=1, le=1000)] = 100,
        before: Annotated[int | None, Query(ge=1, le=MAX_FEEDBACK_ID, description="A `feedback_id`.")] = None,
    ) -> list[Feedback]:
        state = state_of(request)
        return await state.reads.do(lambda _: state.feedback.list(limit=limit, before=before))
