"""Looks at checks again after an index job, and tells the webhook; what fails there is no failure of the job."""

import logging

from core.errors import CancelledError, LooksyError, StoreLockedError
from core.progress import Progress, ignore_progress
from core.settings import Settings
from indexing.factchecks import FactCheckStore
from indexing.stores.contract import EvidenceStore
from indexing.stores.open import open_store
from service.answers.asker import LazyEngine
from service.desk.changes import Change
from service.desk.recheck import Recheck, RecheckReport
from service.desk.webhook import Webhook
from service.factchecks.own_checks import OwnChecks
from service.state.database import FILE_NAME, Database

logger = logging.getLogger(__name__)


def look_again(
    settings: Settings,
    *,
    store: EvidenceStore | None = None,
    dry_run: bool = False,
    progress: Progress = ignore_progress,
) -> RecheckReport:
    """
    Look at the checks again, as `looksy recheck` does. Without any check nothing is opened.

    :param store: The index; None: the one that the settings name.
    :param dry_run: Only say which checks would be noted or asked again.
    :raises StoreLockedError: If another pass goes on.
    :raises StoreError: If there is no index, or a database cannot be used.
    """
    path = settings.data_dir / FILE_NAME
    if not path.is_file():
        return RecheckReport(dry_run=dry_run)
    database = Database(path)
    try:
        with database.open() as connection:
            if connection.execute("SELECT 1 FROM checks LIMIT 1").fetchone() is None:
                return RecheckReport(dry_run=dry_run)
        report = _pass(settings, database, store=store, dry_run=dry_run, progress=progress)
        if not dry_run:
            OwnChecks(database, FactCheckStore(settings.data_dir)).sync_all()
            Webhook(settings, database).deliver_due()
        return report
    finally:
        database.close()


def _pass(
    settings: Settings, database: Database, *, store: EvidenceStore | None, dry_run: bool, progress: Progress
) -> RecheckReport:
    asker, opened = LazyEngine(settings), store or open_store(settings)
    try:
        return Recheck(settings, database, asker=asker, store=opened).run(dry_run=dry_run, progress=progress)
    finally:
        asker.close()
        if store is None:
            opened.close()


def recheck_after_index(
    settings: Settings, *, store: EvidenceStore | None = None, progress: Progress = ignore_progress
) -> RecheckReport | None:
    """
    Look at the checks again after an index job.

    :returns: What was found; None: it is switched off, or it failed, which the log says.
    """
    if not settings.recheck:
        return None
    try:
        report = look_again(settings, store=store, progress=progress)
    except CancelledError:
        raise
    except StoreLockedError:
        logger.info("checks are being looked at already")
        return None
    except LooksyError as error:
        logger.warning("checks not looked at again", extra={"reason": error.message})
        return None
    except Exception:
        logger.exception("checks not looked at again")
        return None
    for change in report.changes:
        logger.info("look at a check again", extra={"check_id": change.check_id, "reason": change.reason()})
    return report


def lines(changes: tuple[Change, ...]) -> list[str]:
    """Return a line for each change, for people at a terminal."""
    return [f"{change.check_id[:12]}  {change.text[:80]}: {change.reason()}" for change in changes]
