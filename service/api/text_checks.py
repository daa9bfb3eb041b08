"""`POST /v1/check`: a whole text, claim by claim, as a stream, a result, or a job; `GET /v1/check/{id}`."""

import json
from collections.abc import AsyncIterator, Iterator
from datetime import date
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import PlainTextResponse, Response
from pydantic import Field

from core.errors import BusyError, LooksyError, TimeLimitError
from core.progress import ProgressEvent
from pipelines.systems.check import MAX_CLAIMS, MAX_WORDS, CheckedClaim, CheckedText
from service.api.app_state import AppState, state_of
from service.api.bodies import Body, DateText, FiltersBody, Options
from service.api.checks import LinkedData, reviewer
from service.api.errors import error_body, request_id
from service.api.negotiation import JSON, MARKDOWN, preferred
from service.api.responses import ERRORS
from service.api.stream import KEEP_ALIVE, MEDIA_TYPE, BoundedStream
from service.auth.access import Requirement
from service.auth.keys import Scope
from service.checks.background import Event
from service.checks.on_desk import claim_reviews, put_on_desk
from service.checks.request import check_request
from service.checks.store import StoredCheck
from service.desk import Check

WAIT_WORDS = 1_000
"""A longer text becomes a job, unless it is followed as a stream."""
HTML, CSV = "text/html", "text/csv"
CheckId = Annotated[str, Path(min_length=1, max_length=64, examples=["6f1c2a4be0d94c516f1c2a4be0d94c51"])]

ClaimId = Annotated[str, Path(min_length=1, max_length=20, examples=["c1"])]


class CheckBody(Body):
    """A text to check, and how."""

    text: str = Field(description=f"The text, at most {MAX_WORDS:,} words.", examples=["The ferry carried 312 people."])
    title: str = Field("", max_length=500, description="Shown on the report.")
    url: str = Field("", max_length=2_000, description="Where the text is from.")
    written_on: date | None = Field(None, strict=False, description="Day of the text, for “last year”.")
    speaker: str = Field("", max_length=100, description="Who says “I” in the text.")
    max_claims: int | None = Field(None, ge=1, le=MAX_CLAIMS, description="Claims to judge, the worthiest first.")
    as_of: DateText | None = Field(None, description="Only what was known by then is evidence.")
    filters: FiltersBody = Field(default_factory=FiltersBody)
    options: Options = Field(default_factory=dict, description="Options of verify, which judges each claim.")
    background: bool | None = Field(None, description="true: a job. None: a job where the text is long.")


class CheckReply(CheckedText):
    """A checked text, as far as it is."""

    running: bool
    """The check is on its way; ask again."""
    error: str = ""
    """Why it stopped before its end; send the text again, and it goes on."""


def text_checks_router() -> APIRouter:
    """Make the routes."""
    router = APIRouter(prefix="/v1/check", tags=["ask"])
    content = {MEDIA_TYPE: {"schema": {"type": "string"}}}

    @router.post(
        "",
        summary="Check a whole text",
        description="A stream where the client accepts `text/event-stream`; else the result, or 202 and a job.",
        dependencies=[Depends(Requirement(Scope.RUN))],
        responses={200: {"model": CheckReply, "content": content}, 202: {"model": CheckReply}, **ERRORS},
    )
    async def check(request: Request, body: CheckBody) -> Response:
        state = state_of(request)
        fields = body.model_dump(exclude={"background"}, exclude_defaults=True)
        asked = check_request(fields)
        streamed = preferred(request.headers.get("accept", ""), (JSON, MEDIA_TYPE)) == MEDIA_TYPE
        stored = await run_in_threadpool(state.text_checks.start, asked)
        if streamed:
            return _stream(state, stored, request, keep=bool(body.background))
        is_job = body.background if body.background is not None else len(asked.text.split()) > WAIT_WORDS
        if is_job:
            headers = {"Location": f"/v1/check/{stored.checked.id}"}
            return _reply(state, stored, status=202, headers=headers)
        return await _wait(state, stored)

    @router.get(
        "/{check_id}",
        summary="A checked text",
        description="Also while it runs. HTML, Markdown or CSV where the client accepts these: the report.",
        dependencies=[Depends(Requirement(Scope.READ))],
        responses={
            200: {
                "model": CheckReply,
                "content": {kind: {"schema": {"type": "string"}} for kind in (HTML, MARKDOWN, CSV)},
            },
            **ERRORS,
        },
    )
    async def get_check(request: Request, check_id: CheckId) -> Response:
        state = state_of(request)
        stored = await run_in_threadpool(state.text_checks.runner.store.get, check_id)
        kind = preferred(request.headers.get("accept", ""), (JSON, HTML, MARKDOWN, CSV))
        if kind == JSON:
            return _reply(state, stored)
        return await run_in_threadpool(report_response, stored, kind)

    _add_desk(router)
    return router


