from datetime import UTC, datetime

import pytest

from core.settings import Settings
from core.types import Article, QueryKind, Relation, Verdict
from pipelines.contracts.evidence import CheckedAnswer, Evidence
from pipelines.entailment.evidence_verifier import EvidenceVerifier
from pipelines.evidence.corrections import outranked
from pipelines.evidence.verdict import VerdictWriter
from pipelines.resources import Resources


def evidence(relation=Relation.MENTIONS, *, score=0.9, year=2020, correction=False, answer="", relevance=0.9, name="a"):
    article = Article(
        article_id=name,
        url=f"https://example.org/{name}",
        headline="Bridge opened",
        body="It cost 48 million pounds.",
        published_at=datetime(year, 1, 1, tzinfo=UTC),
        first_seen_at=datetime(year, 1, 1, tzinfo=UTC),
        source="Example",
        content_hash="0",
        correction=correction,
    )
    return Evidence(
        article=article,
        start=0,
        end=26,
        text="It cost 48 million pounds.",
        relevance=relevance,
        relation=relation,
        score=score,
        answer=answer,
    )


def make_writer(settings, **thresholds):
    ours = Resources(settings)
    return VerdictWriter(verifier=ours.verifier(), answer_calibration=ours.answer_calibration(), **thresholds)


def rule(kind, *items, **thresholds):
    writer = make_writer(Settings(), **thresholds)
    checked = CheckedAnswer(text="It cost 48 million pounds Doc[1].", evidence=items)
    return writer.run(kind, checked)["ruling"]


@pytest.mark.parametrize(
    ("probability", "answered", "verdict"),
    [(0.29, False, Verdict.UNVERIFIED), (0.31, True, Verdict.UNVERIFIED), (0.61, True, Verdict.VERIFIED)],
)
def test_a_question_is_declined_shown_or_verified_by_its_probability(probability, answered, verdict):
    item = evidence(score=probability, answer="48 million")
    ruling = rule(QueryKind.QUESTION, item, answer_threshold=0.3, verified_threshold=0.6)
    assert (ruling.has_evidence, ruling.verdict) == (answered, verdict)
    assert bool(ruling.answer) is answered
    assert bool(ruling.missing) is (verdict is Verdict.UNVERIFIED)


def test_a_quote_with_the_same_answer_supports_only_from_the_answer_threshold_on():
    items = [evidence(score=score, answer="48 million", name=str(score)) for score in (0.9, 0.4, 0.04)]
    ruling = rule(QueryKind.QUESTION, *items, answer_threshold=0.3, verified_threshold=0.6)
    assert [item.relation for item in ruling.evidence] == [Relation.SUPPORTS, Relation.SUPPORTS, Relation.MENTIONS]


def test_a_quote_that_holds_the_answer_inside_another_word_only_mentions():
    asked = evidence(answer="5").model_copy(update={"text": "The crash killed 5."})
    other = evidence(answer="2015", name="b").model_copy(update={"text": "The ferry was built in 2015."})
    same = evidence(answer="five", name="c").model_copy(update={"text": "In all, 5 people died."})
    ruling = rule(QueryKind.QUESTION, asked, other, same, answer_threshold=0.3)
    assert [item.relation for item in ruling.evidence] == [Relation.SUPPORTS, Relation.MENTIONS, Relation.SUPPORTS]


def test_an_answer_that_stands_only_in_a_disputed_claim_is_shown_as_unverified():
    told = "A viral post falsely claimed that the vaccine killed 300 children."
    item = evidence(score=0.9, answer="300").model_copy(update={"text": told})
    other = evidence(score=0.8, answer="300", name="b").model_copy(update={"text": "The vaccine killed 300 children."})

    def ruled(query, *items):
        ours = Resources(Settings())
        marked = EvidenceVerifier(verifier=ours.verifier(), reader=ours.evidence_model())
        found = marked.run(query, QueryKind.QUESTION, list(items))["evidence"]
        return rule(QueryKind.QUESTION, *found, answer_threshold=0.3, verified_threshold=0.6)

    asked = "How many children did the vaccine kill?"
    assert (ruled(asked, item).has_evidence, ruled(asked, item).verdict) == (True, Verdict.UNVERIFIED)
    assert ruled(asked, item, other).verdict is Verdict.VERIFIED
    assert [one.relation for one in ruled(asked, other, item).evidence] == [Relation.SUPPORTS, Relation.MENTIONS]
    assert ruled("How many children did the post claim were killed?", item).verdict is Verdict.VERIFIED


def test_thresholds_and_method_are_those_of_the_calibration():
    calibration = Resources(Settings()).calibration()
    for threshold, states in (
        (calibration.answer.shown_from, [(False, Verdict.UNVERIFIED), (True, Verdict.UNVERIFIED)]),
        (calibration.answer.verified_from, [(True, Verdict.UNVERIFIED), (True, Verdict.VERIFIED)]),
    ):
        rulings = [rule(QueryKind.QUESTION, evidence(score=threshold + step, answer="48")) for step in (-1e-6, 1e-6)]
        assert [(ruling.has_evidence, ruling.verdict) for ruling in rulings] == states
        assert {ruling.method for ruling in rulings} == {f"answer: {calibration.method}"}


def test_another_reader_is_not_calibrated():
    writer = make_writer(Settings(reader="transformers"))
    checked = CheckedAnswer(text="48 million Doc[1].", evidence=(evidence(score=0.9, answer="48"),))
    assert writer.run(QueryKind.QUESTION, checked)["ruling"].method == "answer: uncalibrated"


@pytest.mark.parametrize(
    ("relations", "verdict"),
    [
        ((), Verdict.UNVERIFIED),
        ((Relation.MENTIONS,), Verdict.UNVERIFIED),
        ((Relation.SUPPORTS, Relation.MENTIONS), Verdict.VERIFIED),
        ((Relation.REFUTES,), Verdict.REFUTED),
        ((Relation.SUPPORTS, Relation.REFUTES), Verdict.CONFLICTING),
    ],
)
def test_a_statement_follows_its_evidence(relations, verdict):
    assert rule(QueryKind.STATEMENT, *(evidence(relation) for relation in relations)).verdict == verdict


def test_weak_evidence_leaves_a_statement_unverified():
    assert rule(QueryKind.STATEMENT, evidence(Relation.REFUTES, score=0.45)).verdict is Verdict.UNVERIFIED


def test_silence_is_no_evidence_and_says_so():
    ruling = rule(QueryKind.STATEMENT)
    assert not ruling.has_evidence
    assert "does not make it false" in ruling.missing[0]


def test_newer_correction_outranks_older_text():
    old = evidence(Relation.SUPPORTS, year=2019, name="old")
    new = evidence(Relation.REFUTES, year=2020, correction=True, name="new")
    assert [item.relation for item in outranked([old, new])] == [Relation.MENTIONS, Relation.REFUTES]
    assert rule(QueryKind.STATEMENT, *outranked([old, new])).verdict is Verdict.REFUTED


def test_older_correction_does_not_outrank_newer_text():
    new = evidence(Relation.SUPPORTS, year=2021, name="new")
    old = evidence(Relation.REFUTES, year=2020, correction=True, name="old")
    assert rule(QueryKind.STATEMENT, *outranked([new, old])).verdict is Verdict.CONFLICTING
