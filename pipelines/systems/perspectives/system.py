"""Perspectives: the sides that articles take on a question, side by side."""

from collections.abc import Sequence
from typing import Any, Literal

from core.counting import counted
from core.types import Model, QueryKind, Request, Result, Section, Status
from pipelines.attribution.references import make_references
from pipelines.contracts.evidence import Evidence
from pipelines.contracts.system import RunFacts, SystemInfo, read_options
from pipelines.generation.replies import written_by
from pipelines.query.search_filters import haystack_filters
from pipelines.query.source_types import source_type
from pipelines.systems.perspectives.types import Grouping, Side, Stance, Thesis
from pipelines.systems.verify.system import refusal

PASSAGES = 40
"""To retrieve, unless the request says otherwise: sides need more articles than an answer does."""


class PerspectivesOptions(Model):
    """Options of `perspectives`."""

    retriever: Literal["bm25", "tfidf", "embedding", "hybrid"] | None = None
    """How passages are ranked; None: as the settings say."""
    stances: Literal["show", "hide"] = "show"
    """hide: group the articles without saying which side they take; a label can be wrong, and colours what is read."""


class PerspectivesSystem:
    """Retrieve, find each article's thesis, say which side it takes, group those that say much the same."""

    info = SystemInfo(
        name="perspectives",
        title="Show the sides",
        summary="Groups what the indexed articles say to a question into sides, each with quotes and dates.",
        options=PerspectivesOptions.model_json_schema(),
    )
    pipeline = "perspectives"

    def check_options(self, request: Request) -> dict[str, Any]:
        """Return the options, checked; those that were not given are left out."""
        return _options(request).model_dump(exclude_none=True)

    def inputs(self, request: Request, *, kind: QueryKind, top_k: int) -> dict[str, Any]:
        """Return the pipeline's inputs."""
        return {
            "retriever": {
                "query": request.text,
                "top_k": request.top_k or max(top_k, PASSAGES),
                "filters": haystack_filters(request.filters),
                "as_of": request.as_of,
            },
            "finder": {"query": request.text},
            "judge": {"query": request.text},
            "writer": {"query": request.text},
            "sides": {"query": request.text},
        }

    def result(self, outputs: dict[str, Any], facts: RunFacts) -> Result:
        """Make the result; it has no verdict, for it judges nothing."""
        grouping: Grouping = outputs["sides"]["grouping"]
        theses = [*[thesis for side in grouping.sides for thesis in side.theses], *grouping.alone]
        references = make_references([quote for thesis in theses for quote in thesis.quotes])
        numbers = {reference.article_id: reference.number for reference in references}
        shown = _options(facts.request).stances == "show"
        writers = {thesis.generator for thesis in theses if thesis.generator}
        warnings = [*outputs["loader"]["warnings"], *outputs["guard"]["warnings"], *outputs["writer"]["warnings"]]
        warnings += [*grouping.warnings] if shown else []
        warnings += [written_by(next(iter(writers), None))] if theses else []
        return Result(
            system=self.info.name,
            request=facts.request,
            kind=facts.kind,
            status=Status.OK if theses else Status.NO_EVIDENCE,
            verdict=None,
            answer=_summary(grouping, theses) if theses else refusal(facts.searched, facts.request),
            sections=(
                *[_side(side, numbers, shown=shown) for side in grouping.sides],
                *_alone(grouping.alone, numbers, shown=shown),
            ),
            references=references,
            searched=facts.searched,
            warnings=tuple(warnings),
            timings=facts.timings,
            run_id=facts.run_id,
            run=facts.run,
        )


def _options(request: Request) -> PerspectivesOptions:
    return read_options(PerspectivesOptions, request, system="perspectives")


def _summary(grouping: Grouping, theses: Sequence[Thesis]) -> str:
    """Say how many sides there are, in how many articles of how many origins."""
    origins = len({thesis.article.origin_id or thesis.article.article_id for thesis in theses})
    found = f"{counted(len(theses), 'article')} of {counted(origins, 'origin')} bear on this"
    if not grouping.sides:
        return f"{found}; too few say the same to make sides of them."
    alone = f", and {counted(len(grouping.alone), 'article')} on their own" if grouping.alone else ""
    return f"{found}: {counted(len(grouping.sides), 'side')}{alone}."


def _side(side: Side, numbers: dict[str, int], *, shown: bool) -> Section:
    first = _spokesman(side)
    return Section(
        kind="side",
        title=side.label,
        label=side.stance.value if shown else None,
        text=_cited(first.text, first, numbers),
        lines=tuple(_quote_line(quote, numbers) for quote in _three_quotes(side)),
        numbers=tuple(sorted(numbers[thesis.article.article_id] for thesis in side.theses)),
        scores={"agreement": side.agreement} if shown and side.stance is not Stance.MIXED else {},
    )


def _spokesman(side: Side) -> Thesis:
    """Return the thesis that stands for a side: the one nearest to the others, of those a chat model wrote if any."""
    return next((thesis for thesis in side.theses if thesis.generator), side.theses[0])


def _three_quotes(side: Side) -> list[Evidence]:
    """Return up to three quotes beside the thesis, of as many articles as can be."""
    turns = [[quote for quote in thesis.quotes if quote.text != _spokesman(side).text] for thesis in side.theses]
    deepest = max(len(quotes) for quotes in turns)
    ordered = [quotes[depth] for depth in range(deepest) for quotes in turns if depth < len(quotes)]
    return ordered[:3]


def _alone(theses: Sequence[Thesis], numbers: dict[str, int], *, shown: bool) -> list[Section]:
    return [
        Section(
            kind="alone",
            title=thesis.article.headline.strip() or "Without a headline",
            label=thesis.stance.value if shown else None,
            text=_cited(thesis.text, thesis, numbers),
            lines=(_origin(thesis.quotes[0]),),
            numbers=(numbers[thesis.article.article_id],),
        )
        for thesis in theses
    ]


def _cited(text: str, thesis: Thesis, numbers: dict[str, int]) -> str:
    return f"{text} Doc[{numbers[thesis.article.article_id]}]"


def _quote_line(quote: Evidence, numbers: dict[str, int]) -> str:
    return f"“{quote.text}” {_origin(quote)} Doc[{numbers[quote.article.article_id]}]"


def _origin(quote: Evidence) -> str:
    """Say who published a quote, what kind of source that is, and when."""
    article = quote.article
    day = article.published_at.date().isoformat() if article.published_at else "undated"
    return f"({', '.join(part for part in (article.source, source_type(article.url), day) if part)})"


SYSTEM = PerspectivesSystem()
