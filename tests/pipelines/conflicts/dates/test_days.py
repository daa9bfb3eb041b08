"""Days and months, in a statement and in its evidence."""

from datetime import date

import pytest

from pipelines.conflicts.dates.dates import date_mentions, disagree
from tests.pipelines.conflicts.found_kinds import WEDNESDAY, kinds


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


@pytest.mark.parametrize(
    ("day", "span", "expected"),
    [
        ("3 March", "from 3 to 7 March", set()),
        ("5 March", "between the 3rd and the 7th of March", set()),
        ("9 March", "from 3 to 7 March", {"day"}),
        ("9 March 2021", "from 3 to 7 March", {"day"}),
        ("7 March", "March 3-7", set()),
        ("7 March 2019", "March 3–7, 2019", set()),
        ("9 March", "March 3-7", {"day"}),
        ("3 March", "on 3 and 4 March", set()),
        ("3 March", "on March 3, 4 and 5", set()),
        ("5 March", "on March 3 and 12,000 came", {"day"}),
        ("5 March", "on 30 and 3 March", {"day"}),
        ("31 March", "from March 30 to April 2", set()),
        ("31 March", "from March 30 to 2 April", set()),
        ("3 April", "30 March – 2 April", {"day"}),
        ("1 January", "from 20 December to 5 January", set()),
        ("7 January", "from 20 December to 5 January", {"day"}),
        ("29 February", "from December to February", set()),
        ("Tuesday", "from Monday to Wednesday", set()),
        ("31 March", "between March 30 and April 2", set()),
        ("5 April", "between March 30 and April 2", {"day"}),
        ("Tuesday", "between Monday and Wednesday", set()),
    ],
)
def test_days_from_one_to_another_are_one_span(day, span, expected):
    assert kinds(f"The festival takes place on {day}.", f"The festival takes place {span}.") == expected
    if day != "Tuesday":
        assert kinds(f"The festival takes place {span}.", f"The festival takes place on {day}.") == expected


@pytest.mark.parametrize(
    ("stated", "found", "expected"),
    [
        ("on 5 March", "until 20 March", set()),
        ("on 5 March 2021", "until 20 March", set()),
        ("on 25 March", "until 20 March", {"day"}),
        ("on 25 March 2021", "until 20 March 2021", {"day"}),
        ("until 20 March", "on 2 April", {"day"}),
        ("until 20 March", "on 9 March", set()),
        ("until 20 March", "until 9 March", {"day"}),
        ("on 9 March", "since 1 March", set()),
        ("on 28 February", "since 1 March", {"day"}),
        ("on 5 March 2021", "since Sunday", {"day"}),
        ("on Tuesday", "since Sunday", set()),
        ("in May", "until March", {"day"}),
        ("on 9 March", "since Sunday, 7 March,", set()),
        ("on 9 March", "since a fire on 7 March", set()),
        ("on 5 March", "until 6 p.m. on Tuesday", set()),
        ("on 5 March", "by 9 March", set()),
        ("on 9 April", "from 1 April", set()),
        ("on 31 March", "from 1 April", {"day"}),
        ("on 5 March", "and not opened until 20 March", {"day"}),
        ("on 5 March", "after it was postponed until 20 March", {"day"}),
        ("since 10 March", "until 9 March", {"day"}),
        ("since 1 March", "until 9 March", set()),
        ("on 4 March", "before 5 March", set()),
        ("before 5 March", "on 4 March", set()),
        ("before 5 March", "on 6 March", {"day"}),
        ("ahead of 5 March", "on Thursday, 4 March,", set()),
        ("no later than 5 March", "on 9 March", {"day"}),
        ("after 5 March", "on 6 March", set()),
        ("after 5 March", "on 4 March", {"day"}),
        ("on 9 March", "after Sunday", set()),
        ("on 25 February", "after 2 March", {"day"}),
        ("on 6 March", "after 4 March's storm", {"day"}),
        ("on 6 March", "and opened, not before 9 March", {"day"}),
    ],
)
def test_a_day_that_begins_or_ends_a_time_contradicts_only_what_lies_beyond_it(stated, found, expected):
    assert kinds(f"The bridge was closed {stated}.", f"The bridge was closed {found}.") == expected


