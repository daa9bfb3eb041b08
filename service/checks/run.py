"""A text checked and kept: begun, or gone on with where it stopped."""

import hashlib
import logging
from collections.abc import Callable

from core.errors import LooksyError, StoreError
from core.progress import Progress, ignore_progress
from core.types import Result
from pipelines.systems.check import CheckedClaim, CheckedText, CheckRequest, TextChecker
from pipelines.systems.check.joint_verify import Answerer
from service.checks.store import CheckStore, StoredCheck

logger = logging.getLogger(__name__)
Told = Callable[[CheckedText | CheckedClaim], None]
"""Told of the text when its claims are found, then of each claim as it settles."""


def key_of(request: CheckRequest, *, snapshot_id: str) -> str:
    """Return what tells a check from others: its text and options, and what the index held."""
    return hashlib.sha256(f"{snapshot_id}\n{request.model_dump_json()}".encode("utf-8", "surrogatepass")).hexdigest()


class CheckRunner:
    """
    Check texts and keep what settles.

    :param answerer: Judges claims; it keeps their answer runs.
    :param store: Keeps checks.
    :param snapshot: Names what the index holds now.
    """

    def __init__(self, answerer: Answerer, store: CheckStore, *, snapshot: Callable[[], str] = lambda: "") -> None:
        self.checker = TextChecker(answerer)
        self.store = store
        self.snapshot = snapshot

    def begin(self, request: CheckRequest, *, resume: bool = True) -> StoredCheck:
        """
        Find the claims of a text, or the check of it that has stopped.

        :param resume: Go on with a stopped check of the same text, options and index.
        :raises InputError: If the text cannot be checked.
        """
        key = key_of(request, snapshot_id=self.snapshot())
        if resume and (known := self.store.unfinished(key)) is not None:
            return known.model_copy(update={"error": ""})
        stored = StoredCheck(key=key, request=request, checked=self.checker.start(request))
        self.store.begin(stored)
        return stored

    def finish(
        self, stored: StoredCheck, *, progress: Progress = ignore_progress, told: Told = lambda what: None
    ) -> CheckedText:
        """
        Judge what waits, and keep it claim by claim.

        :param progress: Told after each batch; may raise `CancelledError`, which stops the check where it is.
        :param told: Told of the text and of each claim that settles.
        """
        told(stored.checked)

        def settled(claim: CheckedClaim, result: Result | None) -> None:
            self._keep(stored.checked.id, claim)
            told(claim)

        try:
            checked = self.checker.check(stored.request, started=stored.checked, progress=progress, settled=settled)
        except LooksyError as error:
            self._end(self.store.get(stored.checked.id).checked, error=error.message)
            raise
        self._end(checked)
        return checked

    def _keep(self, check_id: str, claim: CheckedClaim) -> None:
        try:
            self.store.add(check_id, claim)
        except StoreError as error:  # the answer is worth more than its record
            logger.warning("claim not kept", extra={"check_id": check_id, "reason": error.message})

    def _end(self, checked: CheckedText, *, error: str = "") -> None:
        try:
            self.store.end(checked, error=error)
        except StoreError as problem:
            logger.warning("check not kept", extra={"check_id": checked.id, "reason": problem.message})
