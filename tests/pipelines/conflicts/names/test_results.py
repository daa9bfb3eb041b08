"""Who won and who was beaten."""

import pytest

from tests.pipelines.conflicts.found_kinds import kinds

FINAL = "Arlen defeated Bexley 3-1 in the final on Sunday."


@pytest.mark.parametrize(
    ("statement", "sentence", "expected"),
    [
        ("Arlen lost the final.", FINAL, {"roles"}),
        ("Bexley won the final.", FINAL, {"roles"}),
        ("Arlen lost the final.", "In the final Bexley was beaten by Arlen.", {"roles"}),
        ("Arlen lost the final.", "Bexley lost the final to Arlen.", {"roles"}),
        ("Bexley has won the final.", "Bexley was defeated by Arlen in the final.", {"roles"}),
        ("Arlen won the final.", FINAL, set()),
        ("Bexley lost the final.", FINAL, set()),
        ("Bexley lost the final.", "Bexley was defeated by Arlen in the final.", set()),
        ("Bexley won the toss.", "Bexley won the toss but was defeated by Arlen.", set()),
        ("Arlen lost the final set.", "Arlen defeated Bexley in the final.", set()),
        ("Arlen lost the final.", "Arlen defended Bexley after the final.", set()),
        ("Arlen lost the final.", "Arlen did not beat Bexley in the final.", set()),
    ],
)
def test_who_beats_another_has_won(statement, sentence, expected):
    assert kinds(statement, sentence) == expected
