"""One search after the other: budget, record, progress. Failures are kept in the round, never taken for silence."""

import time

from haystack import Document

from core.errors import LooksyError, UnavailableError
from core.types import Article, Failure, Filters, ModelCall, Notice, UtcTime
from pipelines.runs.context import current_replies, log_call, report, spent_tokens
from pipelines.systems.agent.backends.contract import Backend, Found, Search
from pipelines.systems.agent.recorded_search import searched_before
from pipelines.systems.agent.source_filter import SourceFilter
from pipelines.systems.agent.types import Budget, Round

_MILLISECONDS = 1000.0


class Searching:
    """
    Search within a budget, and keep what was found.

    :param backend: Where.
    :param source_filter: What of the found may be read, and in which order.
    """

    def __init__(
        self,
        backend: Backend,
        budget: Budget,
        *,
        filters: Filters,
        as_of: UtcTime | None,
        source_filter: SourceFilter,
    ) -> None:
        self.backend = backend
        self.budget = budget
        self.rounds: list[Round] = []
        self.articles: dict[str, Article] = {}
        self.numbers: dict[str, int] = {}
        self.warnings: list[Notice] = []
        self._rankings: list[list[Document]] = []
        self._filters, self._as_of, self._source_filter = filters, as_of, source_filter
        self._started = time.monotonic()
        self._looks = 0

    def spent(self) -> str:
        """Return which part of the budget is used up; empty: none."""
        if len(self.rounds) >= self.budget.rounds:
            return f"{self.budget.rounds} searches"
        if self._out_of_time():
            return f"{self.budget.seconds:g} seconds"
        if spent_tokens() >= self.budget.tokens:
            return f"{self.budget.tokens} tokens"
        return ""

    def _out_of_time(self) -> bool:
        """Say whether the time is spent; in a replay, whether it was at this look at the clock. That is recorded."""
        self._looks += 1
        call = ModelCall(
            purpose="budget",
            generator="clock",
            messages=({"role": "user", "content": f"look {self._looks}"},),
            reply="spent",
            duration_ms=(time.monotonic() - self._started) * _MILLISECONDS,
        )
        recorded = current_replies()
        if recorded is not None:
            spent = recorded.take(call.purpose, call.generator, call.messages).reply is not None
        else:
            spent = call.duration_ms >= self.budget.seconds * _MILLISECONDS
        if spent:
            log_call(call)
        return spent

    def search(self, query: str, *, why: str = "") -> tuple[Round, Found | None]:
        """Search once; the round is kept, and told to whoever listens."""
        report(done=len(self.rounds) + 1, unit="searches", message=query)
        wanted = Search(query=query, limit=self.budget.results, filters=self._filters, as_of=self._as_of)
        try:
            found = self._source_filter.sift(searched_before(self.backend, wanted))
        except UnavailableError as error:
            done = Round(query=query, why=why, failure=_failure(error))
            self.rounds.append(done)
            return done, None
        self.articles |= found.articles
        self._rankings.append(list(found.documents))
        articles = {found.articles[one.id].article_id: found.articles[one.id] for one in found.documents}
        for name in articles:
            self.numbers.setdefault(name, len(self.numbers) + 1)
        done = Round(
            query=query,
            why=why,
            articles=tuple(articles.values()),
            left_out=found.left_out,
            blocked=found.blocked,
            below=found.below,
        )
        self.rounds.append(done)
        return done, found

    def replace_last(self, done: Round) -> None:
        """Put a round with its report in the place of the last one."""
        self.rounds[-1] = done

    def documents(self) -> list[Document]:
        """Return what all searches found, the best of each first, each passage once."""
        found: dict[str, Document] = {}
        for place in range(max((len(ranking) for ranking in self._rankings), default=0)):
            for ranking in self._rankings:
                if place < len(ranking):
                    found.setdefault(ranking[place].id, ranking[place])
        return list(found.values())

    def require_one(self) -> None:
        """
        Make sure that searches failed only where others found something.

        :raises UnavailableError: If one failed and nothing was found: that is not a finding.
        """
        failures = [one.failure for one in self.rounds if one.failure is not None]
        if failures and not self.articles:
            first = failures[0]
            raise UnavailableError(first.message, field=first.field, hint=first.hint)


def _failure(error: LooksyError) -> Failure:
    return Failure(code=error.code, message=error.message, field=error.field, hint=error.hint)
