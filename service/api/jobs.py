"""Jobs: start a crawl, an index job or a batch; observe; cancel."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import StreamingResponse
from pydantic import AfterValidator, Field

from core.errors import InputError, writable
from core.types import MAX_TEXT_CHARS
from pipelines.systems.registry import get_system, request_for
from service.api.app_state import state_of
from service.api.bodies import Body, Name, QueryBody
from service.api.responses import ERRORS
from service.auth.access import Requirement, caller
from service.auth.keys import Scope
from service.auth.redaction import public_job
from service.jobs.batches import MAX_BATCH_LINES, read_results
from service.jobs.tasks import CrawlParameters
from service.state.jobs import Job

_READ, _RUN, _ADMIN = (Depends(Requirement(scope)) for scope in (Scope.READ, Scope.RUN, Scope.ADMIN))
JobId = Annotated[str, Field(max_length=64)]


class CrawlBody(Body):
    """What to crawl. Only publishers that the operator set up can be named here."""

    publisher: str = Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,63}$", description="A name in configs/publishers/.")
    limit: int | None = Field(None, ge=1)
    index: bool = Field(True, description="Index what was fetched, too.")


def _whole(value: str | int | None) -> str | int | None:
    """
    Refuse half a character (a lone surrogate): it could not be written back.

    :raises ValueError: If the text holds one.
    """
    if isinstance(value, str) and value != writable(value):
        raise ValueError("half a character (a lone surrogate) is not accepted")
    return value


class BatchQuery(QueryBody):
    """One query of a batch."""

    text: str = Field(max_length=MAX_TEXT_CHARS, description="As long as the system takes it.")
    id: Annotated[str | int | None, AfterValidator(_whole)] = Field(None, description="Comes back with the result.")


class BatchBody(Body):
    """Queries to answer one after the other."""

    system: Name = "verify"
    queries: Annotated[list[BatchQuery], Field(min_length=1, max_length=MAX_BATCH_LINES)]


def jobs_router() -> APIRouter:
    """Make the routes."""
    router = APIRouter(prefix="/v1", tags=["jobs"], responses=ERRORS)

    @router.get("/jobs", summary="The latest jobs", dependencies=[_READ])
    async def list_jobs(
        request: Request, limit: Annotated[int, Query(ge=1, le=200)] = 50, before: JobId | None = None
    ) -> list[Job]:
        state = state_of(request)
        jobs = await state.reads.do(lambda _: state.jobs.list(limit=limit, before=before))
        return [_told(job, request) for job in jobs]

    @router.get("/jobs/{job_id}", summary="How a job stands", dependencies=[_READ])
    async def get_job(request: Request, job_id: JobId) -> Job:
        state = state_of(request)
        return _told(await state.reads.do(lambda _: state.jobs.get(job_id)), request)

    @router.post("/jobs/crawl", summary="Crawl a publisher", dependencies=[_ADMIN], status_code=202)
    async def start_crawl(request: Request, body: CrawlBody) -> Job:
        state = state_of(request)
        parameters = CrawlParameters(publisher=body.publisher, limit=body.limit, index=body.index)
        return await state.reads.do(lambda _: state.runner.start_crawl(parameters))

    @router.post("/jobs/index", summary="Index what was crawled", dependencies=[_ADMIN], status_code=202)
    async def start_index(request: Request) -> Job:
        state = state_of(request)
        return await state.reads.do(lambda _: state.runner.start_index())

    @router.delete("/jobs/{job_id}", summary="Stop a job", dependencies=[_ADMIN])
    async def cancel_job(request: Request, job_id: JobId) -> Job:
        state = state_of(request)
        return await state.reads.do(lambda _: state.runner.cancel(job_id))

    _add_batch(router)
    return router


def _told(job: Job, request: Request) -> Job:
    """Return a job as the caller may see it."""
    key = caller(request)
    return job if key is None or key.allows(Scope.ADMIN) else public_job(job)


def _check(system: str, query: dict[str, Any], *, place: str) -> None:
    """
    See that a query of a batch can be asked.

    :param place: Of the query in the body.
    :raises InputError: If not; names the field with its place.
    """
    try:
        request_for(system, {name: value for name, value in query.items() if name != "id"})
    except InputError as error:
        raise InputError(error.message, field=f"{place}.{error.field}", hint=error.hint) from error


def _add_batch(router: APIRouter) -> None:
    @router.post("/batch", summary="Answer many queries as a job", dependencies=[_RUN], status_code=202)
    async def start_batch(request: Request, body: BatchBody) -> Job:
        state, key = state_of(request), caller(request)
        get_system(body.system)
        queries = [query.model_dump(mode="json", exclude_none=True) for query in body.queries]
        for number, query in enumerate(queries):
            _check(body.system, query, place=f"queries.{number}")
        key_id = key.key_id if key else None
        return await state.reads.do(lambda _: state.runner.start_batch(body.system, queries, key_id=key_id))

    @router.get(
        "/jobs/{job_id}/results",
        summary="Results of a batch so far, one JSON object a line",
        dependencies=[_READ],
        response_class=StreamingResponse,
        responses={200: {"content": {"application/x-ndjson": {"schema": {"type": "string"}}}}},
    )
    async def get_results(request: Request, job_id: JobId) -> Any:
        state = state_of(request)
        lines = await state.reads.do(lambda _: list(read_results(state.settings, state.jobs.get(job_id))))
        return StreamingResponse(iter(lines), media_type="application/x-ndjson")
