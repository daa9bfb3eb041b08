"""Whether what a chat model wrote answers the question."""

from types import SimpleNamespace

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


def support(reply: str, *evidence: Evidence):
    """Check a reply; the reader finds no answer in its sentences, and the verifier no support."""
    model = SimpleNamespace(read=lambda pairs: [NO_SPAN for _ in pairs])
    calibration = SimpleNamespace(answer_probability=lambda features: 0.01)
    verifier = SimpleNamespace(judge=lambda pairs: [SimpleNamespace(supports=0.0) for _ in pairs])
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
    assert found["draft"].text == ""
    assert "answer_beside_question" in {notice.code for notice in found["draft"].warnings}


def test_the_span_of_a_cited_source_goes_before_that_of_another() -> None:
    rescued = item("b", "5 people were rescued by boats.", "5", 0.2)
    found = support("5 people were rescued by boats Doc[2].", item("a", DIED, "5", 0.9), rescued)
    assert found["draft"].text == "5 people were rescued by boats Doc[1]."
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
    assert support("40 people died and 12 were injured Doc[1].", told)["draft"].text == ""
    assert support("12 people died Doc[1].", told)["evidence"][0].score == 0.9


def test_a_sentence_that_is_repeated_is_judged_and_shown_once() -> None:
    told = item("a", DIED, "5", 0.9)
    found = support(f"{DIED} Doc[1] " * 300, told)
    assert found["draft"].text == "5 people died in the accident Doc[1]."
    assert len(found["checks"]) == 1
