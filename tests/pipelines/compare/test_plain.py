"""Comparisons by plain code, on sentences made for them."""

from datetime import date

import pytest

from pipelines.compare.conflicts import wording_conflicts
from pipelines.compare.dates import date_mentions, disagree
from pipelines.compare.quantities import agree, quantities

WEDNESDAY = date(2021, 3, 10)


def kinds(statement, sentence, published=WEDNESDAY):
    return {conflict.kind for conflict in wording_conflicts(statement, sentence, published=published)}


@pytest.mark.parametrize(
    ("stated", "found", "expected"),
    [
        ("It cost 5 million dollars.", "It cost €5 million.", False),
        ("It cost 5 million dollars.", "It cost $5 million.", True),
        ("It is 10 miles long.", "It is 16 km long.", True),
        ("It is 10 miles long.", "It is 10 km long.", False),
        ("He was held for two weeks.", "He was held for 14 days.", True),
        ("He was held for two weeks.", "He was held for two days.", False),
        ("It weighs 3 tonnes.", "It weighs 3,000 kg.", True),
        ("It is 10 miles long.", "It took 10 hours.", True),
        ("There were 10 of them.", "It is 10 km long.", True),
        ("Half a million people fled.", "Some 500,000 people fled.", True),
        ("40 per cent agreed.", "Only 30% agreed.", False),
    ],
)
def test_quantities_agree_in_their_units(stated, found, expected):
    assert agree(quantities(stated)[0], quantities(found)[0]) is expected


@pytest.mark.parametrize(
    ("stated", "found", "expected"),
    [
        ("on Tuesday", "on Monday", True),
        ("on Tuesday", "yesterday", False),
        ("on Monday", "yesterday", True),
        ("on 9 March 2021", "on Tuesday", False),
        ("on March 8, 2021", "on Tuesday", True),
        ("in February 2021", "last month", False),
        ("in January 2021", "last month", True),
        ("on 2 March", "last week", False),
        ("on 12 March", "last week", True),
        ("in June 2020", "next month", True),
        ("in March 2019", "two years ago", False),
        ("in March 2015", "two years ago", True),
        ("on 3 May", "on 3 June", True),
        ("on 2021-03-09", "9 March", False),
    ],
)
def test_days_are_compared_from_the_day_of_publication(stated, found, expected):
    (ours,), (theirs,) = date_mentions(stated, published=None), date_mentions(found, published=WEDNESDAY)
    assert disagree(ours, theirs) is expected


def test_words_that_only_look_like_months_are_no_dates():
    assert date_mentions("They may march 20 miles.", published=WEDNESDAY) == []
    assert date_mentions("It happened on 31 February 2021.", published=WEDNESDAY) == []


@pytest.mark.parametrize(
    ("statement", "sentence", "expected"),
    [
        ("The bridge collapsed on Sunday.", "The bridge collapsed on Friday evening.", {"day"}),
        ("The bridge collapsed on Sunday.", "The mayor said on Friday that the bridge had collapsed.", set()),
        ("The bridge collapsed on Sunday.", "It collapsed on Sunday, the mayor said on Friday.", set()),
        ("Marsh beat Oduya in the final.", "Oduya beat Marsh in the final.", {"roles"}),
        ("Marsh beat Oduya in the final.", "Oduya was beaten by Marsh.", set()),
        ("Marsh was beaten by Oduya.", "Oduya was beaten by Marsh.", {"roles"}),
        ("Marsh met Oduya in Lagos.", "Oduya met Marsh in Lagos.", set()),
        ("Marsh beat Oduya.", "Oduya, who had beaten Marsh before, lost.", set()),
        ("It was her third title.", "It was her second title.", {"ordinal"}),
        ("It was her third title.", "It was her 3rd title.", set()),
        ("It was her third title.", "It was the second season.", set()),
        ("The strike was not announced.", "The strike was announced.", {"negation"}),
        ("The strike was announced.", "The union did not agree, but the strike was announced.", set()),
        ("The strike was announced.", "The strike was not only announced, it was held.", set()),
        ("Nobody faster than Oduya had run it.", "Oduya ran it in May.", set()),
        ("The vote was unanimous.", "The vote was divided.", {"antonym"}),
    ],
)
def test_conflicts_that_can_be_pointed_to(statement, sentence, expected):
    assert kinds(statement, sentence) == expected
