from dataclasses import dataclass
from datetime import UTC, datetime

import pytest

from pipelines.contracts.evidence import Evidence
from pipelines.reading.slot_questions import find_conflicts
from tests.pipelines.systems.articles import news

SENTENCE = "The hospital was run by MSF."
STATEMENT = "The hospital was run by Doctors Without Borders."


@dataclass(frozen=True)
class Reading:
    start: int
    end: int
    span_score: float = 5.0


class Reader:
    """Finds one text, wherever it is asked."""

    def __init__(self, answer):
        self.answer = answer

    def read(self, pairs):
        places = [text.rindex(self.answer) for _, text in pairs]
        return [Reading(place, place + len(self.answer)) for place in places]


@pytest.mark.parametrize(("published", "kinds"), [(2011, {"date"}), (2020, set())])
def test_an_article_need_not_name_its_own_year(published, kinds):
    sentence = "He helped to draft the constitution before independence in 2011."
    article = news("minister", "A minister", sentence).model_copy(
        update={"published_at": datetime(published, 5, 1, tzinfo=UTC)}
    )
    item = Evidence(
        article=article, start=0, end=len(sentence), text=sentence, context=sentence, relevance=0.9, score=0.9
    )
    statement = "He helped to draft the constitution before independence in 2020."
    found = find_conflicts(Reader("2011"), statement, [item], max_slots=3, max_texts=3)
    assert {conflict.kind for one in found for conflict in one.conflicts} == kinds


@pytest.mark.parametrize(("before", "kinds"), [("Doctors Without Borders (MSF)", set()), ("The charity", {"name"})])
def test_the_text_around_a_sentence_tells_which_names_are_one(before, kinds):
    article = news("hospital", "A hospital", f"{before} has left the country. {SENTENCE}")
    item = Evidence(
        article=article,
        start=article.body.index(SENTENCE),
        end=len(article.body),
        text=SENTENCE,
        context=article.body,
        relevance=0.9,
        score=0.9,
    )
    found = find_conflicts(Reader("MSF"), STATEMENT, [item], max_slots=3, max_texts=3)
    assert {conflict.kind for one in found for conflict in one.conflicts} == kinds


@pytest.mark.parametrize(
    ("sentence", "kinds"),
    [
        ("A post falsely claimed that 300 people died in the fire.", set()),
        ("A post claimed that 300 people died in the fire.", {"number"}),
    ],
)
def test_a_number_in_a_claim_that_is_called_false_contradicts_nothing(sentence, kinds):
    article = news("fire", "A fire", sentence)
    item = Evidence(
        article=article, start=0, end=len(sentence), text=sentence, context=sentence, relevance=0.9, score=0.9
    )
    found = find_conflicts(Reader("300"), "In the fire 12 people died.", [item], max_slots=3, max_texts=3)
    assert {conflict.kind for one in found for conflict in one.conflicts} == kinds
