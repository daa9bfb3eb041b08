"""Verify: answer a question or judge a statement, with quotes."""

from collections.abc import Sequence
from typing import Any, Literal

from core.counting import counted
from core.types import (
    Confidence,
    Model,
    Notice,
    QueryKind,
    Relation,
    Request,
    Result,
    Searched,
    ShownConflict,
    Status,
    Verdict,
)
from pipelines.attribution.references import count_relation, make_references
from pipelines.claims import polar_statement, split_question, split_statement, why_uncheckable
from pipelines.contracts.evidence import CheckedAnswer, Evidence, Ruling, number_articles
from pipelines.contracts.system import RunFacts, SystemInfo, read_options
from pipelines.query.bounds import bounds_of
from pipelines.query.plain_statement import plain_statement
from pipelines.query.search_filters import haystack_filters
from pipelines.rendering.baselines import restyle
from pipelines.rendering.missing_evidence import NO_ARTICLE
from pipelines.systems.verify.joined_parts import joined_parts
from pipelines.systems.verify.yes_or_no import yes_or_no


class Depth(Model):
    """How much is read for a query; None: as much as the pipeline file says."""

    passages: int | None = None
    """To retrieve."""
    pieces: int | None = None
    """Of about a hundred words each, that are read."""
    behind_headline: bool = False
    """Read them as they are judged, so that both are one reading."""
    sentences: int | None = None
    """That are judged."""
    least_relevance: float = 0.0
    """Of a piece whose sentences are judged, as a share of the most relevant piece's."""


_FULL = Depth()
_LIGHT = Depth(passages=4, pieces=4, behind_headline=True, sentences=5, least_relevance=0.2)
"""For each claim of a text. `looksy evaluate claims` says what that costs."""


class VerifyOptions(Model):
    """Options of `verify`; what is left out is as the settings say."""

    retriever: Literal["bm25", "tfidf", "embedding", "hybrid"] | None = None
    """How passages are ranked."""
    mode: Literal["references", "contexts", "keywords", "raw"] | None = None
    """How a chat model is asked; raw shows it no evidence."""
    style: Literal["looksy", "seed"] = "looksy"
    """seed: the published News Verifiers behaviour, verified when a valid document number is cited."""
    without_origins: str | None = None
    """Origin of articles that may not be evidence, as when one of them is what is checked."""
    depth: Literal["full", "light"] = "full"
    """light: only what shares most with the query is read, as `check` does with each claim of a text."""


class VerifySystem:
    """Retrieve, read, answer, check, rule."""

    info = SystemInfo(
        name="verify",
        title="Verify",
        summary="Answers a question or judges a statement from the archive of articles, with quotes to check.",
        options=VerifyOptions.model_json_schema(),
    )
    pipeline = "verify"

    def check_options(self, request: Request) -> dict[str, Any]:
        """Return the options, checked; those that were not given are left out."""
        return read_options(VerifyOptions, request, system="verify").model_dump(exclude_none=True)

    def inputs(self, request: Request, *, kind: QueryKind, top_k: int) -> dict[str, Any]:
        """Return the pipeline's inputs."""
        query, kind = _as_judged(request, kind)
        depth = _LIGHT if request.options.get("depth") == "light" else _FULL
        return {
            "retriever": {
                "query": query,
                "top_k": min(top_k, depth.passages or top_k),
                "filters": haystack_filters(request.filters, without_origin=request.options.get("without_origins")),
                "as_of": request.as_of,
            },
            "reader": {"query": query, "max_pieces": depth.pieces, "behind_headline": depth.behind_headline},
            "picker": {
                "query": query,
                "kind": kind,
                "max_evidence": depth.sentences,
                "least_relevance": depth.least_relevance,
            },
            "verifier": {"query": query, "kind": kind},
            "generator": {"query": query, "kind": kind, "mode": request.options.get("mode")},
            "supporter": {"query": query, "kind": kind, "style": request.options.get("style")},
            "self_verifier": {"query": query},
            "verdict": {"kind": kind},
        }

    def part_inputs(self, request: Request, *, kind: QueryKind, top_k: int) -> list[tuple[Request, dict[str, Any]]]:
        """
        Return the statements or questions that a query is made of, each with its inputs; empty: there is one.

        All are searched for with the whole query, so that a part is judged by articles about the same matter.
        """
        if request.options.get("style") == "seed" or request.options.get("depth") == "light":
            return []
        texts = _parts_of(request.text, kind)
        parts = [request.model_copy(update={"text": text, "kind": kind}) for text in texts if len(texts) > 1]
        each = [(part, self.inputs(part, kind=kind, top_k=top_k)) for part in parts]
        for _, inputs in each:
            inputs["retriever"]["query"] = plain_statement(request.text)
        return each

    def joined(self, parts: Sequence[Result], facts: RunFacts) -> Result:
        """Make the result on a query of those on its parts."""
        return joined_parts(parts, facts)

    def result(self, outputs: dict[str, Any], facts: RunFacts) -> Result:
        """Make the result."""
        checked: CheckedAnswer = outputs["checker"]["checked"]
        ruling = restyle(outputs["verdict"]["ruling"], outputs["supporter"]["draft"], checked, facts.request)
        query, kind = _as_judged(facts.request, facts.kind)
        why = why_uncheckable(query) if kind is QueryKind.STATEMENT else ""
        if why and facts.request.options.get("style") != "seed":
            ruling = _uncheckable(ruling, why)
        conflicts = conflicts_of(ruling.evidence)
        if kind is not facts.kind:
            ruling = yes_or_no(ruling)
        references = make_references(ruling.evidence)
        supporting = count_relation(references, Relation.SUPPORTS)
        refuting = count_relation(references, Relation.REFUTES)
        warnings: list[Notice] = [
            *outputs["loader"]["warnings"],
            *outputs["guard"]["warnings"],
            *outputs["verifier"]["warnings"],
            *outputs["self_verifier"]["warnings"],
            *checked.warnings,
        ]
        return Result(
            system=self.info.name,
            request=facts.request,
            kind=facts.kind,
            status=Status.OK if ruling.has_evidence else Status.NO_EVIDENCE,
            verdict=Verdict(ruling.verdict),
            answer=ruling.answer or refusal(facts.searched, facts.request),
            confidence=Confidence(value=ruling.confidence, method=ruling.method),
            references=references,
            conflicts=conflicts,
            articles_supporting=supporting[0],
            origins_supporting=supporting[1],
            articles_refuting=refuting[0],
            origins_refuting=refuting[1],
            missing=within_bounds(ruling.missing, facts.request),
            searched=facts.searched,
            warnings=tuple(warnings),
            timings=facts.timings,
            run_id=facts.run_id,
            run=facts.run,
        )


