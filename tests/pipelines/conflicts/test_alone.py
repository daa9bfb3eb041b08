"""Opposites, denials and other conflicts beside which a sentence says all the rest of a statement."""

import pytest

from pipelines.conflicts.comparison import wording_conflicts


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        ("The court lifted the ban on rentals.", "The court in Porto on Tuesday upheld the city's ban on rentals."),
        ("Jorge Lima was convicted of fraud.", "A court in Santa Rosa acquitted former president Jorge Lima of fraud."),
        ("Helen Marsh was cleared of murder.", "A jury convicted former nurse Helen Marsh of murder on Friday."),
        ("Sofia Lund opposed the pipeline.", "Party leader Sofia Lund backed the new pipeline on Saturday."),
        ("30 wolves were shot legally.", "The population grew, although 30 wolves were shot illegally."),
        ("Rents in Tallinn rose.", "Rents in Tallinn dropped by 2 percent last year."),
        ("The school closed before mould was found.", "The school closed on Monday after mould was found."),
        ("The panel found evidence of fraud.", "An independent panel found no evidence of fraud in the count."),
        ("Calder will not resign.", "Mayor Ines Calder will resign in May."),
        ("The senate failed for the third time to agree.", "The senate in May failed for the fourth time to agree."),
        ("Everton won the final.", "Everton lost the final."),
    ],
)
def test_a_conflict_may_be_all_that_the_texts_differ_in(statement, sentence):
    found = wording_conflicts(statement, sentence)
    assert found
    assert all(conflict.alone for conflict in found)


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        (
            "Malawi had cases on the very day the world's tally went past a million in May.",
            "The mark came the same day that Malawi had infections.",
        ),
        ("All the sick children in Northport were unvaccinated.", "None of the children had been vaccinated."),
        ("Police found no weapons in the house.", "Police searched the house for six hours but found no weapons."),
        ("Acme did not pay its employees in March.", "Acme did not pay its 1,900 employees in March, a union said."),
        ("Sanchez's brother sold the messages to a tabloid.", "A tabloid bought the messages from her brother."),
    ],
)
def test_other_words_may_say_the_same(statement, sentence):
    found = wording_conflicts(statement, sentence)
    assert found
    assert not any(conflict.alone for conflict in found)
