"""Judged evidence, and what the answer makes of it."""

from types import SimpleNamespace

import pytest

from core.settings import Settings
from core.types import QueryKind, Relation, Verdict
from models.evidence import EvidenceReading
from pipelines.attribution.citation_checker import CitationChecker
from pipelines.contracts.evidence import Conflict, Evidence
from pipelines.entailment.evidence_verifier import EvidenceVerifier
from pipelines.evidence.verdict import VerdictWriter
from pipelines.generation.extractive import ExtractiveGenerator
from pipelines.resources import Resources
from tests.pipelines.evidence.test_article_entailment import Judge
from tests.sample_articles import DAY, START, make_article

STATEMENT = "The crash killed 12 people."
NO_SPAN = EvidenceReading(
    start=0,
    end=0,
    span_score=-20.0,
    span_logit=0.0,
    no_answer_logit=20.0,
    supports=0.0,
    refutes=0.0,
    neither=1.0,
    relation_logits=(0.0, 0.0, 0.0),
    relevance=0.5,
)
JUDGE = Judge(
    **{"killed 12": (0.93, 0.02), "killed nine": (0.02, 0.85), "a dozen": (0.93, 0.02), "Nobody": (0.01, 0.95)}
)


class Verifier(Judge):
    def __init__(self, *, whole: bool):
        super().__init__(**JUDGE.said)
        self.whole = whole

    def reads_whole(self, statement):
        return self.whole


def item(name: str, body: str, *, day: int, correction: bool = False) -> Evidence:
    article = make_article(
        name, headline="Crash on the coast", body=body, published_at=START + day * DAY, correction=correction
    )
    conflicts = (Conflict(kind="number", stated="12", found="nine"),) if "nine" in body else ()
    return Evidence(
        article=article,
        start=0,
        end=len(body),
        text=body,
        context=body,
        relevance=0.9,
        score=0.9,
        conflicts=conflicts,
    )


OLD = item("old", "The crash killed 12 people.", day=0)
NEW = item("new", "The crash killed nine people.", day=3, correction=True)


def verify(*evidence: Evidence, whole: bool = True):
    judge = Verifier(whole=whole)
    model = SimpleNamespace(read=lambda pairs: [NO_SPAN for _ in pairs])
    component = EvidenceVerifier(verifier=judge, reader=model)
    return component.run(query=STATEMENT, kind=QueryKind.STATEMENT, evidence=list(evidence))


def answer(evidence: list[Evidence]):
    draft = ExtractiveGenerator().run(kind=QueryKind.STATEMENT, evidence=evidence)["draft"]
    checked = CitationChecker().run(draft=draft, evidence=evidence)["checked"]
    writer = VerdictWriter(verifier=Resources(Settings()).verifier())
    return writer.run(QueryKind.STATEMENT, checked)["ruling"]


def test_after_a_newer_correction_the_answer_is_its_sentence():
    found = verify(OLD, NEW)["evidence"]
    assert [(one.article.article_id, one.relation) for one in found] == [
        (NEW.article.article_id, Relation.REFUTES),
        (OLD.article.article_id, Relation.MENTIONS),
    ]
    ruling = answer(found)
    assert ruling.verdict is Verdict.REFUTED
    assert ruling.answer == "The crash killed nine people Doc[1]."


def test_articles_of_one_day_conflict_and_the_surest_speaks():
    other = item("other", NEW.text, day=0)
    ruling = answer(verify(OLD, other)["evidence"])
    assert ruling.verdict is Verdict.CONFLICTING
    assert ruling.answer == "The crash killed 12 people Doc[1]."


def test_a_later_report_with_another_number_supersedes_an_earlier_one_and_says_so():
    found = verify(OLD, item("other", NEW.text, day=3))
    assert answer(found["evidence"]).verdict is Verdict.REFUTED
    (notice,) = found["warnings"]
    assert (notice.code, "12" in notice.message) == ("superseded", False)
    assert NEW.text in notice.message


@pytest.mark.parametrize("text", ["It took the lives of a dozen.", "Nobody saw them again."])
def test_a_quote_without_any_word_of_the_statement_settles_nothing(text):
    (found,) = verify(item("far", text, day=0))["evidence"]
    assert (found.relation, found.text) == (Relation.MENTIONS, text)
    assert answer([found]).verdict is Verdict.UNVERIFIED


@pytest.mark.parametrize(("whole", "codes"), [(True, []), (False, ["statement_cut"])])
def test_a_statement_that_is_not_judged_whole_is_told(whole, codes):
    assert [notice.code for notice in verify(OLD, whole=whole)["warnings"]] == codes
