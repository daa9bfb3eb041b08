"""Investigate a claim: one search at a time, each made from what the others left open."""

import functools
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from haystack import Document, component, default_to_dict

from core.counting import counted
from core.errors import ConfigError, InputError
from core.settings import SearchKind, Settings
from core.types import Article, Filters, Notice
from indexing.stores.contract import EvidenceStore
from indexing.stores.open import open_store as open_named_store
from pipelines.attribution.grounding import word_share
from pipelines.attribution.markers import marked
from pipelines.contracts.evidence import ShownArticle
from pipelines.contracts.generator import Generator
from pipelines.contracts.verifier import Verifier
from pipelines.injection.sanitise import as_data
from pipelines.reading.windows import word_stems
from pipelines.retrieval.choose_retriever import retriever_identity
from pipelines.systems.agent.backends.contract import Found
from pipelines.systems.agent.backends.open import open_backend
from pipelines.systems.agent.conversation import NOTHING, UNREAD, Conversation
from pipelines.systems.agent.credibility import read_grades
from pipelines.systems.agent.next_search import Plan
from pipelines.systems.agent.passage_prompt import shown_articles
from pipelines.systems.agent.search import Searching
from pipelines.systems.agent.source_filter import SourceFilter
from pipelines.systems.agent.types import Budget, Round, Trace

MOST_DOCUMENTS = 60
QUOTED = 2
"""Sentences that the main model is told of the search for the claim."""
LEAST_SHARE = 0.3
"""Of the claim's words, that such a sentence has."""
_NO_REPORT = frozenset({"", NOTHING, UNREAD})
BY_MODEL = "asked for by the model"
MOST_FRUITLESS = 3
"""Searches in a row that cover nothing new before plain code gives up."""


@component
class AgentSearcher:
    """
    Search until the claim is covered, the model has enough, or the budget is spent.

    A chat model chooses the searches where there is one; from the first reply on that cannot be used, plain code does.

    :param verifier: Judges what the researcher reports.
    :param open_store: Opens our index, where that is searched; None: the one that the settings name.
    :param generator: The chat model; None: there is none.
    :param settings: How it is asked; None: the defaults.
    """

    def __init__(
        self,
        *,
        verifier: Verifier,
        open_store: Callable[[], EvidenceStore] | None = None,
        generator: Generator | None = None,
        settings: Settings | None = None,
    ) -> None:
        self.verifier = verifier
        self.open_store = open_store or functools.cache(lambda: open_named_store(self.settings))
        self.generator = generator
        self.settings = settings or Settings()

    def to_dict(self) -> dict[str, Any]:
        """Return the arguments as Haystack writes them into a pipeline file; the settings name the index."""
        return default_to_dict(self, verifier=self.verifier, generator=self.generator, settings=self.settings)

    @property
    def elsewhere(self) -> bool:
        """Say whether another search engine than our index is asked."""
        return self.settings.search_backend is not SearchKind.STORE

    @property
    def identity(self) -> str:
        """Name the embedder that searches the index, for the run record; empty: there is none."""
        return "" if self.elsewhere else retriever_identity(self.settings)

    @component.output_types(documents=list[Document], found=dict[str, Article], trace=Trace)
    def run(
        self,
        query: str,
        budget: Budget,
        *,
        filters: Filters,
        as_of: datetime | None = None,
        source_filter: SourceFilter,
    ) -> dict[str, object]:
        """
        Investigate.

        :param query: The claim.
        :param source_filter: What of the found may be read, and in which order; its grades are added here.
        :returns: `documents`, best first; `found`, passage id to article; `trace`.
        :raises ConfigError: If the filter needs grades and none are configured, or they cannot be read.
        :raises InputError: If the filters need what only our index knows.
        :raises UnavailableError: If a search failed and none found anything.
        """
        if self.elsewhere:
            _require_known(filters)
        source_filter = _with_grades(source_filter, self.settings)
        searching = Searching(
            open_backend(self.settings, self.open_store),
            budget,
            filters=filters,
            as_of=as_of,
            source_filter=source_filter,
        )
        plan, generator = Plan(query), self.generator
        talk = Conversation(query, generator, self.settings) if generator is not None else None
        wrote = self._with_model(talk, searching, plan) if talk is not None else False
        by_model = any(one.why == BY_MODEL for one in searching.rounds)
        if not wrote:
            self._by_plan(searching, plan)
        searching.require_one()
        trace = Trace(
            backend=searching.backend.name,
            rounds=tuple(searching.rounds),
            numbers=searching.numbers,
            open_parts=tuple(f"{part.kind.value}: {part.text}" for part in plan.open_parts()),
            generator=generator.name if generator is not None and wrote else None,
            took_part=generator.name if generator is not None and by_model else None,
            source_filter=source_filter,
            warnings=(*searching.warnings, *_each_once(talk.notices if talk else [])),
        )
        documents = searching.documents()[:MOST_DOCUMENTS]
        return {"documents": documents, "found": searching.articles, "trace": trace}

    def _by_plan(self, searching: Searching, plan: Plan) -> None:
        """Search for the claim, then for each part of it that is not covered, until searches in a row cover nothing."""
        fruitless = 0
        while fruitless < MOST_FRUITLESS and (left := plan.next()) is not None:
            if spent := searching.spent():
                searching.warnings.append(_spent(spent))
                return
            done, found = searching.search(left[0], why=left[1])
            if found is not None:
                fruitless = 0 if _read(plan, found) else fruitless + 1
                searching.replace_last(done.model_copy(update={"report": plain_report(done)}))

    def _with_model(self, talk: Conversation, searching: Searching, plan: Plan) -> bool:
        """
        Search for the claim itself, then let the main model choose searches; say whether every reply could be used.

        A search that is about something else, or was made already, is none: the plan's next one takes its place. So it
        does where the model would end with nothing found.
        """
        self._search_claim(searching, plan)
        while True:
            if spent := searching.spent():
                searching.warnings.append(_spent(spent))
                return True
            usable, query = talk.next_search(searching.rounds, left=searching.budget.rounds - len(searching.rounds))
            if not usable:
                return False
            if query is None and any(one.report not in _NO_REPORT for one in searching.rounds):
                return True
            why = BY_MODEL
            if query is None or not is_about(query, plan.claim, searching.rounds):
                left = plan.next()
                if left is None:
                    return True
                query, why = left
            done, found = searching.search(query, why=why)
            if found is not None:
                _read(plan, found)
                report = self._report(talk, done, found, searching)
                searching.replace_last(done.model_copy(update={"report": report}))

    def _search_claim(self, searching: Searching, plan: Plan) -> None:
        """Search for the claim; the report is the articles' own sentences, since the researcher must not see it."""
        left = plan.next()
        if left is None or searching.spent():
            return
        done, found = searching.search(left[0], why=left[1])
        if found is not None:
            _read(plan, found)
            shown = shown_articles(plan.claim, found.documents, found.articles, searching.numbers)
            searching.replace_last(done.model_copy(update={"report": quoted_report(plan.claim, shown)}))

    def _report(self, talk: Conversation, done: Round, found: Found, searching: Searching) -> str:
        verifier = self.verifier
        shown = shown_articles(done.query, found.documents, found.articles, searching.numbers)
        return talk.report(done.query, shown, judge=lambda pairs: [one.supports for one in verifier.judge(list(pairs))])


