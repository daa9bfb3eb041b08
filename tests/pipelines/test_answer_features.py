import pytest

from pipelines.answer_features import FEATURES, Candidate, answer_features
from pipelines.answer_types import AnswerType, expected_type, type_mismatch


def candidate(span, sentence="The bridge over the Avon cost 48 million pounds.", **given):
    fields = {"piece": sentence, "headline": "Bridge opened", "span_score": 1.0, "relevance": 0.5, "rank": 0}
    return Candidate(span=span, sentence=sentence, passage_overlap=0.5, **{**fields, **given})


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


def test_every_candidate_has_every_feature():
    rows = answer_features("What did the bridge cost?", [candidate("48 million pounds"), candidate("Avon", rank=3)])
    assert [tuple(row) for row in rows] == [FEATURES, FEATURES]
    assert answer_features("What?", []) == []


def test_names_and_numbers_that_a_piece_lacks_are_counted():
    (row,) = answer_features("Did the Severn or the Avon bridge cost 49 million?", [candidate("48 million pounds")])
    assert (row["names_missing"], row["numbers_missing"]) == (0.5, 1.0)


def test_candidates_are_measured_against_the_best_and_agree_across_articles():
    rows = answer_features(
        "What did the bridge cost?",
        [
            candidate("48 million pounds", span_score=3.0),
            candidate("48 Million Pounds", span_score=1.0, headline="Other"),
            candidate("Avon"),
        ],
    )
    assert [row["span_behind_best"] for row in rows] == [0.0, 2.0, 2.0]
    assert rows[0]["agreement"] == rows[1]["agreement"] > rows[2]["agreement"] == 0.0


def test_a_span_that_repeats_the_question_is_told():
    rows = answer_features("Which bridge cost 48 million?", [candidate("48 million"), candidate("Avon")])
    assert [row["span_in_question"] for row in rows] == [1.0, 0.0]
