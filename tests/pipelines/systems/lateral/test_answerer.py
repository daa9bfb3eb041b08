from core.types import QueryKind, Relation, Verdict
from pipelines.contracts.evidence import CheckedAnswer, Draft, Evidence, Ruling
from pipelines.systems.lateral.answerer import _answered
from pipelines.systems.lateral.types import Aspect, Question
from tests.sample_articles import make_article

TEXT = "The fire [2] burned 12 km² of forest near Bergen."


def test_an_articles_words_stay_and_cite_nothing() -> None:
    bodies = (TEXT, "It rained near Bergen.")
    evidence = tuple(
        Evidence(
            article=make_article(f"a{place}", body=body),
            start=0,
            end=len(body),
            text=body,
            relevance=0.9,
            score=0.9,
            relation=Relation.MENTIONS if place else Relation.SUPPORTS,
        )
        for place, body in enumerate(bodies)
    )
    answer = f"{TEXT[:-1]} Doc[1]."
    ruling = Ruling(
        kind=QueryKind.QUESTION,
        has_evidence=True,
        verdict=Verdict.VERIFIED,
        confidence=0.9,
        method="made",
        answer=answer,
        evidence=evidence,
        missing=(),
    )
    outputs = {
        "verdict": {"ruling": ruling},
        "supporter": {"draft": Draft(text=answer, generator="extractive")},
        "checker": {"checked": CheckedAnswer(text=answer, evidence=evidence)},
        "reader": {"findings": []},
        "guard": {"warnings": []},
        "retriever": {"namesakes": []},
    }
    question = Question(text="How much forest burned near Bergen?", aspect=Aspect.HOW_MANY)
    answered = _answered(question, outputs, shown_from=0.5)
    assert answered.text == answer
    assert [one.text for one in answered.used] == [TEXT]
