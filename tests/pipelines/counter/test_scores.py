from types import SimpleNamespace

import pytest

from core.types import Relation
from pipelines.counter.compose import Length, Tone, compose
from pipelines.counter.parts import Candidate
from pipelines.counter.scores import Scorer
from pipelines.findings import Evidence
from pipelines.verifiers.contract import Judgement
from tests.pipelines.systems.articles import news

CLAIM = "Nothing burned near Bergen."


def scorer(text: str) -> tuple[Scorer, Evidence]:
    """Make a scorer whose models agree with everything, and the one quote that it has."""
    article = news("fire", "Forest burns near Bergen", text)
    quote = Evidence(
        article=article,
        start=0,
        end=len(text),
        text=text,
        relevance=0.9,
        relation=Relation.REFUTES,
        score=0.9,
        refutes=0.9,
    )
    verifier = SimpleNamespace(judge=lambda pairs: [Judgement(supports=0.9, refutes=0.05, neither=0.05) for _ in pairs])
    model = SimpleNamespace(read=lambda pairs: [SimpleNamespace(relevance=0.9) for _ in pairs])
    return Scorer(CLAIM, [quote], verifier=verifier, model=model, max_words=115), quote


@pytest.mark.parametrize(
    "text", ["The fire burned 12 km² of forest near Bergen.", "The fire [7] burned forest near Bergen."]
)
def test_a_plain_reply_may_quote_what_looks_like_a_citation(text: str) -> None:
    judge, quote = scorer(text)
    for candidate in compose([quote], tone=Tone.PLAIN, length=Length.NORMAL):
        judged = judge.judge(candidate)
        assert judged.fault == ""
        assert judged.candidate.text == candidate.text


def test_a_models_reply_that_cites_what_it_was_not_given_has_a_fault() -> None:
    judge, _ = scorer("The fire burned 12 km² of forest near Bergen.")
    reply = Candidate(text="The fire burned forest near Bergen [1]. It burned near Bergen [7].", generator="scripted")
    assert judge.judge(reply).fault == "It cites documents that it was not given."
