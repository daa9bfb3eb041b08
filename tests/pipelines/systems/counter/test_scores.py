from types import SimpleNamespace

import pytest

from core.types import Relation
from pipelines.contracts.evidence import Evidence
from pipelines.contracts.verifier import Judgement
from pipelines.systems.counter.compose import Length, Tone, compose
from pipelines.systems.counter.scores import Scorer
from pipelines.systems.counter.types import Candidate
from tests.pipelines.systems.articles import news

CLAIM = "Nothing burned near Bergen."


def scorer(text: str, *, source: str = "Harbour Post", supports: float = 0.9) -> tuple[Scorer, Evidence]:
    """Make a scorer whose models say the same of everything, and the one quote that it has."""
    article = news("fire", "Forest burns near Bergen", text, source=source)
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
    verifier = SimpleNamespace(
        judge=lambda pairs: [Judgement(supports=supports, refutes=0.05, neither=0.95 - supports) for _ in pairs]
    )
    model = SimpleNamespace(read=lambda pairs: [SimpleNamespace(relevance=0.9) for _ in pairs])
    return Scorer(CLAIM, [quote], verifier=verifier, reader=model, max_words=115), quote


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


@pytest.mark.parametrize(
    "said",
    ["That is true.", "These reports are not true.", "The story is real.", "Reports say the same.", "That is so."],
)
def test_a_sentence_that_judges_is_not_taken_for_a_courtesy(said: str) -> None:
    text = "The fire burned forest near Bergen."
    judge, _ = scorer(text, supports=0.1)
    judged = judge.judge(Candidate(text=f"Thank you for sharing. {said} {text[:-1]} Doc[1].", generator="scripted"))
    assert said not in judged.candidate.text
    assert "Thank you for sharing." in judged.candidate.text
    assert judged.scores[1].value == pytest.approx(2 / 3)


@pytest.mark.parametrize("tone", Tone)
def test_every_sentence_of_a_plain_reply_stands_where_nothing_supports_it(tone: Tone) -> None:
    """Its openings and closings are fixed words."""
    judge, quote = scorer("The fire burned forest near Bergen.", supports=0.1)
    replies = [judge.judge(one) for one in compose([quote, quote], tone=tone, length=Length.NORMAL)]
    assert {reply.scores[1].value for reply in replies} == {1.0}


@pytest.mark.parametrize("source", ["POLITICO", "WIRED", "The Motley Fool", "Yahoo!"])
def test_the_name_of_a_publisher_is_no_rudeness(source: str) -> None:
    judge, quote = scorer("The fire burned forest near Bergen.", source=source)
    for candidate in compose([quote], tone=Tone.PLAIN, length=Length.NORMAL):
        assert source in candidate.text
        assert judge.judge(candidate).scores[2].value == 1.0
