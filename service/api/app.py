"""The application: what it shares, its middleware and its routes."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI

from core import __version__
from core.settings import Settings
from service.api.app_state import AppState
from service.api.errors import install_error_handlers
from service.api.health import health_router
from service.api.middleware import BodyLimits, LocalNames, RequestNames
from service.api.readiness import readiness_checks
from service.api.systems import systems_router
from service.api.work import Workshop
from service.asking import Asker, LazyEngine

MAX_WORKERS = 4
DESCRIPTION = """
Looksy answers one question: *does trusted reporting support this?* Each answer carries a verdict and exact quotes, with
their character offsets in the article that they stand in.
"""


def create_app(settings: Settings, *, asker: Asker | None = None) -> FastAPI:
    """
    Make the application. Neither index nor models are opened before they are needed.

    :param asker: Answers the requests; None: the engine, made from the settings.
    """
    state = AppState(
        settings=settings,
        asker=asker or LazyEngine(settings),
        workshop=Workshop(
            workers=min(MAX_WORKERS, os.cpu_count() or 1),
            queue_size=settings.queue_size,
            time_limit_s=settings.request_timeout,
        ),
    )

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        yield
        state.workshop.close()
        state.asker.close()

    app = FastAPI(
        title="Looksy", version=__version__, description=DESCRIPTION, lifespan=lifespan, docs_url=None, redoc_url=None
    )
    app.state.looksy = state
    app.include_router(health_router(lambda: readiness_checks(state)))
    app.include_router(systems_router())
    install_error_handlers(app)
    app.add_middleware(BodyLimits)
    app.add_middleware(LocalNames)
    app.add_middleware(RequestNames)  # outermost: every answer has a name
    return app
