"""Lateral: what to ask about a text, and what other articles answer."""

from typing import Any

from pydantic import ValidationError

from core.counting import counted
from core.requests import input_error
from core.types import MAX_TEXT_CHARS, Model, Notice, QueryKind, Request, Result, Section, Status
from pipelines.attribution.markers import renumbered
from pipelines.attribution.references import make_references
from pipelines.contracts.evidence import Evidence, number_articles
from pipelines.contracts.system import RunFacts, SystemInfo
from pipelines.generation.replies import written_by
from pipelines.query.search_filters import haystack_filters
from pipelines.systems.lateral.types import KNOWN, Answered, Asked
from pipelines.systems.lateral.whole_answer import BEARS_FROM


class LateralOptions(Model):
    """`lateral` has no options."""


class LateralSystem:
    """Ask about a text; answer from articles of other origins."""

    info = SystemInfo(
        name="lateral",
        title="What to ask about a text",
        summary="Asks what a careful reader would look up before believing a text, and answers from other articles.",
        options=LateralOptions.model_json_schema(),
        max_chars=MAX_TEXT_CHARS,
    )
    pipeline = "lateral"

    def check_options(self, request: Request) -> dict[str, Any]:
        """Refuse every option."""
        try:
            return LateralOptions.model_validate(request.options).model_dump()
        except ValidationError as error:
            raise input_error(error, hint="lateral has no options.") from error

    def inputs(self, request: Request, *, kind: QueryKind, top_k: int) -> dict[str, Any]:
        """Return the pipeline's inputs."""
        return {
            "source": {"text": request.text, "as_of": request.as_of},
            "answers": {"top_k": top_k, "filters": haystack_filters(request.filters), "as_of": request.as_of},
        }

    def result(self, outputs: dict[str, Any], facts: RunFacts) -> Result:
        """Make the result."""
        asked: Asked = outputs["asker"]["asked"]
        answers: list[Answered] = outputs["answers"]["answers"]
        evidence = [item for one in answers for item in one.used] + [item for one in answers for item in one.unused]
        evidence = _each_once(evidence)
        numbers = number_articles(evidence)
        sections = tuple(_section(one, numbers) for one in answers)
        notices = {notice.code: notice for one in answers for notice in one.warnings}
        writer = asked.generator or next((one.generator for one in answers if one.generator), None)
        return Result(
            system=self.info.name,
            request=facts.request,
            kind=facts.kind,
            status=Status.OK if evidence else Status.NO_EVIDENCE,
            verdict=None,
            answer=_summary(answers),
            sections=sections,
            references=make_references(evidence),
            missing=_missing(answers),
            searched=facts.searched,
            warnings=(*asked.warnings, *notices.values(), *_rejections(asked), written_by(writer)),
            timings=facts.timings,
            run_id=facts.run_id,
            run=facts.run,
        )


def _each_once(evidence: list[Evidence]) -> list[Evidence]:
    return list({(item.article.article_id, item.start, item.end): item for item in reversed(evidence)}.values())[::-1]


def _section(answered: Answered, numbers: dict[str, int]) -> Section:
    own = number_articles(list(answered.used))
    text = renumbered(answered.text, {place: numbers[name] for name, place in own.items()})
    used = {numbers[item.article.article_id] for item in answered.used}
    lines = _not_used(answered, numbers, used)
    lines += [f"Left out, about somebody else of the same name: {headline}" for headline in answered.namesakes]
    return Section(
        kind="question",
        title=answered.question.text,
        label="answered" if answered.text else "not answered in the archive",
        text=text,
        lines=tuple(lines),
        numbers=tuple(sorted(used)),
    )


def _not_used(answered: Answered, numbers: dict[str, int], used: set[int]) -> list[str]:
    """Name the articles that were found and not used, and say why."""
    bearing: set[int] = set()
    apart: set[int] = set()
    for item in answered.unused:
        number = numbers[item.article.article_id]
        if number not in used:
            (bearing if item.relevance >= BEARS_FROM else apart).add(number)
    reasons = (
        (bearing, "no sentence in them answers this surely enough" if not used else "they add nothing to the answer"),
        (apart, "no sentence in them bears on this"),
    )
    return [
        f"Found and not used: {' '.join(f'Doc[{number}]' for number in sorted(found))}, since {why}."
        for found, why in reasons
        if found
    ]


def _summary(answers: list[Answered]) -> str:
    """Say how many questions there are, and what the index knows against the text and beyond it."""
    if not answers:
        return "The text holds no sentence from which a question that stands by itself could be made."
    against, beyond = (sum(one.rank == rank for one in answers) for rank in (0, 1))
    answered = sum(bool(one.text) for one in answers)
    asked = f"{counted(len(answers), 'question')} to ask about this text"
    if not answered:
        return f"{asked}. The index answers none of them; another source may."
    told = [f"other articles answer {answered} of them"]
    told += [f"{against} against what the text says"] if against else []
    told += [f"{beyond} beyond it"] if beyond else []
    return f"{asked}: {', '.join(told)}."


def _missing(answers: list[Answered]) -> tuple[str, ...]:
    left = [one for one in answers if not one.text]
    return ("That the archive does not answer a question says nothing about the text.",) if left else ()


def _rejections(asked: Asked) -> list[Notice]:
    known = sum(reason == KNOWN for _, reason in asked.rejected)
    were, it = ("was", "it") if known == 1 else ("were", "them")
    message = f"{counted(known, 'question')} {were} dropped: the text itself answers {it}."
    return [Notice(code="question_answered_by_text", message=message)] if known else []


SYSTEM = LateralSystem()
