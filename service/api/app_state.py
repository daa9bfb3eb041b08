"""What the handlers of one app share."""

import os
from dataclasses import dataclass
from typing import TypedDict, cast

from fastapi import Request

from core.errors import LooksyError
from core.settings import Settings
from service.answers.archive import Archive
from service.answers.asker import Asker, RecordingAsker
from service.answers.runs import Runs
from service.api.worker_pool import WorkerPool
from service.auth.keys import Keys
from service.auth.rate_limit import WRONG_KEYS_PER_MINUTE, Rates
from service.checks.background import BackgroundChecks
from service.checks.run import CheckRunner
from service.checks.store import CheckStore
from service.desk import Desk
from service.desk.changes import Changes
from service.desk.report_filter import OwnReportFilter
from service.desk.webhook import Webhook, WebhookSender
from service.factchecks.checked_before import CheckedBeforeAsker, EarlierChecks
from service.factchecks.own_checks import OwnChecks
from service.jobs.runner import JobRunner
from service.operations.metrics import Metrics
from service.operations.telemetry import Telemetry
from service.state.database import FILE_NAME, Database
from service.state.feedback import FeedbackBox
from service.state.jobs import Jobs
from service.stores import LazyStore

MAX_ANSWERERS = 4
CHECKS_KEPT = 500
"""Checked texts at most; each holds its text and quotes."""
READERS = 4
"""Threads for what is quick: lists, lookups, counts. It does not wait behind answers."""


class _Limits(TypedDict):
    queue_size: int
    time_limit_s: float


@dataclass
class Streams:
    """How many streams of events are open; changed by the event loop alone."""

    open: int = 0


@dataclass(frozen=True)
class AppState:
    """Settings, and what does the work."""

    settings: Settings
    database: Database
    asker: Asker
    answers: WorkerPool
    """Makes answers."""
    reads: WorkerPool
    """Looks up what is there."""
    store: LazyStore
    earlier: EarlierChecks
    runs: Runs
    archive: Archive
    desk: Desk
    own_checks: OwnChecks
    changes: Changes
    webhooks: WebhookSender
    feedback: FeedbackBox
    keys: Keys
    rates: Rates
    wrong_keys: Rates
    jobs: Jobs
    runner: JobRunner
    metrics: Metrics
    telemetry: Telemetry
    streams: Streams
    text_checks: BackgroundChecks
    """Checks whole texts."""

    @property
    def max_streams(self) -> int:
        """As many streams as there can be answers on their way."""
        return self.answers.workers + self.answers.queue_size

    def close(self) -> None:
        """Stop what goes on and give everything back."""
        self.answers.close()
        self.reads.close()
        self.text_checks.close()
        self.runner.close()
        self.webhooks.close()
        self.asker.close()
        self.store.close()
        self.database.close()


def make_state(settings: Settings, *, asker: Asker, telemetry: Telemetry) -> AppState:
    """Make what the handlers share. Nothing is opened yet."""
    database = Database(settings.data_dir / FILE_NAME)
    runs, jobs, metrics = Runs(database, keep=settings.keep_runs), Jobs(database), Metrics()
    limits: _Limits = {"queue_size": settings.queue_size, "time_limit_s": settings.request_timeout}
    earlier = EarlierChecks(settings)
    store = LazyStore(settings)
    asker = CheckedBeforeAsker(OwnReportFilter(asker, database, store.get), earlier)
    own_checks = OwnChecks(database, earlier.store)
    recording = RecordingAsker(asker, runs=runs, metrics=metrics, telemetry=telemetry, log_queries=settings.log_queries)
    kept = CheckStore(settings.data_dir, keep=min(settings.keep_runs, CHECKS_KEPT))
    checks = BackgroundChecks(CheckRunner(recording, kept, snapshot=lambda: _snapshot(store)))
    return AppState(
        settings=settings,
        database=database,
        asker=recording,
        answers=WorkerPool(workers=min(MAX_ANSWERERS, os.cpu_count() or 1), **limits),
        reads=WorkerPool(workers=READERS, **limits),
        store=store,
        earlier=earlier,
        runs=runs,
        archive=Archive(database),
        desk=Desk(database, reviewers=settings.reviewers, on_change=own_checks.sync),
        own_checks=own_checks,
        changes=Changes(database),
        webhooks=WebhookSender(Webhook(settings, database)),
        feedback=FeedbackBox(database),
        keys=Keys(database),
        rates=Rates(settings.rate_per_minute),
        wrong_keys=Rates(WRONG_KEYS_PER_MINUTE, whose="Who has no valid key"),
        jobs=jobs,
        runner=JobRunner(settings, jobs, ask=recording.run),
        metrics=metrics,
        telemetry=telemetry,
        streams=Streams(),
        text_checks=checks,
    )


def _snapshot(store: LazyStore) -> str:
    try:
        return store.get().snapshot_id()
    except LooksyError:  # who judges the first claim says what is missing
        return ""


def state_of(request: Request) -> AppState:
    """Return the state of the app that handles this request."""
    return cast(AppState, request.app.state.looksy)
