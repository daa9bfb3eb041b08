"""Fractions in words, against percentages and each other."""

import timeit

import pytest

from pipelines.conflicts.comparison import slot_conflict
from pipelines.conflicts.numbers.quantities import quantities
from pipelines.conflicts.numbers.quantity import Bound
from pipelines.conflicts.slots import useful_slots
from tests.pipelines.conflicts.test_comparison import slot


def told(text):
    return [(item.text, round(item.value, 1), item.bound) for item in quantities(text) if item.percent]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Two thirds of voters backed it.", ("Two thirds", 66.7, Bound.ABOUT)),
        ("It needs a two-thirds majority.", ("two-thirds", 66.7, Bound.ABOUT)),
        ("Over a third of voters backed it.", ("a third", 33.3, Bound.MORE)),
        ("Nearly half the staff left.", ("half", 50.0, Bound.NEARLY)),
        ("Three quarters of the staff left.", ("Three quarters", 75.0, Bound.ABOUT)),
        ("Sales fell by more than a quarter.", ("a quarter", 25.0, Bound.MORE)),
        ("Sales fell by half.", ("half", 50.0, Bound.ABOUT)),
        ("One-third of them left.", ("One-third", 33.3, Bound.ABOUT)),
        ("a third", ("a third", 33.3, Bound.ABOUT)),
    ],
)
def test_a_fraction_is_a_percentage(text, expected):
    assert told(text) == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "She ran the first half of the race in half an hour, and a quarter of a mile more.",
        "Half a million came, a quarter of a million on the second of May.",
        "It took two and a half of the years, three quarters of growth and the first three quarters of the year.",
        "His half-brother came in the third quarter, a third time.",
        "It fell by half a point, by a quarter of an hour and by a third man's hand.",
        "A quarter to a third of voters backed it.",
        "Between a quarter and a third of voters backed it.",
        "It was backed by one third or half of the voters.",
    ],
)
def test_halves_of_time_and_numbers_and_ranges_are_no_fractions(text):
    assert told(text) == []


@pytest.mark.parametrize(
    ("found", "sentence"),
    [
        ("A third", "A third of voters backed it."),
        ("a quarter of voters", "It was backed by a quarter of voters."),
        ("34 percent", "Some 34 percent of voters backed it."),
    ],
)
def test_another_fraction_is_a_conflict(found, sentence):
    asked = slot("Two thirds of voters backed it.", "Two thirds")
    assert asked.question == "What percentage of voters backed it?"
    assert slot_conflict(asked, found, sentence).kind == "number"
    assert useful_slots(asked.statement, [sentence], limit=5) == [asked]


@pytest.mark.parametrize(
    ("found", "sentence"),
    [
        ("65 percent", "Some 65 percent of voters backed it."),
        ("More than half", "More than half of the voters backed it."),
        ("Two million", "Two million voters backed it."),
        ("A third", "A third of voters backed it in May, two-thirds in June."),
    ],
)
def test_what_a_fraction_may_be_is_no_conflict(found, sentence):
    assert slot_conflict(slot("Two thirds of voters backed it.", "Two thirds"), found, sentence) is None


def test_many_fractions_are_read_in_linear_time():
    def seconds(times):
        return min(timeit.repeat(lambda: quantities("half of the " * times), number=1, repeat=3))

    assert len(quantities("half of the " * 800)) == 800
    assert seconds(8_000) < 50 * seconds(800)
