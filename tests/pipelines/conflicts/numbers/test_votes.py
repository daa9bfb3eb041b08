"""Unanimous votes against counted ones."""

import pytest

from tests.pipelines.conflicts.found_kinds import kinds


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        ("The council rejected the plan unanimously.", "The council rejected the plan by nine votes to six on Monday."),
        ("The council unanimously rejected the plan.", "The council voted 9 to 6 to reject the plan."),
        ("The plan was rejected in a unanimous vote.", "The plan was rejected in a 9-6 vote."),
        ("The council rejected the plan by 9 votes to 6.", "The council rejected the plan unanimously."),
    ],
)
def test_a_divided_vote_is_not_unanimous(statement, sentence):
    assert kinds(statement, sentence) == {"antonym"}


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        ("The council rejected the plan unanimously.", "The council voted 15 to 0 to reject the plan."),
        ("The council rejected the plan unanimously.", "The council rejected the plan by 15 votes to zero."),
        ("The committee unanimously passed it.", "The committee passed it unanimously, the council by 9 votes to 6."),
        ("The council passed it by 9 votes to 6.", "The committee passed it unanimously, the council by 9 votes to 6."),
        ("The council unanimously passed the budget.", "The senate voted 60 to 40 for a new canal."),
        ("The council unanimously backed the 2020 plan.", "The council was of one mind on 2020 to 2024."),
    ],
)
def test_a_vote_may_be_both_or_have_no_contrary_voice(statement, sentence):
    assert kinds(statement, sentence) == set()
