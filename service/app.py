"""The application: what it shares, its middleware and its routes."""

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import Depends, FastAPI
from fastapi.concurrency import run_in_threadpool
from fastapi.staticfiles import StaticFiles

from core import __version__
from core.errors import StoreError, StoreVersionError
from core.settings import Settings
from service.answers.asker import Asker, LazyEngine
from service.answers.run_files import import_run_files
from service.api.app_state import AppState, make_state
from service.api.changes import changes_router
from service.api.chat import chat_router
from service.api.checks import checks_router
from service.api.errors import UnexpectedErrorMiddleware, install_error_handlers
from service.api.evidence import evidence_router
from service.api.examples import add_examples
from service.api.factchecks import factchecks_router
from service.api.health import health_router
from service.api.jobs import jobs_router
from service.api.metrics_middleware import MetricsMiddleware
from service.api.middleware import BodyLimitMiddleware, HeadAsGetMiddleware, LocalNameMiddleware, RequestNameMiddleware
from service.api.operations import operations_router
from service.api.parameters import check_parameters
from service.api.readiness import readiness_checks
from service.api.reports import reports_router
from service.api.responses import add_error_body
from service.api.runs import runs_router
from service.api.systems import systems_router
from service.api.text_checks import text_checks_router
from service.auth.access import add_keys, needs_keys
from service.operations.telemetry import Telemetry, TracingMiddleware, make_telemetry
from service.web.pages import FOLDER, error_page, pages_router

STATIC = FOLDER / "static"
DESCRIPTION = """
Looksy answers one question: *does trusted reporting support this?* Each answer carries a verdict and exact quotes, with
their character offsets in the article that they stand in.
"""


logger = logging.getLogger(__name__)


def create_app(settings: Settings, *, asker: Asker | None = None, telemetry: Telemetry | None = None) -> FastAPI:
    """
    Make the application. Neither index nor models are opened before they are needed.

    :param asker: Answers the requests; None: the engine, made from the settings.
    :param telemetry: Traces the requests; None: as the settings say.
    """
    state = make_state(settings, asker=asker or LazyEngine(settings), telemetry=telemetry or make_telemetry(settings))

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        await run_in_threadpool(_tidy, state)
        state.webhooks.start()
        yield
        await run_in_threadpool(state.close)

    app = FastAPI(
        title="Looksy", version=__version__, description=DESCRIPTION, lifespan=lifespan, docs_url=None, redoc_url=None
    )
    app.state.looksy = state
    app.include_router(health_router(lambda: readiness_checks(state)))
    for make_router in (
        systems_router,
        evidence_router,
        factchecks_router,
        runs_router,
        checks_router,
        changes_router,
        text_checks_router,
        reports_router,
        jobs_router,
        chat_router,
        operations_router,
    ):
        app.include_router(make_router(), dependencies=[Depends(check_parameters)])
    app.include_router(pages_router())
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    describe = app.openapi
    app.openapi = lambda: (  # type: ignore[method-assign]
        app.openapi_schema or add_keys(add_error_body(add_examples(describe())), settings)
    )
    install_error_handlers(app, page=error_page)
    app.add_middleware(BodyLimitMiddleware)
    if not needs_keys(settings):
        app.add_middleware(LocalNameMiddleware)
    app.add_middleware(MetricsMiddleware, metrics=state.metrics)
    if state.telemetry.tracer is not None:
        app.add_middleware(TracingMiddleware, telemetry=state.telemetry)
    app.add_middleware(UnexpectedErrorMiddleware)
    app.add_middleware(RequestNameMiddleware)  # every answer has a name
    app.add_middleware(HeadAsGetMiddleware)
    return app


def _tidy(state: AppState) -> None:
    """Note jobs that ended with their process, and drop old runs; a full disk keeps nobody from asking."""
    for task in (
        state.jobs.recover,
        lambda: import_run_files(state.database, state.settings.data_dir),
        state.runs.prune,
        state.own_checks.sync_all,
    ):
        try:
            task()
        except StoreVersionError:
            raise
        except StoreError as error:
            logger.warning("not tidied up at the start", extra={"reason": error.message})
