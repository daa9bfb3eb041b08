import pytest

from core.types import Digest, QueryKind
from pipelines.contracts.evidence import Finding
from pipelines.evidence.sentence_selector import SentenceSelector
from tests.pipelines.evidence.test_verdict import evidence

TEXT = "The bridge cost 48 million."


def finding(name: str, *, rank: int, start: int = 0) -> Finding:
    """A passage of an article, found at a place in the retriever's ranking."""
    text = TEXT if start == 0 else "The mayor paid 48 million for the bridge."
    digest = Digest(
        passage_id=f"{name}-{start}",
        article_id=name,
        start=start,
        end=start + 3,
        span=text[:3],
        score=1.0,
        probability=0.5,
        no_answer_probability=0.5,
        sentence_start=start,
        sentence_end=start + len(text),
        sentence=text,
        context=text,
        relevance=0.9,
    )
    body = f"{TEXT}\n\nThe mayor paid 48 million for the bridge."
    article = evidence(name=name).article.model_copy(update={"body": body})
    return Finding(
        article=article, digest=digest, context_start=start, rank=rank, supports=0.3, refutes=0.3, neither=0.4
    )


@pytest.mark.parametrize("kind", list(QueryKind))
def test_evidence_tells_how_many_other_articles_were_found_before_its_own(kind):
    findings = [finding("c", rank=5), finding("a", rank=0), finding("a", rank=4, start=len(TEXT) + 2)]
    findings.append(finding("b", rank=2))
    found = SentenceSelector().run("The bridge cost 48 million.", kind, findings)["evidence"]
    assert len(found) == 4
    assert {(item.article.article_id, item.rank) for item in found} == {("a", 0), ("b", 1), ("c", 2)}


def test_the_best_are_kept():
    findings = [finding(name, rank=rank) for rank, name in enumerate("abcde")]
    found = SentenceSelector(max_evidence=2).run("The bridge cost 48 million.", QueryKind.STATEMENT, findings)
    assert [item.article.article_id for item in found["evidence"]] == ["a", "b"]


def test_sentences_of_pieces_that_bear_far_less_on_it_than_the_best_are_left_out():
    near, far = finding("a", rank=0), finding("b", rank=1)
    far = far.model_copy(update={"digest": far.digest.model_copy(update={"relevance": 0.1})})
    query = "The bridge cost 48 million."
    for least, names in ((0.0, {"a", "b"}), (0.1, {"a", "b"}), (0.2, {"a"})):
        found = SentenceSelector().run(query, QueryKind.STATEMENT, [near, far], least_relevance=least)["evidence"]
        assert {item.article.article_id for item in found} == names
    alone = SentenceSelector().run(query, QueryKind.STATEMENT, [far], least_relevance=1.0)["evidence"]
    assert len(alone) == 1  # the best piece always counts
