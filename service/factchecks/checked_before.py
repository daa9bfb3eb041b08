"""Earlier fact-checks beside an answer: shown above the verdict when they are surely about the same, never evidence."""

import logging
import threading
from typing import TYPE_CHECKING

from core.errors import LooksyError
from core.progress import Progress, ignore_progress
from core.settings import Settings
from core.types import FactCheckMatch, Notice, Request, Result, Status
from indexing.factchecks.store import FactCheckStore

if TYPE_CHECKING:
    from indexing.factchecks.matcher import FactCheckMatcher
    from service.answers.asker import Asker

logger = logging.getLogger(__name__)
MAX_SHOWN = 3
MAX_EMBEDDED = 64
"""Texts without a vector that are embedded while somebody waits for an answer."""
NOT_SEARCHED = Notice(
    code="checked_before_failed",
    message="Earlier fact-checks could not be searched, so none is shown.",
)


class EarlierChecks:
    """
    The index of fact-checks as the service uses it: opened when it is first needed. Thread-safe.

    :param settings: Where the index lies, and which embedder it has.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.store = FactCheckStore(settings.data_dir)
        self._lock = threading.Lock()
        self._embedding = threading.Lock()
        self._embedded = -1
        self._matcher: FactCheckMatcher | None = None

    @property
    def matcher(self) -> "FactCheckMatcher":
        """What finds fact-checks."""
        with self._lock:
            if self._matcher is None:
                from indexing.embedders import open_embedder
                from indexing.factchecks.matcher import FactCheckMatcher

                self._matcher = FactCheckMatcher(self.store, open_embedder(self.settings))
            return self._matcher

    def sure(self, text: str, *, without: frozenset[str] = frozenset()) -> tuple[FactCheckMatch, ...]:
        """
        Return the fact-checks that are surely about what a text says, best first.

        :param without: Ids of fact-checks that must not be shown: a check is not an earlier check of itself.
        """
        if not self.store.is_there:
            return ()
        from indexing.factchecks.matcher import SURE_FROM

        self._embed_few()
        found = self.matcher.match(text, top_k=MAX_SHOWN + len(without))
        return tuple(one for one in found if one.score >= SURE_FROM and one.id not in without)[:MAX_SHOWN]

    def _embed_few(self) -> None:
        """Make the vectors of own checks that have joined since; those of an import are the import's to make."""
        with self._embedding:
            generation = self.store.generation()
            if generation == self._embedded:
                return
            matcher = self.matcher
            if matcher.embedder is not None:
                missing = self.store.texts_without_vector(matcher.embedder.identity)
                if 0 < len(missing) <= MAX_EMBEDDED:
                    matcher.embed_new()
            self._embedded = self.store.generation()

    def add_to(self, result: Result, *, without: frozenset[str] = frozenset()) -> Result:
        """Return a result with the earlier fact-checks of what was asked; verdict and evidence stay as they are."""
        if result.request.blind or result.status is Status.FAILED:
            return result
        try:
            found = self.sure(result.request.text, without=without)
            if (as_of := result.request.as_of) is not None:
                found = tuple(one for one in found if one.date is not None and one.date <= as_of.date())
        except LooksyError as error:
            logger.warning("earlier fact-checks not searched", extra={"reason": error.message})
            return result.model_copy(update={"warnings": (*result.warnings, NOT_SEARCHED)})
        return result.model_copy(update={"checked_before": found}) if found else result


class CheckedBeforeAsker:
    """
    An `Asker` that shows earlier fact-checks beside each answer.

    :param asker: Answers, and sees nothing of them.
    """

    def __init__(self, asker: "Asker", earlier: EarlierChecks) -> None:
        self.asker = asker
        self.earlier = earlier

    def run(self, system: str, request: Request, *, progress: Progress = ignore_progress) -> Result:
        """Answer one request."""
        return self.earlier.add_to(self.asker.run(system, request, progress=progress))

    def warm_up(self) -> None:
        """Open the index and load the models."""
        self.asker.warm_up()

    def close(self) -> None:
        """Give back files and connections."""
        self.asker.close()