def _parts_of(text: str, kind: QueryKind) -> list[str]:
    if kind is QueryKind.QUESTION:
        return list(split_question(text))
    return [part.standalone for part in split_statement(plain_statement(text))]


def _as_judged(request: Request, kind: QueryKind) -> tuple[str, QueryKind]:
    """Return the query as the pipeline reads it: a question that asks for yes or no is judged as a statement."""
    if kind is QueryKind.STATEMENT:
        return plain_statement(request.text), kind
    stated = "" if request.options.get("style") == "seed" else polar_statement(request.text)
    return (stated, QueryKind.STATEMENT) if stated else (request.text, kind)


def _uncheckable(ruling: Ruling, why: str) -> Ruling:
    """Return the ruling on what states nothing that can be checked: no verdict either way, and what is missing."""
    told = f"This cannot be checked as it stands: {why}"
    if not ruling.has_evidence:
        return ruling.model_copy(update={"missing": (told, *ruling.missing)})
    return ruling.model_copy(
        update={
            "has_evidence": False,
            "verdict": Verdict.UNVERIFIED,
            "answer": told,
            "evidence": (),
            "missing": (),
        }
    )


def conflicts_of(evidence: Sequence[Evidence]) -> tuple[ShownConflict, ...]:
    """Return what the query and the quotes that refute it say differently, once each."""
    numbers = number_articles(list(evidence))
    shown = [
        ShownConflict(
            kind=conflict.kind.value,
            stated=conflict.stated,
            found=conflict.found,
            number=numbers[item.article.article_id],
        )
        for item in evidence
        if item.relation is Relation.REFUTES
        for conflict in item.conflicts
    ]
    return tuple(dict.fromkeys(shown))


def refusal(searched: Searched | None, request: Request) -> str:
    """Say that the archive does not hold the answer, what was searched, and what of it the request left."""
    if searched is None:
        return "I cannot answer this from the articles in the archive."
    dates = [time.date().isoformat() for time in (searched.first_published_at, searched.last_published_at) if time]
    span = f", published {' to '.join(dict.fromkeys(dates))}" if dates else ""
    sources = ", ".join(searched.sources[:3]) + (" and others" if len(searched.sources) > 3 else "")  # noqa: PLR2004 - shown
    origin = f" of {sources}" if sources else ""
    bounds = bounds_of(request)
    left = f" Of these, only articles {bounds} could be evidence." if bounds else ""
    found = f"{counted(searched.articles, 'article')}{origin}{span}"
    return f"I cannot answer this from the articles in the archive. Searched: {found}.{left}"


def within_bounds(missing: tuple[str, ...], request: Request) -> tuple[str, ...]:
    """Let what says that no article was found say so of the bounds of the request alone."""
    if not bounds_of(request):
        return missing
    bounded = f"{NO_ARTICLE} within the bounds of the request"
    return tuple(
        f"{bounded}{line.removeprefix(NO_ARTICLE)}" if line.startswith(NO_ARTICLE) else line for line in missing
    )


SYSTEM = VerifySystem()
