"""Which way words lean."""

import pytest

from pipelines.systems.perspectives.stance_words import leaning
from pipelines.systems.perspectives.topic import Topic


@pytest.mark.parametrize(
    ("sentence", "proposition", "side"),
    [
        ("Farmers oppose the return of wolves.", "Wolves should return.", -1),
        ("Biologists welcomed the wolves.", "Wolves should return.", 1),
        ("Farmers do not oppose the wolves.", "Wolves should return.", 1),
        ("Keepers defended the zoo.", "Zoos should be banned.", -1),
        ("Keepers opposed the ban on zoos.", "Zoos should be banned.", -1),
        ("A court called the ban on zoos unconstitutional.", "Zoos should be banned.", -1),
        ("Visitors demanded that all zoos be closed.", "Zoos should be banned.", 1),
        ("The zoo closed its gates at five.", "Zoos should be banned.", 0),
        ("Judges found the closure unlawful.", "The zoo should have been closed.", -1),
        ("Parliament voted to legalize fishing.", "Fishing should be banned.", -1),
        ("Police found illegal drugs near the zoo.", "The zoo should be kept.", 0),
        ("Two in three voted against the zoo.", "The zoo should be kept.", -1),
        ("Charges against the zoo were dropped.", "The zoo should be kept.", 0),
        ("The zoo has 40 wolves.", "Zoos should be banned.", 0),
    ],
)
def test_words_lean_for_or_against(sentence, proposition, side):
    value = leaning(sentence, proposition)
    assert (value > 0) - (value < 0) == side


@pytest.mark.parametrize(
    ("query", "text", "is_about"),
    [
        ("Should the British Parliament have been suspended?", "The Queen suspended the UK's parliament.", True),
        (
            "Should the British Parliament have been suspended?",
            "A member of the Scottish Parliament stood trial.",
            False,
        ),
        ("Should a border wall be built?", "Pilgrims are protected by an oval wall.", False),
        ("Should abortion be banned?", "The state legalized abortion.", True),
        ("Should US troops leave Iraq?", "United States troops stay in Iraq.", True),
    ],
)
def test_a_text_is_about_a_question_by_its_matter(query, text, is_about):
    assert Topic(query).has(text) is is_about
