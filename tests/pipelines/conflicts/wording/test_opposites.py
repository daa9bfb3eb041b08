"""Opposites that are said of the same matter, and of another."""

import pytest

from tests.pipelines.conflicts.found_kinds import kinds


@pytest.mark.parametrize(
    ("statement", "sentence", "expected"),
    [
        ("Women in Velmont earn less than men.", "Men in Velmont earn more than women.", set()),
        ("Women in Velmont earn less than men.", "Women in Velmont earn more than men.", {"antonym"}),
        ("Women earn less, on average, than men.", "Men earn more than women.", set()),
        ("Women earn less than before.", "Women earn more than before.", {"antonym"}),
        ("Acme's sales are higher than those of Nordwing.", "Nordwing's sales are lower than those of Acme.", set()),
        ("Acme's sales are higher than Nordwing's.", "Acme's sales are lower than those of Nordwing.", {"antonym"}),
        ("Rents are lower in the north than in the south.", "Rents are higher in the south than in the north.", set()),
        ("Rents are lower in Bern than in Basel.", "Rents are higher in Basel than in Bern.", set()),
        ("Rents are lower in Bern than in Basel.", "Rents are lower in Basel than in Bern.", {"roles"}),
        ("Fewer people died in Velmont than last year.", "More people died in Velmont last year.", set()),
        ("Fewer people died than last year.", "More people died than last year because of rain.", {"antonym"}),
        ("Sweden exports more fish than Norway.", "Norway exports less fish than Sweden.", set()),
        ("Sweden exports more fish than Norway.", "Norway has more lakes than Sweden.", set()),
        ("Sweden exports more fish than Norway.", "Norway exports more fish than Sweden.", {"roles"}),
        ("Prices are lower.", "Prices are higher, and more people are working than last year.", {"antonym"}),
    ],
)
def test_a_comparison_turned_round_is_no_conflict(statement, sentence, expected):
    assert kinds(statement, sentence) == expected


@pytest.mark.parametrize(
    ("statement", "sentence", "expected"),
    [
        ("All passengers died in the crash.", "No passengers survived the crash.", set()),
        ("No passengers survived the crash.", "All passengers died in the crash.", set()),
        ("All passengers died in the crash.", "No passengers died in the crash.", {"negation"}),
        ("All passengers survived the crash.", "No passengers survived the crash.", {"negation"}),
        ("All 176 people on board died.", "None of the 176 people on board the plane survived.", set()),
        ("All 176 people on board died.", "All 176 people on board survived.", {"antonym"}),
        ("All miners died.", "Rescuers said that not one of the men and miners had survived.", set()),
        ("The bus crashed into the bridge.", "No passengers were hurt as the bus crashed into the bridge.", set()),
        ("The cost of rice rose.", "No doubt the average cost of all rice fell.", {"antonym"}),
    ],
)
def test_what_nobody_did_denies_no_opposite(statement, sentence, expected):
    assert kinds(statement, sentence) == expected


@pytest.mark.parametrize(
    ("statement", "sentence", "expected"),
    [
        ("Democrats are in the minority in the Senate.", "Republicans hold the majority in the Senate.", set()),
        ("Democrats are in the minority in the Senate.", "Democrats hold the majority in the Senate.", {"antonym"}),
        ("Everton won the final.", "Liverpool lost the final.", set()),
        ("Everton won the final.", "The team lost the final.", {"antonym"}),
    ],
)
def test_the_other_party_has_the_opposite(statement, sentence, expected):
    assert kinds(statement, sentence) == expected
