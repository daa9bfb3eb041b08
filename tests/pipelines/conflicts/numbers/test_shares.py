"""Shares that two numbers give, against the same and against others."""

import pytest

from pipelines.conflicts.comparison import slot_conflict
from pipelines.conflicts.slots import useful_slots
from tests.pipelines.conflicts.test_comparison import slot


@pytest.mark.parametrize(
    ("statement", "stated", "found", "sentence"),
    [
        ("Eight in 10 pupils passed.", "Eight", "Four", "Four out of five pupils passed."),
        ("Four in five pupils passed.", "Four", "Eight", "Eight in every 10 pupils passed."),
        ("Eight pupils out of 10 passed.", "Eight", "120", "Some 120 pupils passed."),
    ],
)
def test_the_same_share_in_other_numbers_is_no_conflict(statement, stated, found, sentence):
    assert slot_conflict(slot(statement, stated), found, sentence) is None


@pytest.mark.parametrize("sentence", ["Six out of 10 pupils passed.", "Three in five pupils passed."])
def test_another_share_is_a_conflict(sentence):
    asked = slot("Eight out of 10 pupils passed.", "Eight")
    assert slot_conflict(asked, sentence.split()[0], sentence).kind == "number"


def test_numbers_with_a_stroke_are_not_asked_for():
    asked = useful_slots("The 9/11 attacks killed 2,977 people.", [], limit=5)
    assert [item.stated for item in asked] == ["2,977"]


def test_a_temperature_below_zero_is_asked_for():
    asked = useful_slots("It fell to -5C on Monday.", [], limit=5)
    assert [item.stated for item in asked] == ["5"]
