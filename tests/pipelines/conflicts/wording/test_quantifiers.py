"""Most of a thing is not all of it."""

import pytest

from tests.pipelines.conflicts.found_kinds import kinds


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        ("All schools have reopened.", "Almost all schools have reopened."),
        ("All of the schools have reopened.", "Most of the schools have reopened."),
        ("All the passengers survived.", "All but two of the passengers survived."),
        ("Every member voted for the plan.", "All but one member voted for the plan."),
        ("Everyone voted for the plan.", "Nearly everyone voted for the plan."),
        ("All schools have reopened.", "All schools except those in the north have reopened."),
        ("The entire crew was rescued.", "Most of the crew was rescued."),
        ("The whole village was destroyed.", "Half the village was destroyed."),
    ],
)
def test_a_part_leaves_the_whole_open(statement, sentence):
    assert kinds(statement, sentence) == {"open"}


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        ("All schools have reopened.", "All schools have reopened, most of the schools in May."),
        ("Almost all schools have reopened.", "Most schools have reopened."),
        ("All but two of the passengers survived.", "All but two passengers survived."),
        ("All passengers survived.", "Most of the staff had left before the crash."),
        ("Everyone voted for the plan.", "The vote for the plan was unanimous in most countries."),
        ("The blocks do not share every word.", "The blocks differ in most of their words."),
        ("Orthodox Jews live all over America.", "Many American Jews live in New York."),
        ("The Schuylers owned nobody.", "The Schuylers were one of the most outspoken families."),
        ("All 12 miners were rescued.", "The miners, some of them hurt, were all rescued."),
    ],
)
def test_a_part_of_something_else_does_not(statement, sentence):
    assert kinds(statement, sentence) == set()
