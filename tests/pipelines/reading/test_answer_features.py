import pytest

from pipelines.reading.answer_features import FEATURES, Candidate, answer_features
from pipelines.reading.answer_types import AnswerType, expected_type, type_mismatch


def features(question, span, piece="The bridge over the Avon cost 48 million pounds.", rank=0):
    answer = Candidate(span=span, piece=piece, headline="Bridge opened", span_score=1.0, rank=rank)
    return answer_features(question, answer)


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("How many people were hurt?", AnswerType.NUMBER),
        ("By then, how old was the bridge?", AnswerType.NUMBER),
        ("What percentage voted for it?", AnswerType.NUMBER),
        ("When did it open?", AnswerType.DATE),
        ("In which year did it open?", AnswerType.DATE),
        ("Who opened it when the mayor was ill?", AnswerType.PERSON),
        ("In what city did it happen?", AnswerType.PLACE),
        ("Why was it closed?", AnswerType.OTHER),
    ],
)
def test_what_a_question_asks_for(question, kind):
    assert expected_type(question) is kind


@pytest.mark.parametrize(
    ("kind", "span", "mismatch"),
    [
        (AnswerType.NUMBER, "more than seventy", False),
        (AnswerType.NUMBER, "the hospital", True),
        (AnswerType.DATE, "on Tuesday", False),
        (AnswerType.DATE, "the council", True),
        (AnswerType.PERSON, "Ellen Marsh", False),
        (AnswerType.OTHER, "anything", False),
    ],
)
def test_whether_a_span_can_be_the_answer(kind, span, mismatch):
    assert type_mismatch(kind, span) is mismatch


def test_a_candidate_has_every_feature():
    assert tuple(features("What did the bridge cost?", "48 million pounds")) == FEATURES


def test_names_that_a_piece_lacks_are_counted():
    assert features("Did the Severn or the Avon bridge cost more?", "48 million pounds")["names_missing"] == 0.5


def test_later_ranks_and_unfit_spans_are_told():
    fit = features("What number of people saw it?", "48 million", rank=2)
    unfit = features("What number of people saw it?", "the Avon", rank=0)
    assert (fit["type_mismatch"], unfit["type_mismatch"]) == (0.0, 1.0)
    assert fit["log_rank"] > unfit["log_rank"] == 0.0


def test_a_span_that_repeats_the_question_is_told():
    question = "Which bridge cost 48 million?"
    assert [features(question, span)["span_in_question"] for span in ("48 million", "Avon")] == [1.0, 0.0]