def _with_grades(source_filter: SourceFilter, settings: Settings) -> SourceFilter:
    """Put the newsroom's grades into a source filter, where there are any."""
    if settings.source_grades is not None:
        return source_filter.model_copy(update={"grades": read_grades(settings.source_grades)})
    if source_filter.needs_grades:
        raise ConfigError(
            "sources cannot be ordered or left out by credibility: source_grades is not set",
            field="source_grades",
            hint="Set it to a YAML file of grades (docs/systems.md), or leave out 'order' and 'least_grade'.",
        )
    return source_filter


def _require_known(filters: Filters) -> None:
    """
    Make sure that the filters ask nothing that other search engines do not tell of their results.

    :raises InputError: If they do.
    """
    for name in ("sections", "languages"):
        if getattr(filters, name):
            raise InputError(
                f"filters.{name} cannot be used: the results of another search engine do not tell theirs",
                field=f"filters.{name}",
                hint=f"Leave out {name}, or search the index (search_backend store).",
            )


def _read(plan: Plan, found: Found) -> bool:
    return plan.read([(found.articles[one.id].headline, one.content or "") for one in found.documents])


def plain_report(done: Round) -> str:
    """Say how much was found, from how many origins, of which sources and days."""
    if not done.articles:
        return "Nothing was found."
    origins = len({one.origin_id or one.article_id for one in done.articles})
    days = sorted(one.published_at.date().isoformat() for one in done.articles if one.published_at)
    sources = list(dict.fromkeys(one.source for one in done.articles if one.source))
    span = (
        "" if not days else f", published {days[0]}" if days[0] == days[-1] else f", published {days[0]} to {days[-1]}"
    )
    of = f" from {', '.join(sources[:3])}" + (" and others" if len(sources) > 3 else "")  # noqa: PLR2004 - shown
    return f"{counted(len(done.articles), 'article')} of {counted(origins, 'origin')}{of if sources else ''}{span}."


def quoted_report(claim: str, shown: Sequence[ShownArticle]) -> str:
    """Return the sentences that share most with a claim, cited; empty: none shares enough."""
    told = [(word_share(claim, text), one.number, text) for one in shown for text in map(one.text, one.sentences)]
    told.sort(key=lambda one: (-one[0], one[1]))
    return " ".join(
        marked(" ".join(as_data(text).split()), (number,))
        for share, number, text in told[:QUOTED]
        if share >= LEAST_SHARE
    )


def is_about(query: str, claim: str, rounds: Sequence[Round]) -> bool:
    """Say whether a search shares a content word with the claim or a report, and was not made already."""
    known = word_stems(" ".join([claim, *(one.report for one in rounds)]))
    words = word_stems(query)
    return not words.isdisjoint(known) and all(word_stems(one.query) != words for one in rounds)


def _spent(what: str) -> Notice:
    message = (
        f"The budget of {what} was spent before the claim was covered; the answer rests on what was found by then."
    )
    return Notice(code="budget_spent", message=message)


def _each_once(notices: Sequence[Notice]) -> list[Notice]:
    counts: dict[str, list[Notice]] = {}
    for notice in notices:
        counts.setdefault(notice.code, []).append(notice)
    return [
        same[0] if len(same) == 1 else same[0].model_copy(update={"message": f"{same[0].message} ({len(same)} times)"})
        for same in counts.values()
    ]
