"""Agent: a claim investigated by one search after the other."""

from typing import Any

from pydantic import Field

from core.counting import counted
from core.settings import SearchKind
from core.types import Article, Model, Notice, QueryKind, Request, Result, Searched, Section, Status, Verdict
from core.urls import hostname
from pipelines.attribution.markers import renumbered
from pipelines.contracts.system import RunFacts, SystemInfo, read_options
from pipelines.generation.replies import written_by
from pipelines.injection.sanitise import shown_headline
from pipelines.rendering.missing_evidence import NO_ARTICLE
from pipelines.systems.agent.backends.domains import read_domains
from pipelines.systems.agent.credibility import Order
from pipelines.systems.agent.source_filter import SourceFilter
from pipelines.systems.agent.sources import graded_sources
from pipelines.systems.agent.types import Budget, Opinion, Round, Trace
from pipelines.systems.verify.system import SYSTEM as VERIFY

_WORDS = {"supported": Verdict.VERIFIED, "refuted": Verdict.REFUTED, "unclear": Verdict.UNVERIFIED}
_PERCENT = 100
SHARE_BLOCKED = "share blocked"
"""Score of a search."""


class AgentOptions(Model):
    """Options of `agent`."""

    rounds: int = Field(default=10, ge=1, le=10)
    """Searches."""
    results: int = Field(default=10, ge=1, le=10)
    """Articles a search."""
    seconds: float = Field(default=45.0, gt=0, le=600)
    """For all searches; what was found by then is concluded from."""
    tokens: int = Field(default=60_000, ge=100, le=1_000_000)
    """Of a chat model, for all searches."""
    block: str = Field(default="", max_length=2000)
    """Domains that may not be evidence, parted by commas."""
    allow: str = Field(default="", max_length=2000)
    """Domains that alone may; empty: all."""
    order: Order = Order.RELEVANCE
    """credibility: of the results of a search, those of sources with a higher grade are read first."""
    least_grade: float = Field(default=0.0, ge=0, le=1)
    """Results of sources with a lower grade are left out; sources without a grade stay."""


class AgentSystem:
    """Search, report, search again; then verify from what was found."""

    info = SystemInfo(
        name="agent",
        title="Investigate",
        summary="Investigates a claim by one search after the other, each for what the others left open.",
        options=AgentOptions.model_json_schema(),
    )
    pipeline = "agent"

    def check_options(self, request: Request) -> dict[str, Any]:
        """Return the options, checked."""
        return _options(request).model_dump(mode="json")

    def inputs(self, request: Request, *, kind: QueryKind, top_k: int) -> dict[str, Any]:
        """Return the pipeline's inputs: those of verify, with an investigation in the place of one search."""
        options = _options(request)
        budget = Budget(rounds=options.rounds, results=options.results, seconds=options.seconds, tokens=options.tokens)
        inputs = VERIFY.inputs(request.model_copy(update={"options": {}}), kind=kind, top_k=top_k)
        return inputs | {
            "retriever": {
                "query": request.text,
                "budget": budget,
                "filters": request.filters,
                "as_of": request.as_of,
                "source_filter": SourceFilter(
                    block=read_domains(options.block, field="block"),
                    allow=read_domains(options.allow, field="allow"),
                    order=options.order,
                    least_grade=options.least_grade,
                ),
            },
            "generator": {"query": request.text, "kind": kind},
        }

    def result(self, outputs: dict[str, Any], facts: RunFacts) -> Result:
        """Make the result: what verify makes of the evidence, with the searches."""
        trace: Trace = outputs["retriever"]["trace"]
        opinion: Opinion | None = outputs["generator"]["opinion"]
        checked = VERIFY.result(outputs, facts)
        if trace.backend != SearchKind.STORE:
            checked = _from_elsewhere(checked, trace, answered=bool(outputs["verdict"]["ruling"].answer))
        numbers = {reference.article_id: reference.number for reference in checked.references}
        rounds = tuple(_round(number, trace, numbers) for number in range(1, len(trace.rounds) + 1))
        searched = checked.searched
        if searched is not None:
            searched = searched.model_copy(update={"queries": tuple(one.query for one in trace.rounds)})
        missing = tuple(f"No search covered this part of the claim: {part}." for part in trace.open_parts)
        update = {
            "system": self.info.name,
            "sections": (_certainty(checked, opinion), *graded_sources(trace, checked.references), *rounds),
            "searched": searched,
            "missing": (*checked.missing, *missing),
            "warnings": (
                *trace.warnings,
                *_failures(trace),
                *checked.warnings,
                written_by(trace.generator or trace.took_part),
            ),
        }
        return checked.model_copy(update=update)


