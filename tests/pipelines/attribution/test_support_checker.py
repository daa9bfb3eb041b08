"""Whether what a chat model wrote answers the question."""

from types import SimpleNamespace

import pytest

from core.sentences import sentence_spans
from core.types import QueryKind, Relation
from pipelines.attribution.support_checker import SupportChecker
from pipelines.contracts.evidence import Draft, Evidence, ShownArticle, ShownSentence
from tests.pipelines.entailment.test_evidence_verifier import NO_SPAN
from tests.sample_articles import make_article

QUESTION = "How many people died?"
DIED = "5 people died in the accident."


def item(name: str, body: str, answer: str, score: float) -> Evidence:
    article = make_article(name, body=body)
    return Evidence(article=article, start=0, end=len(body), text=body, answer=answer, relevance=0.9, score=score)


def support(reply: str, *evidence: Evidence, reader=None, judged: float = 0.0):
    """Check a reply; unless told otherwise the reader finds no answer in its sources, and the verifier no support."""
    model = reader or SimpleNamespace(read=lambda pairs: [NO_SPAN for _ in pairs])
    calibration = SimpleNamespace(answer_probability=lambda features: 0.8 if reader else 0.01)
    verifier = SimpleNamespace(judge=lambda pairs: [SimpleNamespace(supports=judged) for _ in pairs])
    checker = SupportChecker(verifier=verifier, reader=model, calibration=calibration, answer_threshold=0.06)
    shown = tuple(
        ShownArticle(
            number=number,
            article=one.article,
            sentences=tuple(
                ShownSentence(start=start, end=end, relevance=0.5) for start, end in sentence_spans(one.article.body)
            ),
        )
        for number, one in enumerate(evidence, start=1)
    )
    draft = Draft(text=reply, generator="scripted", mode="references", shown=shown)
    return checker.run(query=QUESTION, kind=QueryKind.QUESTION, draft=draft, evidence=list(evidence))


def test_an_answer_inside_another_number_is_none() -> None:
    built = item("b", "The ferry was built in 2015.", "2015", 0.02)
    found = support("The ferry was built in 2015 Doc[2].", item("a", DIED, "5", 0.9), built)
    assert found["draft"].text == "5 people died in the accident Doc[1]."
    assert "answer_beside_question" in {notice.code for notice in found["draft"].warnings}


def test_the_span_of_a_cited_source_goes_before_that_of_another() -> None:
    rescued = item("b", "5 people were rescued by boats.", "5", 0.2)
    found = support("5 people were rescued by boats Doc[2].", rescued, item("a", "10 people died.", "10", 0.1))
    assert found["draft"].text == "5 people were rescued by boats Doc[1]."
    assert found["draft"].generator == "scripted"
    first = found["evidence"][0]
    assert (first.article.article_id, first.relation, first.score) == (
        rescued.article.article_id,
        Relation.SUPPORTS,
        0.2,
    )


def test_without_a_span_in_a_cited_source_that_of_another_counts() -> None:
    other = item("b", "In all, 5 people died, the coast guard said.", "the coast guard", 0.03)
    found = support("In all, 5 people died Doc[2].", item("a", DIED, "5", 0.9), other)
    assert found["evidence"][0].score == 0.9


def test_facts_that_changed_places_are_no_answer() -> None:
    told = item("a", "12 people died and 40 were injured.", "12", 0.9)
    found = support("40 people died and 12 were injured Doc[1].", told)
    assert (found["draft"].text, found["draft"].generator) == (
        "12 people died and 40 were injured Doc[1].",
        "extractive",
    )
    assert support("12 people died Doc[1].", told)["evidence"][0].score == 0.9


def test_a_sentence_that_is_repeated_is_judged_and_shown_once() -> None:
    told = item("a", DIED, "5", 0.9)
    found = support(f"{DIED} Doc[1] " * 300, told)
    assert found["draft"].text == "5 people died in the accident Doc[1]."
    assert len(found["checks"]) == 1


def codes(found) -> set[str]:
    return {notice.code for notice in found["draft"].warnings}


def test_a_less_likely_answer_does_not_take_the_place_of_a_likelier_one() -> None:
    rescued = item("b", "5 people were rescued by boats.", "5", 0.2)
    found = support("5 people were rescued by boats Doc[2].", item("a", DIED, "5", 0.9), rescued)
    assert (found["draft"].text, found["draft"].generator) == (DIED.replace(".", " Doc[1]."), "extractive")
    assert "answer_less_likely" in codes(found)


@pytest.mark.parametrize("reply", ["The indexed articles do not answer this.", "The excerpts do not say how many."])
def test_where_the_model_declines_the_articles_own_words_stand(reply: str) -> None:
    found = support(reply, item("a", DIED, "5", 0.9))
    assert (found["draft"].text, found["draft"].mode) == ("5 people died in the accident Doc[1].", None)
    assert "model_declined" in codes(found)


def test_an_answer_with_a_refusal_behind_it_is_an_answer() -> None:
    told = item("a", DIED, "5", 0.9)
    found = support("5 people died Doc[1]. The indexed articles do not answer this.", told)
    assert (found["draft"].text, found["draft"].generator) == ("5 people died Doc[1].", "scripted")


def test_a_sentence_that_repeats_the_question_is_no_evidence_of_its_answer() -> None:
    """The reader finds the answer in the model's own sentence: what counts is what it finds in the source."""
    told = item("a", "The ferry sank in a storm.", "a storm", 0.02)
    sure = SimpleNamespace(read=lambda pairs: [reading(text, "7") for _, text in pairs])
    found = support("7 people died as the ferry sank in a storm Doc[1].", told, reader=sure, judged=1.0)
    assert found["draft"].generator == "extractive"
    assert found["evidence"][0].score == 0.02


def test_a_span_that_the_reader_finds_in_the_source_is_evidence() -> None:
    told = item("a", "The ferry sank and 7 people died in a storm.", "a storm", 0.02)
    sure = SimpleNamespace(read=lambda pairs: [reading(text, "7 people") for _, text in pairs])
    found = support("7 people died as the ferry sank Doc[1].", told, reader=sure, judged=1.0)
    assert (found["draft"].generator, found["evidence"][0].score) == ("scripted", 0.8)


def reading(text: str, span: str):
    start = max(text.find(span), 0)
    return SimpleNamespace(start=start, end=start + len(span) if span in text else 0, span_score=5.0)
