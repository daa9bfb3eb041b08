"""Runs: search, get, replay, tag, delete, approve, export as ClaimReview; and what readers say about them."""

from dataclasses import replace
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import Response
from pydantic import BaseModel, Field, StringConstraints

from core.errors import ForbiddenError, InputError
from core.requests import parse_time
from core.types import Model, Result, Status, Verdict
from pipelines.runs.replay import Replay
from pipelines.runs.replay import replay as replay_run
from service.answers.archive import MAX_TAG_CHARS, MAX_TAGS, Deletion, RunQuery, RunSummary
from service.answers.caller import CALLER, MAX_PERSON_CHARS, Via
from service.answers.deletion import delete_person, delete_run
from service.api.app_state import state_of
from service.api.bodies import Body, DateText
from service.api.checks import LinkedData, export_claim_review, reviewer
from service.api.responses import ERRORS
from service.auth.access import Requirement, key_used
from service.auth.keys import Scope
from service.desk.approvals import Approval, approval, approve, withdraw
from service.desk.types import CheckState
from service.state.feedback import MAX_FEEDBACK_ID, MAX_REASON_CHARS, Feedback

RunId = Annotated[str, Field(max_length=64)]
_READ, _RUN = Depends(Requirement(Scope.READ)), Depends(Requirement(Scope.RUN))
_REVIEW, _ADMIN = Depends(Requirement(Scope.REVIEW)), Depends(Requirement(Scope.ADMIN))


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


class TagsBody(Body):
    """All tags of a run."""

    tags: list[Annotated[str, Field(max_length=MAX_TAG_CHARS)]] = Field(max_length=MAX_TAGS, examples=[["election"]])


class ArchiveParameters(BaseModel):
    """Which runs are wanted."""

    limit: int = Field(50, ge=1, le=200)
    before: RunId | None = Field(None, description="The `run_id` of the last run on the page before.")
    text: str | None = Field(None, max_length=200, description="Words of what was asked or answered.")
    verdict: Verdict | None = None
    status: Status | None = None
    state: CheckState | None = Field(None, description="Of the run's check on the desk.")
    system: str | None = Field(None, max_length=40)
    via: Via | None = Field(None, description="How the query came.")
    person: str | None = Field(None, max_length=MAX_PERSON_CHARS, description="Who asked.")
    source: str | None = Field(None, max_length=200, description="A publisher that was read.")
    tag: str | None = Field(None, max_length=MAX_TAG_CHARS)
    asked_from: DateText | None = None
    asked_to: DateText | None = Field(None, description="A day includes the whole day.")
    repeats_of: RunId | None = Field(None, description="Runs of the same claim as this run.")
    grouped: bool = Field(False, description="Of repeats and replays of one claim, only the latest.")

    def query(self) -> RunQuery:
        """
        Return what is looked for.

        :raises InputError: If a date is none.
        """
        given = self.model_dump(exclude={"limit", "before", "grouped"}, exclude_none=True)
        for name, is_end in (("asked_from", False), ("asked_to", True)):
            if name in given:
                given[name] = parse_time(given[name], field=name, end_of_day=is_end)
        return RunQuery.model_validate(given)


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
    async def list_runs(request: Request, wanted: Annotated[ArchiveParameters, Query()]) -> list[RunSummary]:
        state, query = state_of(request), wanted.query()
        return await state.reads.do(
            lambda _: state.archive.search(query, limit=wanted.limit, before=wanted.before, grouped=wanted.grouped)
        )

    @router.get("/runs/{run_id}", summary="A run with its record", dependencies=[_READ])
    async def get_run(request: Request, run_id: RunId) -> RunBody:
        state = state_of(request)
        return await state.reads.do(
            lambda _: RunBody(result=state.runs.get(run_id), approval=approval(state.desk, run_id))
        )

    @router.post("/runs/{run_id}/replay", summary="Ask again, and compare", dependencies=[_RUN])
    async def replay(
        request: Request,
        run_id: RunId,
        fresh: Annotated[bool, Query(description="Ask the chat model again instead of its recorded replies.")] = False,
    ) -> Replay:
        state = state_of(request)
        CALLER.set(replace(CALLER.get(), replay_of=run_id))
        return await state.answers.do(
            lambda progress: replay_run(state.runs.get(run_id), state.asker, fresh=fresh, progress=progress),
            request=request,
        )

    _add_tags_and_deletion(router)
    _add_approval(router)
    _add_export(router)
    _add_feedback(router)
    return router


def _add_tags_and_deletion(router: APIRouter) -> None:
    @router.put("/runs/{run_id}/tags", summary="Put tags on a run", dependencies=[_REVIEW])
    async def put_tags(request: Request, run_id: RunId, body: TagsBody) -> list[str]:
        state = state_of(request)
        return await state.reads.do(lambda _: state.archive.set_tags(run_id, body.tags))

    @router.delete("/runs/{run_id}", summary="Delete a run for good", dependencies=[_ADMIN])
    async def delete_one(request: Request, run_id: RunId) -> Deletion:
        state = state_of(request)
        return await state.reads.do(lambda _: delete_run(state.settings, state.archive, run_id))

    @router.delete("/runs", summary="Delete all that a person asked", dependencies=[_ADMIN])
    async def delete_of_person(
        request: Request, person: Annotated[str, Query(min_length=1, max_length=MAX_PERSON_CHARS)]
    ) -> Deletion:
        state = state_of(request)
        return await state.reads.do(lambda _: delete_person(state.settings, state.archive, person))


def _add_approval(router: APIRouter) -> None:
    @router.put("/runs/{run_id}/approval", summary="Stand behind a run", dependencies=[_REVIEW])
    async def put_approval(request: Request, run_id: RunId, body: ApprovalBody) -> Approval:
        state, key = state_of(request), key_used(request)
        kept = await state.reads.do(lambda _: approve(state.desk, run_id, by=body.approved_by, note=body.note, key=key))
        if kept.approved_by != body.approved_by:
            raise InputError(
                f"{kept.approved_by} has approved this run already, and stays its author",
                field="approved_by",
                hint="DELETE the approval first, if another person is to stand behind the run.",
            )
        return kept

    @router.delete("/runs/{run_id}/approval", summary="Take an approval back", dependencies=[_REVIEW], status_code=204)
    async def delete_approval(request: Request, run_id: RunId) -> Response:
        state = state_of(request)
        await state.reads.do(lambda _: withdraw(state.desk, run_id, who=reviewer(request)))
        return Response(status_code=204)


def _add_export(router: APIRouter) -> None:
    @router.get(
        "/runs/{run_id}/claim-review",
        summary="An approved run as ClaimReview JSON-LD",
        dependencies=[_READ],
        response_class=LinkedData,
    )
    async def export(request: Request, run_id: RunId) -> dict[str, Any]:
        state = state_of(request)
        return await state.reads.do(lambda _: export_claim_review(state, run_id, base=str(request.base_url)))


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