def _add_desk(router: APIRouter) -> None:
    @router.post(
        "/{check_id}/claims/{claim_id}/desk",
        summary="Put a claim of a checked text on the desk",
        dependencies=[Depends(Requirement(Scope.RUN))],
        status_code=201,
        responses={200: {"model": Check, "description": "The claim was on the desk already"}, **ERRORS},
    )
    async def to_desk(request: Request, response: Response, check_id: CheckId, claim_id: ClaimId) -> Check:
        state, who = state_of(request), reviewer(request)
        stored = await run_in_threadpool(state.text_checks.runner.store.get, check_id)
        check, is_new = await state.reads.do(lambda _: put_on_desk(state.desk, stored, claim_id, who=who))
        response.status_code = 201 if is_new else 200
        return check

    @router.get(
        "/{check_id}/claim-review",
        summary="The decided claims of a checked text as ClaimReview JSON-LD",
        dependencies=[Depends(Requirement(Scope.READ))],
        response_class=LinkedData,
        responses=ERRORS,
    )
    async def reviews(request: Request, check_id: CheckId) -> dict[str, Any]:
        state = state_of(request)
        stored = await run_in_threadpool(state.text_checks.runner.store.get, check_id)
        base = str(request.base_url)
        return await state.reads.do(lambda _: claim_reviews(state.desk, state.runs, stored, base=base))


def report_response(stored: StoredCheck, kind: str) -> Response:
    """Make a report of a kind: HTML, Markdown or CSV."""
    from service.checks.report import to_csv, to_html, to_markdown
    from service.checks.report.view import view_check

    view = view_check(stored.request, stored.checked)
    endings = {HTML: ("html", to_html), MARKDOWN: ("md", to_markdown), CSV: ("csv", to_csv)}
    ending, write = endings[kind]
    name = f"looksy-check-{stored.checked.id[:8]}.{ending}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return PlainTextResponse(write(view), media_type=kind, headers=headers)


def _reply(
    state: AppState, stored: StoredCheck, *, status: int = 200, headers: dict[str, str] | None = None
) -> Response:
    reply = CheckReply(
        **dict(stored.checked), running=state.text_checks.is_running(stored.checked.id), error=stored.error
    )
    return Response(reply.model_dump_json(), status_code=status, media_type=JSON, headers=headers)


async def _wait(state: AppState, stored: StoredCheck) -> Response:
    """Wait for the result as long as an answer may take; then the client is told where it will be."""
    import asyncio

    def last() -> Event | None:
        return [event for event in state.text_checks.follow(stored) if event is not None][-1]

    try:
        event = await asyncio.wait_for(run_in_threadpool(last), timeout=state.settings.request_timeout)
    except TimeoutError as error:
        hint = f"It goes on: GET /v1/check/{stored.checked.id}. A stream or a job waits for no result."
        raise TimeLimitError("The text was not checked in time", hint=hint) from error
    if isinstance(event, LooksyError):
        raise event
    return _reply(state, state.text_checks.runner.store.get(stored.checked.id))


def _stream(state: AppState, stored: StoredCheck, request: Request, *, keep: bool) -> BoundedStream:
    """
    Tell of a check as server-sent events.

    :param keep: Let it go on when the client has gone.
    """

    async def events() -> AsyncIterator[str]:
        is_first, told = True, iter(state.text_checks.follow(stored))
        try:
            while (event := await run_in_threadpool(_next, told)) is not _END:
                yield _written(event, request, is_first=is_first)
                is_first = False
        finally:
            if not keep:
                state.text_checks.stop(stored.checked.id)

    try:
        return BoundedStream(state, events(), limited=False)
    except BusyError:
        state.text_checks.stop(stored.checked.id)
        raise


_END = object()


def _next(told: Iterator[Event | None]) -> Any:
    return next(told, _END)


def _written(event: Event | None, request: Request, *, is_first: bool) -> str:
    if event is None:
        return KEEP_ALIVE
    if isinstance(event, CheckedText):
        name, data = ("claims" if is_first else "result"), event.model_dump(mode="json")
    elif isinstance(event, CheckedClaim):
        name, data = "claim", event.model_dump(mode="json")
    elif isinstance(event, ProgressEvent):
        name, data = "stage", event.model_dump(mode="json")
    else:
        name, data = "error", error_body(event, request_id(request)).model_dump()
    return f"event: {name}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n"
