"""What a change began with is not what it came to."""

import pytest

from tests.pipelines.conflicts.found_kinds import kinds


@pytest.mark.parametrize(
    ("statement", "sentence", "expected"),
    [
        ("Inflation rose to 2%.", "Inflation rose to 3% from 2% in March.", {"exchange"}),
        ("The rate was cut to 1.75%.", "The bank cut its rate from 1.75% to 1.5%.", {"exchange"}),
        ("The rate was cut from 1.5%.", "The bank cut its rate from 1.75% to 1.5%.", {"exchange"}),
        ("The toll has risen to about 50.", "The toll has risen to 62 from 50.", {"exchange"}),
        ("Acme moved to York.", "Acme moved its offices from York to Leeds.", {"exchange"}),
        ("The rate was cut to 1.5%.", "The bank cut its rate from 1.75% to 1.5%.", set()),
        ("The rate was cut from 1.75%.", "The bank cut its rate from 1.75% to 1.5%.", set()),
        ("Inflation rose to 2%.", "Inflation went up from 2% in May.", set()),
        ("Inflation rose to 2%.", "Inflation rose to 2% from 1%, and then from 2% to 3%.", set()),
        ("Acme moved to York.", "Acme moved from Leeds to York.", set()),
        ("The road to York was closed.", "The road from York to Leeds was closed.", set()),
        ("Oduya was born to Tanzanian parents.", "Oduya, whose parents came from Tanzania, went to Syria.", set()),
        ("The fine rose to $50.", "The fine rose from 50 days in prison to $50.", set()),
    ],
)
def test_the_ends_of_a_change_are_told_apart(statement, sentence, expected):
    assert kinds(statement, sentence) == expected
