"""What the service needs of the engine, and how it opens it: lazily, so that it can say what is missing."""

import logging
import threading
from typing import Protocol

from core.errors import LooksyError, StoreError
from core.progress import Progress, ignore_progress
from core.settings import Settings
from core.types import Notice, Request, Result
from service.answers.runs import Runs
from service.auth.redaction import public_failure
from service.operations.logs import QUERY
from service.operations.metrics import Metrics
from service.operations.telemetry import Telemetry

logger = logging.getLogger(__name__)
NOT_KEPT = Notice(
    code="run_not_kept",
    message="The service could not keep this answer: no list shows it, and its link works for a short time only.",
)


class Asker(Protocol):
    """Answers requests; `pipelines.engine.Engine` is one."""

    def run(self, system: str, request: Request, *, progress: Progress = ignore_progress) -> Result:
        """Answer one request."""
        ...

    def warm_up(self) -> None:
        """Open the index and load the models."""
        ...

    def close(self) -> None:
        """Give back files and connections."""
        ...


class LazyEngine:
    """
    An `Asker` that makes the engine when it is first needed, and tries again if that failed.

    :param settings: For the engine.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._engine: Asker | None = None
        self._warm = False
        self._lock = threading.Lock()

    def run(self, system: str, request: Request, *, progress: Progress = ignore_progress) -> Result:
        """Answer one request."""
        return self._open().run(system, request, progress=progress)

    def warm_up(self) -> None:
        """
        Open the index and load the models, once.

        :raises LooksyError: If a part is missing; the next call tries again.
        """
        engine = self._open()
        with self._lock:
            if not self._warm:
                engine.warm_up()
                self._warm = True

    def close(self) -> None:
        """Give back files and connections; closing twice is harmless."""
        with self._lock:
            if self._engine is not None:
                self._engine.close()
                self._engine, self._warm = None, False

    def _open(self) -> Asker:
        with self._lock:
            if self._engine is None:
                from pipelines.engine import Engine

                self._engine = Engine(self.settings)
            return self._engine


class RecordingAsker:
    """
    Keeps every result as a run and counts it; hides from clients what only the log should say.

    :param asker: Answers.
    :param runs: Where results are kept.
    :param metrics: Where results are counted.
    :param telemetry: Where results are traced.
    :param log_queries: Write what was asked to the log.
    """

    def __init__(
        self, asker: Asker, *, runs: Runs, metrics: Metrics, telemetry: Telemetry, log_queries: bool = False
    ) -> None:
        self.log_queries = log_queries
        self.asker = asker
        self.runs = runs
        self.metrics = metrics
        self.telemetry = telemetry

    def run(self, system: str, request: Request, *, progress: Progress = ignore_progress) -> Result:
        """
        Answer one request and keep the result.

        :returns: The result; one that cannot be kept has the notice `NOT_KEPT`.
        :raises LooksyError: What the asker raises; other errors are logged and become one that tells nothing.
        """
        token = QUERY.set(None if self.log_queries else request.text)
        try:
            with self.telemetry.answer(system, progress) as span:
                result = without_internals(self.asker.run(system, request, progress=span.progress))
                span.note(result)
        except LooksyError:
            raise
        except Exception as error:
            logger.exception("asking failed", extra={"system": system})
            raise LooksyError("Something went wrong in the service.", hint="Report it with the request id.") from error
        finally:
            QUERY.reset(token)
        self.metrics.count_result(result)
        result = self._keep(result)
        asked = {"text": request.text} if self.log_queries else {}
        logger.info(
            "answered",
            extra={
                "run_id": result.run_id,
                "system": system,
                "status": result.status.value,
                "verdict": result.verdict.value if result.verdict else None,
                "failure": result.failure.code if result.failure else None,
                **asked,
            },
        )
        return result

    def _keep(self, result: Result) -> Result:
        try:
            self.runs.save(result)
        except StoreError as error:
            logger.warning("run not kept", extra={"run_id": result.run_id, "reason": error.message})
            result = result.model_copy(update={"warnings": (*result.warnings, NOT_KEPT)})
            self.runs.remember(result)
        return result

    def warm_up(self) -> None:
        """Open the index and load the models."""
        self.asker.warm_up()

    def close(self) -> None:
        """Give back files and connections."""
        self.asker.close()


def without_internals(result: Result) -> Result:
    """Replace the words of a failure that are not for everybody: they may name files or hold what others typed."""
    if result.failure is None:
        return result
    return result.model_copy(update={"failure": public_failure(result.failure, run_id=result.run_id)})
