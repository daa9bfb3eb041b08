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
        ("on Monday", "yesterday", False),  # the day of publication is that of UTC
        ("on Sunday", "yesterday", True),
        ("on 2 March 2021", "on Wednesday", True),
        ("on 3 March 2021", "on Wednesday", False),
        ("on 11 March 2021", "a week ago", True),
        ("on 28 February 2021", "this month", True),
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


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("in May", True),
        ("In early August,", True),
        ("mid-March", True),
        ("May 2018", True),
        ("9 May", True),
        ("to Theresa May", False),
        ("a minister in May's cabinet", False),
        ("had lost confidence in May", False),
        ("The May election", False),
        ("a speech by May", False),
    ],
)
def test_a_month_by_itself_is_surely_one_only_where_the_words_before_it_say_so(text, expected):
    (mention,) = date_mentions(text, published=WEDNESDAY)
    assert mention.is_sure is expected


@pytest.mark.parametrize(
    ("statement", "sentence", "published", "expected"),
    [
        ("The court ruled on Monday.", "The court ruled today.", date(2021, 3, 9), set()),  # Monday evening in New York
        ("The court ruled on Sunday.", "The court ruled today.", date(2021, 3, 9), {"day"}),
        ("The court ruled on 25 February.", "The court ruled last week.", date(2021, 3, 8), set()),
        ("The court ruled on 2 March.", "The court ruled on Tuesday.", date(2021, 3, 9), set()),
        ("The court ruled in January.", "The court ruled last month.", date(2021, 3, 1), set()),
    ],
)
def test_the_day_of_publication_may_be_off_by_one(statement, sentence, published, expected):
    assert kinds(statement, sentence, published) == expected


@pytest.mark.parametrize("published", [date(1, 1, 1), date(90, 1, 1), date(9999, 12, 31), WEDNESDAY])
def test_no_day_of_publication_ends_the_comparison(published):
    assert date_mentions("It rained yesterday, last year, next week and 99 years ago.", published=published)


def test_words_that_only_look_like_months_are_no_dates():
    assert date_mentions("They may march 20 miles.", published=WEDNESDAY) == []
    assert date_mentions("It happened on 31 February 2021.", published=WEDNESDAY) == []


@pytest.mark.parametrize(
    ("statement", "sentence", "expected"),
    [
        ("The bridge collapsed on Sunday.", "The bridge collapsed on Friday evening.", {"day"}),
        ("The bridge collapsed on Sunday.", "The mayor said on Friday that the bridge had collapsed.", set()),
        ("The bridge collapsed on Sunday.", "It collapsed on Sunday, the mayor said on Friday.", set()),
        ("Marsh resigned on 9 July.", "Marsh resigned in May.", {"day"}),
        ("Marsh resigned on 9 July 2018.", "Marsh resigned in a letter to Theresa May.", set()),
        ("Marsh resigned on 9 July 2018.", "Marsh, who resigned as a minister in May's cabinet, spoke.", set()),
        ("Theresa May resigned on 24 May 2019.", "Theresa May resigned on 24 June 2019.", {"day"}),
        ("Marsh was elected on 6 May.", "The May vote in which Marsh was elected was held on Friday.", set()),
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
