"""Numbers of one thing that a statement gives of another."""

import pytest

from tests.pipelines.conflicts.found_kinds import kinds

CRASH = "Twelve people died and 40 were injured when a bus left the road near Cuzco on Friday night."
FERRY = "The coastguard rescued 58 of them; three are missing."


@pytest.mark.parametrize(
    ("statement", "sentence", "expected"),
    [
        ("Twelve people died in a bus crash.", CRASH, set()),
        ("40 people were injured.", CRASH, set()),
        ("Forty people died and 12 were injured in the crash.", CRASH, {"exchange"}),
        ("Twelve people were injured.", CRASH, {"exchange"}),
        ("Forty people died.", CRASH, {"exchange"}),
        ("Three people are missing and 58 were rescued.", FERRY, set()),
        ("Three people were rescued and 58 are missing.", FERRY, {"exchange"}),
        ("Twelve men died.", "Twelve men and three women died.", set()),
        ("Three women died.", "Twelve men and three women died.", set()),
        ("Imports rose 3 percent.", "Exports rose 4 percent and imports 3 percent.", set()),
        ("Exports rose 3 percent.", "Exports rose 4 percent and imports 3 percent.", {"exchange"}),
        ("The rate was 12 percent before.", "The rate fell to 11 percent, from 12 percent.", set()),
        ("Two children died.", "Five people died, two of them children.", set()),
        ("They planted 20 trees in 2019.", "In 2019 they planted 20 trees, and 40 bushes in 2020.", set()),
    ],
)
def test_a_number_is_of_what_its_clause_says(statement, sentence, expected):
    assert kinds(statement, sentence) == expected