@pytest.mark.parametrize("stated", ["15 December", "15 December 2021", "9 September 2021"])
def test_nothing_lasts_since_a_day_to_come(stated):
    sentence = "The bridge has been closed since 1 March."
    assert kinds(f"The bridge was closed on {stated}.", sentence, date(2021, 12, 20)) == set()


@pytest.mark.parametrize(
    ("stated", "expected"),
    [
        ("20 July 1969", set()),
        ("21 July 1969", {"day"}),
        ("20 July 2019", set()),
        ("20 July 2018", {"day"}),
        ("20 July 2017", set()),
    ],
)
def test_a_date_without_a_year_may_be_an_anniversary(stated, expected):
    sentence = "Armstrong walked on the Moon on July 20."
    assert kinds(f"Armstrong walked on the Moon on {stated}.", sentence, date(2019, 7, 16)) == expected


@pytest.mark.parametrize(
    ("stated", "found", "expected"),
    [
        ("in May 2020", "in May", set()),
        ("in June 2020", "in May", {"day"}),
        ("in February 2020", "last February", set()),
        ("on 20 March 2020", "on 20 March", {"day"}),
        ("on 21 May 2021", "on 20 May", {"day"}),
        ("in November 2021", "in November", {"day"}),
    ],
)
def test_a_date_far_ahead_may_be_of_the_last_year(stated, found, expected):
    assert kinds(f"Marsh resigned {stated}.", f"Marsh resigned {found}.") == expected


@pytest.mark.parametrize("published", [date(1, 1, 1), date(90, 1, 1), date(9999, 12, 31), WEDNESDAY])
def test_no_day_of_publication_ends_the_comparison(published):
    assert date_mentions("It rained yesterday, last year, next week and 99 years ago.", published=published)


@pytest.mark.parametrize(
    ("stated", "found", "expected"),
    [
        ("on Saturday", "at midnight on Friday", set()),
        ("on Friday", "at midnight on Friday", set()),
        ("on Sunday", "at midnight on Friday", {"day"}),
        ("on Tuesday", "overnight on Monday", set()),
        ("on 1 February 2020", "at midnight on 31 January 2020", set()),
        ("on 2 February 2020", "at midnight on 31 January 2020", {"day"}),
        ("on 1 March", "on the night of 28 February", set()),
        ("on 9 March", "on Monday night", set()),
        ("on 10 March 2021", "on Monday night", {"day"}),
    ],
)
def test_a_night_may_be_the_next_day(stated, found, expected):
    assert kinds(f"The curfew began {stated}.", f"The curfew began {found}.") == expected
    assert kinds(f"The curfew began {found}.", f"The curfew began {stated}.") == expected


@pytest.mark.parametrize(
    ("statement", "sentence", "expected"),
    [
        ("arrested on Monday", "charged on Tuesday, a day after he was arrested", set()),
        ("arrested on Monday", "charged on Tuesday after his arrest a day earlier", set()),
        ("arrested on Sunday", "charged on Tuesday, a day after he was arrested", {"day"}),
        ("charged on Tuesday", "arrested on Monday and charged the next day", set()),
        ("charged on Friday", "arrested on Monday and charged the next day", {"day"}),
        ("arrested on 3 March", "charged on 10 March, a week after he was arrested", set()),
        ("arrested on 2 March", "charged on 10 March, a week after he was arrested", {"day"}),
    ],
)
def test_a_day_counted_from_another_may_be_the_stated_one(statement, sentence, expected):
    assert kinds(f"Marsh was {statement}.", f"Marsh was {sentence}.") == expected


def test_words_that_only_look_like_months_are_no_dates():
    assert date_mentions("They may march 20 miles.", published=WEDNESDAY) == []
    assert date_mentions("It happened on 31 February 2021.", published=WEDNESDAY) == []
