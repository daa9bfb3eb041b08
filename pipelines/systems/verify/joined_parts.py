"""Results on the parts of a query, joined to one on the whole."""

from collections.abc import Mapping, Sequence

from core.types import Confidence, QueryKind, Quote, Reference, Relation, Result, Section, Status, Verdict
from pipelines.attribution import count_relation, markers
from pipelines.contracts import RunFacts

PART = "part"
"""Kind of the sections of a joined result."""
_LABELS = {
    (QueryKind.QUESTION, Verdict.VERIFIED): "answered",
    (QueryKind.QUESTION, Verdict.UNVERIFIED): "not answered",
}
_STRENGTH = (Relation.REFUTES, Relation.SUPPORTS, Relation.MENTIONS)


def joined_parts(parts: Sequence[Result], facts: RunFacts) -> Result:
    """
    Join the results on the parts of a statement or question.

    A statement is verified only if all its parts are, refuted as soon as one is, and conflicting as soon as one is and
    none is refuted. A question is verified only if each of its parts is answered. Sections show each part with what it
    came to; a quote supports or refutes its part.

    :param parts: Results of the same system, in the order of the query.
    """
    verdict = _verdict([part.verdict for part in parts])
    deciding = [part for part in parts if part.verdict is verdict]
    references = _references([*deciding, *(part for part in parts if part.verdict is not verdict)])
    numbers = {reference.article_id: reference.number for reference in references}
    supporting = count_relation(references, Relation.SUPPORTS)
    refuting = count_relation(references, Relation.REFUTES)
    found = [part for part in parts if part.status is Status.OK]
    conflicts = [
        conflict.model_copy(update={"number": _new_numbers(part, numbers).get(conflict.number or 0)})
        for part in parts
        for conflict in part.conflicts
    ]
    return Result(
        system=parts[0].system,
        request=facts.request,
        kind=facts.kind,
        status=Status.OK if found else Status.NO_EVIDENCE,
        verdict=verdict,
        answer=_answer(parts, verdict, numbers),
        sections=tuple(_section(part, numbers) for part in parts),
        confidence=_confidence(deciding, verdict),
        references=references,
        conflicts=tuple(dict.fromkeys(conflicts)),
        articles_supporting=supporting[0],
        origins_supporting=supporting[1],
        articles_refuting=refuting[0],
        origins_refuting=refuting[1],
        missing=_missing(parts, verdict),
        searched=facts.searched,
        warnings=tuple(dict.fromkeys(warning for part in parts for warning in part.warnings)),
        timings=facts.timings,
        run_id=facts.run_id,
        run=facts.run,
    )


def _verdict(verdicts: Sequence[Verdict | None]) -> Verdict:
    for decisive in (Verdict.REFUTED, Verdict.CONFLICTING, Verdict.UNVERIFIED):
        if decisive in verdicts:
            return decisive
    return Verdict.VERIFIED


def _confidence(deciding: Sequence[Result], verdict: Verdict) -> Confidence | None:
    """Return the surest of what decides; of a verified whole the least sure, since all parts must hold."""
    each = [part.confidence for part in deciding if part.confidence is not None]
    if not each:
        return None
    choose = min if verdict is Verdict.VERIFIED else max
    return choose(each, key=lambda one: one.value)


def _references(parts: Sequence[Result]) -> tuple[Reference, ...]:
    """Return one reference an article, with the quotes of all parts; those of the first parts come first."""
    quotes: dict[str, dict[tuple[int, int], Quote]] = {}
    articles: dict[str, Reference] = {}
    for reference in (reference for part in parts for reference in part.references):
        articles.setdefault(reference.article_id, reference)
        known = quotes.setdefault(reference.article_id, {})
        for quote in reference.quotes:
            place = (quote.start, quote.end)
            if place not in known or _STRENGTH.index(quote.relation) < _STRENGTH.index(known[place].relation):
                known[place] = quote
    return tuple(
        reference.model_copy(update={"number": number, "quotes": tuple(quotes[article_id].values())})
        for number, (article_id, reference) in enumerate(articles.items(), start=1)
    )


def _new_numbers(part: Result, numbers: Mapping[str, int]) -> dict[int, int | None]:
    return {reference.number: numbers[reference.article_id] for reference in part.references}


def _answer(parts: Sequence[Result], verdict: Verdict, numbers: Mapping[str, int]) -> str:
    """Return what decides in the words of the articles: the refuted part, or the answers of all parts that have one."""
    telling = [part for part in parts if part.status is Status.OK]
    if verdict in {Verdict.REFUTED, Verdict.CONFLICTING}:
        telling = [part for part in telling if part.verdict is verdict]
    elif any(part.verdict is Verdict.VERIFIED for part in telling):
        telling = [part for part in telling if part.verdict is Verdict.VERIFIED]
    told = [markers.renumbered(part.answer, _new_numbers(part, numbers)) for part in telling] or [parts[0].answer]
    left = [f"Not answered: “{part.request.text}”" for part in parts if part not in telling]
    is_question = parts[0].kind is QueryKind.QUESTION
    return " ".join(dict.fromkeys([*told, *(left if is_question and telling else [])]))


def _section(part: Result, numbers: Mapping[str, int]) -> Section:
    verdict = part.verdict or Verdict.UNVERIFIED
    cited = sorted(numbers[one.article_id] for one in part.references if any(_decides(q, part) for q in one.quotes))
    return Section(
        kind=PART,
        title=part.request.text,
        label=_LABELS.get((part.kind, verdict), verdict.value),
        text=markers.renumbered(part.answer, _new_numbers(part, numbers)) if part.status is Status.OK else part.answer,
        numbers=tuple(cited),
    )


def _decides(quote: Quote, part: Result) -> bool:
    return part.verdict is not Verdict.UNVERIFIED and quote.relation is not Relation.MENTIONS


def _missing(parts: Sequence[Result], verdict: Verdict) -> tuple[str, ...]:
    """Return what the parts lack that make the whole what it is; of an unverified one, also which they are."""
    lacking = [part for part in parts if part.verdict is verdict]
    named = verdict is Verdict.UNVERIFIED and parts[0].kind is QueryKind.STATEMENT
    heads = {part.request.text: (f"Not verified: “{part.request.text}”",) if named else () for part in lacking}
    return tuple(dict.fromkeys(line for part in lacking for line in (*heads[part.request.text], *part.missing)))
