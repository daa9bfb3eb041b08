"""What the service needs of the engine, and how it opens it: lazily, so that it can say what is missing."""

import threading
from typing import Protocol

from core.progress import Progress, ignore_progress
from core.settings import Settings
from core.types import Request, Result


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
