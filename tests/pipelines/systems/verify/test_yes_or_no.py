import pytest

from core.types import QueryKind, Relation, Verdict
from pipelines.contracts import Ruling
from pipelines.systems.verify.yes_or_no import yes_or_no
from tests.pipelines.evidence.test_verdict import evidence


def ruling(verdict, relation, text="The bridge was closed on 3 June."):
    item = evidence().model_copy(update={"relation": relation, "text": text})
    return Ruling(
        kind=QueryKind.STATEMENT,
        has_evidence=True,
        verdict=verdict,
        confidence=0.8,
        method="m",
        answer=f"{text[:-1]} Doc[1].",
        evidence=(item,),
        missing=(),
    )


@pytest.mark.parametrize(
    ("verdict", "relation", "answer"),
    [(Verdict.VERIFIED, Relation.SUPPORTS, "Yes. "), (Verdict.REFUTED, Relation.REFUTES, "No. ")],
)
def test_either_answer_is_verified_by_the_quotes_that_decided(verdict, relation, answer):
    found = yes_or_no(ruling(verdict, relation))
    assert (found.kind, found.verdict, found.confidence) == (QueryKind.QUESTION, Verdict.VERIFIED, 0.8)
    assert found.answer == f"{answer}The bridge was closed on 3 June Doc[1]."
    assert [item.relation for item in found.evidence] == [Relation.SUPPORTS]


@pytest.mark.parametrize("verdict", [Verdict.UNVERIFIED, Verdict.CONFLICTING])
def test_what_is_not_decided_gets_no_yes_or_no(verdict):
    given = ruling(verdict, Relation.MENTIONS)
    assert yes_or_no(given) == given.model_copy(update={"kind": QueryKind.QUESTION})
