"""Questions turned round."""

import pytest

from pipelines.systems.perspectives.proposition import denied, is_yes_or_no, proposition


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("Should the city close the airport?", "The city should close the airport."),
        ("Should zoos be banned?", "Zoos should be banned."),
        ("Is nuclear power safe?", "Nuclear power is safe."),
        ("Did Angela Merkel support the plan?", "Angela Merkel supported the plan."),
        ("Do you think that cars should be banned from cities?", "Cars should be banned from cities."),
        ("Will New York City ban cars?", "New York City will ban cars."),
        ("Zoos should be banned.", "Zoos should be banned."),
        ("Shouldn't voting be compulsory?", "Voting should be compulsory."),
        ("What should be done about zoos?", "What should be done about zoos."),
        ("Should", "Should."),
        ("Should US troops leave Velmont?", "US troops should leave Velmont."),
        ("Should 'don't look, don't touch' be repealed?", "'don't look, don't touch' should be repealed."),
    ],
)
def test_a_yes_becomes_a_statement(query, expected):
    assert proposition(query) == expected


@pytest.mark.parametrize("text", ["?", "...", "Should ?", "  is  "])
def test_odd_texts_do_not_break_it(text):
    assert proposition(text).endswith(".")


def test_open_questions_have_no_yes():
    assert is_yes_or_no("Should zoos be banned?")
    assert is_yes_or_no("Zoos should be banned.")
    assert not is_yes_or_no("Why were zoos banned?")


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("The city should close the airport.", "The city should not close the airport."),
        ("Zoos should not be banned.", "Zoos should be banned."),
        ("Zoos harm animals.", "It is not so that zoos harm animals."),
        ("'don't look' should be repealed.", "'don't look' should not be repealed."),
    ],
)
def test_a_no_denies_it(statement, expected):
    assert denied(statement) == expected