def _from_elsewhere(checked: Result, trace: Trace, *, answered: bool) -> Result:
    """Say of another search engine than our index what it was asked, and where it settled nothing."""
    found = {article.article_id: article for one in trace.rounds for article in one.articles}
    searched = Searched(
        queries=(),
        articles=len(found),
        passages=len(found),
        sources=tuple(dict.fromkeys(article.source for article in found.values())),
        snapshot_id="",
    )
    refusal = f"I cannot answer this from what {trace.backend} found. Searches: {len(trace.rounds)}."
    missing = tuple(
        f"Nothing from {trace.backend}{line.removeprefix(NO_ARTICLE)}" if line.startswith(NO_ARTICLE) else line
        for line in checked.missing
    )
    answer = checked.answer if answered else refusal
    return checked.model_copy(update={"searched": searched, "answer": answer, "missing": missing})


def _failures(trace: Trace) -> tuple[Notice, ...]:
    """Say how many of the searches failed, and why the first did."""
    failed = [one.failure for one in trace.rounds if one.failure is not None]
    if not failed:
        return ()
    message = f"{len(failed)} of {len(trace.rounds)} searches failed: {failed[0].message}."
    return (Notice(code="search_failed", message=message),)


def _options(request: Request) -> AgentOptions:
    return read_options(AgentOptions, request, system="agent")


def _round(number: int, trace: Trace, numbers: dict[str, int]) -> Section:
    """Show a search: its report, and what it found that no search before it had found."""
    one = trace.rounds[number - 1]
    cited = {place: numbers.get(name) for name, place in trace.numbers.items()}
    before = {article.article_id for earlier in trace.rounds[: number - 1] for article in earlier.articles}
    new = [article for article in one.articles if article.article_id not in before]
    lines = [f"For {one.why}."] if one.why else []
    lines += [_line(article, numbers) for article in new]
    if len(new) < len(one.articles):
        lines.append(f"{counted(len(one.articles) - len(new), 'article')} that had been found before.")
    if one.left_out:
        why = "blocked, graded low, too late, undated or without text"
        lines.append(f"Left out: {counted(one.left_out, 'result')} ({why}).")
    return Section(
        kind="round",
        title=f"Search {number}: {one.query}",
        label="failed" if one.failure else counted(len(one.articles), "article"),
        text=one.failure.message if one.failure else renumbered(one.report, cited),
        lines=tuple(lines),
        numbers=tuple(sorted({numbers[item.article_id] for item in one.articles if item.article_id in numbers})),
        scores=_left_out(one),
    )


def _left_out(one: Round) -> dict[str, float]:
    """Say which share of the articles that a search found may not be read; empty: all may."""
    found = len(one.articles) + one.blocked + len(one.below)
    counts = {SHARE_BLOCKED: one.blocked, "share graded too low": len(one.below)}
    return {name: count / found for name, count in counts.items() if count}


def _line(article: Article, numbers: dict[str, int]) -> str:
    """Name an article; one whose headline talks to a machine by its address alone."""
    day = f", {article.published_at.date().isoformat()}" if article.published_at else ""
    cited = f" Doc[{numbers[article.article_id]}]" if article.article_id in numbers else ""
    return f"{shown_headline(article)} ({hostname(article.url)}{day}){cited}"


def _certainty(result: Result, opinion: Opinion | None) -> Section:
    """Say how certain the verdict is: by the model where it agrees with the evidence, else by the calibration."""
    calibrated = round(_PERCENT * result.confidence.value) if result.confidence else 0
    lines = _concluded(opinion)
    if result.status is not Status.OK:
        text = "Nothing was found that could settle the claim: there is nothing to be certain of."
        return Section(kind="certainty", title="Certainty", text=text, lines=lines)
    if opinion is None:
        text = "By the calibration of the verifier."
        return Section(kind="certainty", title="Certainty", text=text, scores={"certainty, 0 to 100": calibrated})
    agrees = _WORDS[opinion.verdict] is result.verdict
    if not agrees:
        text = "The verdict is made of the checked evidence, and the model concluded otherwise."
    else:
        text = "The model agrees with the evidence."
    value = opinion.certainty if agrees and opinion.certainty is not None else calibrated
    return Section(kind="certainty", title="Certainty", text=text, lines=lines, scores={"certainty, 0 to 100": value})


def _concluded(opinion: Opinion | None) -> tuple[str, ...]:
    """Say what the main model concluded; empty: it was not asked."""
    if opinion is None:
        return ()
    said = "" if opinion.certainty is None else f" with certainty {opinion.certainty}"
    return (f"The model concluded: {opinion.verdict}{said}.",)


SYSTEM = AgentSystem()
