import pytest

from core.types import (
    Confidence,
    QueryKind,
    Quote,
    Reference,
    Relation,
    Request,
    Result,
    ShownConflict,
    Status,
    Verdict,
)
from pipelines.contracts import RunFacts
from pipelines.systems.verify.joined_parts import joined_parts

VERIFIED, REFUTED, UNVERIFIED = Verdict.VERIFIED, Verdict.REFUTED, Verdict.UNVERIFIED
RELATIONS = {VERIFIED: Relation.SUPPORTS, REFUTED: Relation.REFUTES, Verdict.CONFLICTING: Relation.SUPPORTS}


def part(text, verdict, *articles, value=0.9, kind=QueryKind.STATEMENT, status=Status.OK):
    relation = RELATIONS.get(verdict, Relation.MENTIONS)
    cited = "".join(f" Doc[{number}]" for number in range(1, len(articles) + 1))
    return Result(
        system="verify",
        request=Request(text=text, kind=kind),
        kind=kind,
        status=status,
        verdict=verdict,
        answer=f"{text[:-1]}{cited}.",
        confidence=Confidence(value=value, method="m"),
        references=tuple(reference(number, one, relation) for number, one in enumerate(articles, start=1)),
        conflicts=(ShownConflict(kind="number", stated="2", found="3", number=1),) if verdict is REFUTED else (),
        missing=() if verdict is VERIFIED else (f"{text} lacks a source.",),
        run_id="r",
    )


def reference(number, article, relation):
    quote = Quote(text=f"In {article}.", start=0, end=9, relation=relation, score=0.9, content_hash="h", link="l")
    return Reference(
        number=number,
        article_id=article,
        revision=1,
        url=f"https://a.example/{article}",
        headline=article,
        published_at=None,
        source="a.example",
        origin_id=article,
        quotes=(quote,),
    )


def facts(kind=QueryKind.STATEMENT):
    return RunFacts(request=Request(text="The whole."), kind=kind, searched=None, timings={"total": 1.0}, run_id="r")


@pytest.mark.parametrize(
    ("verdicts", "whole"),
    [
        ((VERIFIED, VERIFIED), VERIFIED),
        ((VERIFIED, UNVERIFIED), UNVERIFIED),
        ((VERIFIED, REFUTED), REFUTED),
        ((UNVERIFIED, REFUTED), REFUTED),
        ((Verdict.CONFLICTING, VERIFIED), Verdict.CONFLICTING),
        ((Verdict.CONFLICTING, REFUTED), REFUTED),
        ((UNVERIFIED, UNVERIFIED), UNVERIFIED),
    ],
)
def test_the_whole_is_verified_only_if_all_parts_are_and_refuted_as_soon_as_one_is(verdicts, whole):
    parts = [part(f"Part {number}.", verdict, "x") for number, verdict in enumerate(verdicts)]
    result = joined_parts(parts, facts())
    assert result.verdict is whole
    assert [section.title for section in result.sections] == ["Part 0.", "Part 1."]
    assert [section.label for section in result.sections] == [verdict.value for verdict in verdicts]
    assert (result.request.text, result.timings) == ("The whole.", {"total": 1.0})


def test_articles_are_numbered_anew_in_answer_sections_and_conflicts():
    result = joined_parts([part("First.", VERIFIED, "a", "b"), part("Second.", REFUTED, "c", "a")], facts())
    assert [reference.article_id for reference in result.references] == ["c", "a", "b"]
    assert [reference.number for reference in result.references] == [1, 2, 3]
    assert result.answer == "Second Doc[1] Doc[2]."
    assert result.sections[0].text == "First Doc[2] Doc[3]."
    assert result.sections[0].numbers == (2, 3)
    assert [conflict.number for conflict in result.conflicts] == [1]
    assert result.references[1].quotes[0].relation is Relation.REFUTES  # the stronger of two relations of one quote
    assert (result.articles_supporting, result.articles_refuting) == (1, 2)


def test_a_verified_whole_is_as_sure_as_its_least_sure_part():
    result = joined_parts([part("One.", VERIFIED, "a", value=0.9), part("Two.", VERIFIED, "b", value=0.6)], facts())
    assert result.confidence.value == 0.6
    assert result.answer == "One Doc[1]. Two Doc[2]."


def test_parts_that_are_not_verified_are_named_with_what_they_lack():
    result = joined_parts([part("One.", VERIFIED, "a"), part("Two.", UNVERIFIED, "b", value=0.7)], facts())
    assert result.answer == "One Doc[2]."
    assert result.missing == ("Not verified: “Two.”", "Two. lacks a source.")


def test_a_part_of_a_question_that_is_not_answered_is_named_in_the_answer():
    kind = QueryKind.QUESTION
    parts = [part("When?", VERIFIED, "a", kind=kind), part("Who?", UNVERIFIED, kind=kind, status=Status.NO_EVIDENCE)]
    result = joined_parts(parts, facts(kind))
    assert (result.verdict, result.status, result.kind) == (UNVERIFIED, Status.OK, kind)
    assert result.answer == "When Doc[1]. Not answered: “Who?”"
    assert [section.label for section in result.sections] == ["answered", "not answered"]


def test_without_any_evidence_the_whole_has_none():
    parts = [part(text, UNVERIFIED, status=Status.NO_EVIDENCE) for text in ("One.", "Two.")]
    assert joined_parts(parts, facts()).status is Status.NO_EVIDENCE
