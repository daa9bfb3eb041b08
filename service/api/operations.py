"""`/metrics`: what an operator's monitoring reads."""

import time

from fastapi import APIRouter, Depends, Request
from fastapi.responses import PlainTextResponse, Response

from core.errors import LooksyError
from service.api.app_state import AppState, state_of
from service.api.responses import ERRORS
from service.auth.access import Requirement
from service.auth.keys import Scope
from service.desk.agreement import gauges as desk_gauges
from service.state.jobs import JobKind

MEDIA_TYPE = "text/plain; version=0.0.4"


def operations_router() -> APIRouter:
    """Make the route."""
    router = APIRouter(tags=["health"], dependencies=[Depends(Requirement(Scope.READ))], responses=ERRORS)

    @router.get("/metrics", summary="Prometheus metrics", response_class=PlainTextResponse)
    async def metrics(request: Request) -> Response:
        state = state_of(request)
        gauges = await state.reads.do(lambda _: _gauges(state))
        return PlainTextResponse(state.metrics.render(gauges), media_type=MEDIA_TYPE)

    return router


def _gauges(state: AppState) -> dict[str, float]:
    values = {
        "looksy_queue_waiting": float(max(0, state.answers.pending - state.answers.workers)),
        "looksy_queue_room": float(state.answers.queue_size),
    }
    now = time.time()
    for kind, name in ((JobKind.CRAWL, "looksy_crawl_age_seconds"), (JobKind.INDEX, "looksy_index_job_age_seconds")):
        if (ended := state.jobs.last_done(kind)) is not None:
            values[name] = now - ended.timestamp()
    values["looksy_jobs_unfinished"] = float(state.jobs.count_unfinished())
    values |= desk_gauges(state.database)
    try:
        counts = state.store.get().counts(by_month=False)
    except LooksyError:
        return values | {"looksy_index_open": 0.0}
    values |= {"looksy_index_open": 1.0, "looksy_index_articles": counts.articles}
    if counts.last_published_at is not None:
        values["looksy_newest_article_age_seconds"] = now - counts.last_published_at.timestamp()
    return values
