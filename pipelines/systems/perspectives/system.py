"""Perspectives: the sides that articles take on a question, side by side."""

from collections.abc import Sequence
from typing import Any, Literal

from core.counting import counted
from core.types import Model, QueryKind, Request, Result, Section, Status
from pipelines.attribution.references import make_references
from pipelines.contracts.evidence import Evidence
from pipelines.contracts.system import RunFacts, SystemInfo, read_options
from pipelines.generation.replies import written_by
from pipelines.injection.sanitise import shown_headline
from pipelines.query.search_filters import haystack_filters
from pipelines.query.source_types import source_type
from pipelines.systems.perspectives.types import Grouping, Side, Stance, Thesis
from pipelines.systems.verify.system import refusal

PASSAGES = 40
"""To retrieve, unless the request says otherwise: sides need more articles than an answer does."""


_WORDS = {Stance.YES: "for", Stance.NO: "against"}
_QUOTES = 5
"""Quotes of a side beside its thesis."""
_CLOSEST = 3
"""Articles named where none bears on the question."""


class PerspectivesOptions(Model):
    """Options of `perspectives`."""

    retriever: Literal["bm25", "tfidf", "embedding", "hybrid"] | None = None
    """How passages are ranked; None: as the settings say."""
    stances: Literal["show", "hide"] = "show"
    """hide: show the articles without their sides; a side can be wrong, and colours what is read."""


class PerspectivesSystem:
    """Retrieve, find what each article says, and put each quote on the side that it takes."""

    info = SystemInfo(
        name="perspectives",
        title="Show the sides",
        summary="Shows who is for and who against something that people disagree about, side by side, in quotes.",
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
        left_out: list[str] = outputs["judge"]["left_out"]
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
            answer=_summary(grouping, shown=shown) if theses else refusal(facts.searched, facts.request),
            sections=_sections(grouping, numbers, shown=shown),
            references=references,
            missing=_missing(grouping, left_out),
            searched=facts.searched,
            warnings=tuple(warnings),
            timings=facts.timings,
            run_id=facts.run_id,
            run=facts.run,
        )


def _options(request: Request) -> PerspectivesOptions:
    return read_options(PerspectivesOptions, request, system="perspectives")


def _summary(grouping: Grouping, *, shown: bool) -> str:
    """Say how many articles bear on the question, and how many of them are quoted on which side."""
    everyone = [*(thesis for side in grouping.sides for thesis in side.theses), *grouping.alone]
    articles = len({thesis.article.article_id for thesis in everyone})
    found = f"{counted(articles, 'article')} {'bears' if articles == 1 else 'bear'} on this"
    if grouping.is_open:
        return f"{found}. It has no yes or no, so nothing can be for or against it; this is what they report."
    if not grouping.sides:
        return f"{found}. No sentence in them clearly takes a side; this is what they report."
    if not shown:
        return f"{found}."
    counts = {side.stance: len(side.theses) for side in grouping.sides}
    voices = [f"{counts[stance]} {word}" for stance, word in _WORDS.items() if stance in counts]
    both = {thesis.article.article_id for thesis in grouping.sides[0].theses} if len(grouping.sides) > 1 else set()
    both &= {thesis.article.article_id for thesis in grouping.sides[-1].theses}
    quoting = f" ({counted(len(both), 'article')} with voices on both sides)" if both else ""
    rest = f"; {len(grouping.alone)} take{'s' if len(grouping.alone) == 1 else ''} no side" if grouping.alone else ""
    return f"{found}: {', '.join(voices)}{quoting}{rest}."


def _missing(grouping: Grouping, left_out: Sequence[str]) -> tuple[str, ...]:
    """Say what would give sides where there are none, and what was read and does not bear on the question."""
    lines = []
    if grouping.is_open and grouping.alone:
        lines.append("A question that begins with “Should”, “Is it right to” or the like can have two sides.")
    if not grouping.sides and not grouping.alone and left_out:
        closest = ", ".join(f"“{headline}”" for headline in left_out[:_CLOSEST])
        lines.append(f"The closest articles, none of which bears on it: {closest}.")
        lines.append("Ask about something that the index covers, or crawl sources that report on this.")
    return tuple(lines)


def _sections(grouping: Grouping, numbers: dict[str, int], *, shown: bool) -> tuple[Section, ...]:
    if not shown:
        everyone = [*(thesis for side in grouping.sides for thesis in side.theses), *grouping.alone]
        return tuple(_alone(everyone, numbers))
    return (*(_side(side, numbers) for side in grouping.sides), *_alone(grouping.alone, numbers))


def _side(side: Side, numbers: dict[str, int]) -> Section:
    first = _spokesman(side)
    return Section(
        kind="side",
        title=side.label,
        label=counted(len(side.theses), "article"),
        text=_cited(first.text, first, numbers),
        lines=tuple(_quote_line(quote, numbers) for quote in _further_quotes(side)),
        numbers=tuple(sorted(numbers[thesis.article.article_id] for thesis in side.theses)),
    )


def _spokesman(side: Side) -> Thesis:
    """Return the thesis that stands for a side: the surest, of those a chat model wrote if any."""
    return next((thesis for thesis in side.theses if thesis.generator), side.theses[0])


def _further_quotes(side: Side) -> list[Evidence]:
    """Return a few quotes beside the thesis, of as many articles as can be."""
    turns = [[quote for quote in thesis.quotes if quote.text != _spokesman(side).text] for thesis in side.theses]
    deepest = max(len(quotes) for quotes in turns)
    ordered = [quotes[depth] for depth in range(deepest) for quotes in turns if depth < len(quotes)]
    return ordered[:_QUOTES]


def _alone(theses: Sequence[Thesis], numbers: dict[str, int]) -> list[Section]:
    return [
        Section(
            kind="alone",
            title=shown_headline(thesis.article),
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
