"""Keeps the newsroom's own reports of a claim out of its evidence when somebody asks that claim anew."""

import logging
from collections.abc import Callable

from core.errors import StoreError
from core.progress import Progress, ignore_progress
from core.settings import Settings
from core.types import Notice, Request, Result
from indexing.stores.contract import EvidenceStore
from service.answers.asker import Asker
from service.desk.due import Due, DueChecks
from service.desk.rerun import ask_without, report_of
from service.state.database import FILE_NAME, Database

logger = logging.getLogger(__name__)
LEFT_OUT = Notice(
    code="own_report_left_out",
    message="Our own report of this claim, and copies of it, are not evidence for it and were left out.",
)
NOT_LOOKED_UP = Notice(
    code="own_reports_unknown",
    message="Our own checks could not be looked up, so a report of ours may be among the evidence.",
)


class OwnReportFilter:
    """
    An `Asker` that counts no report of ours as evidence for the claim that it reports.

    :param asker: Answers.
    :param database: Where the checks are.
    :param open_store: Opens the index, where their reports would be found; called when a claim is on the desk.
    """

    def __init__(self, asker: Asker, database: Database, open_store: Callable[[], EvidenceStore]) -> None:
        self.asker = asker
        self.database = database
        self.open_store = open_store

    def run(self, system: str, request: Request, *, progress: Progress = ignore_progress) -> Result:
        """Answer one request."""

        def ask(bounded: Request) -> Result:
            return self.asker.run(system, bounded, progress=progress)

        try:
            checks = self._checks_of(request.text)
            store = self.open_store() if checks else None
            reports = [report_of(check, store) for check in checks] if store else []
        except StoreError as error:
            logger.warning("own checks not looked up", extra={"reason": error.message})
            return _with(ask(request), NOT_LOOKED_UP)
        if not store:
            return ask(request)
        known = {name for check in checks for name in check.read}
        result = ask_without(ask, request, reports, store=store, known=known)
        is_less = len(result.request.filters.excluded_origins) > len(request.filters.excluded_origins)
        return _with(result, LEFT_OUT) if is_less else result

    def _checks_of(self, text: str) -> list[Due]:
        if not self.database.path.is_file():
            return []
        return DueChecks(self.database).of_claim(text)

    def warm_up(self) -> None:
        """Open the index and load the models."""
        self.asker.warm_up()

    def close(self) -> None:
        """Give back files and connections."""
        self.asker.close()


def keep_reports_out(asker: Asker, settings: Settings, open_store: Callable[[], EvidenceStore]) -> OwnReportFilter:
    """Make the filter for a command, which has no database open."""
    return OwnReportFilter(asker, Database(settings.data_dir / FILE_NAME), open_store)


def _with(result: Result, notice: Notice) -> Result:
    return result.model_copy(update={"warnings": (*result.warnings, notice)})
