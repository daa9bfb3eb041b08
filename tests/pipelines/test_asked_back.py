from dataclasses import dataclass

import pytest

from pipelines.asked_back import find_conflicts
from pipelines.findings import Evidence
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
