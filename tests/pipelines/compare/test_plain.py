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
        ("It cost 5 million dollars.", "It cost US$5 million.", True),
        ("It cost $5 million.", "It cost A$5 million.", True),
        ("It cost US$5 million.", "It cost A$5 million.", False),
        ("It cost US$5 million.", "It cost 5 million Canadian dollars.", False),
        ("It cost €5 million.", "It cost US$5 million.", False),
        ("It cost €5 million.", "It cost HK$5 million.", False),
        ("It cost $5 million.", "It cost GBP 5m.", False),
        ("It cost 500 crore rupees.", "It cost Rs 500 crore.", True),
        ("It cost $500.", "It cost Rs. 500.", False),
        ("It cost more than $4 million.", "It cost US$5 million.", True),
        ("It weighs 500kg.", "It weighs 500g.", False),
        ("It weighs 500kg.", "It weighs 500mg.", False),
        ("It weighs 0.5 kg.", "It weighs 500 g.", True),
        ("It weighs 5 kg.", "It weighs 11 lbs.", True),
        ("It weighs 5 kg.", "It weighs 5 lb.", False),
        ("It weighs 7lb 8oz.", "It weighs 3.4 kg.", True),
        ("It weighs 5 kg.", "It is a 5G mast.", True),
        ("It rose by 5 percent.", "It rose by 5 percentage points.", False),
        ("It rose by 5 percent.", "It was a 5-percentage-point rise.", False),
        ("It rose by 5 percentage points.", "It rose by 5 percentage points.", True),
        ("It is 10 miles long.", "It is 16 km long.", True),
        ("It is 10 miles long.", "It is 10 km long.", False),
        ("He was held for two weeks.", "He was held for 14 days.", True),
        ("He was held for two weeks.", "He was held for two days.", False),
        ("It weighs 3 tonnes.", "It weighs 3,000 kg.", True),
        ("It is 10 miles long.", "It took 10 hours.", True),
        ("There were 10 of them.", "It is 10 km long.", True),
        ("Half a million people fled.", "Some 500,000 people fled.", True),
        ("40 per cent agreed.", "Only 30% agreed.", False),
        ("The fire burned 200 hectares.", "About 500 acres burned.", True),
        ("The fire burned 200 hectares.", "Some 200 acres burned.", False),
        ("The park covers 20 square miles.", "It covers 52 square kilometres.", True),
        ("The park covers 20 square miles.", "It is 20 km² in size.", False),
        ("The park covers 20 square miles.", "It is 20 miles long.", True),
        ("It holds 1,000 gallons.", "It holds 3,785 litres.", True),
        ("It holds 1,000 gallons.", "It holds 4,546 litres.", True),
        ("It holds 1,000 gallons.", "It holds 1,000 litres.", False),
        ("It cost 5 billion rupees.", "It cost 500 crore rupees.", True),
        ("It cost 5 billion rupees.", "It cost 50 crore rupees.", False),
        ("The state paid 2 million rupees.", "It paid 20 lakh rupees.", True),
        ("He was held for 18 months.", "He was held for one year and six months.", True),
        ("He was held for 18 months.", "He was held for two years and six months.", False),
        ("The match lasted 165 minutes.", "It lasted two hours and 45 minutes.", True),
        ("The film is 105 minutes long.", "It is one hour and 45 minutes long.", True),
        ("She is 180 cm tall.", "She is 5ft 11in.", True),
        ("It fell to minus 5 degrees.", "It fell to 23 degrees Fahrenheit.", True),
        ("It fell to minus 5 degrees.", "It fell to -5C.", True),
        ("It fell to minus 5 degrees.", "It fell to 5 degrees.", False),
        ("It rose to 33 degrees Fahrenheit.", "It rose to 1C.", True),
        ("It rose to 45 degrees.", "It rose to 35 degrees Celsius.", False),
        ("It rose by 1.5 degrees.", "It rose by 2.7 degrees Fahrenheit.", True),
        ("It rose by 1.5 degrees.", "It rose by 2 degrees Celsius.", False),
        ("Winds blew at 60 miles per hour.", "Winds blew at 97 km/h.", True),
        ("It fills 15 barrels.", "It fills 12 barrels.", False),
        ("It fills 15 barrels.", "It fills 12 pints.", True),
        ("It fills 15 barrels.", "It serves 12 people.", True),
        ("The fine does not exceed 100 dollars.", "The fine is 80 dollars.", True),
        ("The fine does not exceed 50 dollars.", "The fine is 80 dollars.", False),
        ("It killed 25 people.", "There were 30 victims.", False),
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


@pytest.mark.parametrize(
    ("day", "span", "expected"),
    [
        ("3 March", "from 3 to 7 March", set()),
        ("5 March", "between the 3rd and the 7th of March", set()),
        ("9 March", "from 3 to 7 March", {"day"}),
        ("9 March 2021", "from 3 to 7 March", {"day"}),
        ("7 March", "March 3-7", set()),
        ("7 March 2019", "March 3–7, 2019", set()),  # noqa: RUF001
        ("9 March", "March 3-7", {"day"}),
        ("3 March", "on 3 and 4 March", set()),
        ("3 March", "on March 3, 4 and 5", set()),
        ("5 March", "on March 3 and 12,000 came", {"day"}),
        ("5 March", "on 30 and 3 March", {"day"}),
        ("31 March", "from March 30 to April 2", set()),
        ("31 March", "from March 30 to 2 April", set()),
        ("3 April", "30 March – 2 April", {"day"}),  # noqa: RUF001
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
        ("Marsh beat Oduya.", "Marsh beaten 3-0 by Oduya.", {"roles"}),
        ("Marsh beat Oduya.", "Oduya beaten 3-0 by Marsh.", set()),
        ("Marsh attacked Oduya.", "Oduya suffered an attack by Marsh.", set()),
        ("Oduya attacked Marsh.", "Oduya suffered an attack by Marsh.", {"roles"}),
        ("Marsh called Oduya.", "Oduya took a call from Marsh late at night.", set()),
        ("Marsh bought guns from Oduya.", "Oduya bought guns from Marsh.", {"roles"}),
        ("Marsh is suing Acme.", "Acme is suing Marsh.", {"roles"}),
        ("Marsh is accused of robbing Acme.", "Acme is accused of robbing Marsh.", {"roles"}),
        ("Marsh is the chief executive of Acme.", "Acme chief executive Marsh said prices would fall.", set()),
        ("Marsh became chief executive of Acme.", "Acme chief executive Marsh praised them.", set()),
        ("Marsh founded Acme.", "Acme founder Marsh praised them.", set()),
        ("Paris is the capital of France.", "France moved its capital to Paris.", set()),
        ("Paris is home to the Louvre.", "The Louvre made its home in Paris.", set()),
        ("Trump had a phone call with Zelensky.", "Zelensky had a phone call with Trump.", set()),
        ("Acme made a deal with Nordwing.", "Nordwing made a deal with rival Acme.", set()),
        ("Marsh charged with robbing Acme.", "Acme charged with robbing Marsh.", {"roles"}),
        ("Germany supports Ukraine.", "Ukraine has the support of Germany.", set()),
        ("Germany will support Ukraine.", "Ukraine will have the support of its ally Germany.", set()),
        ("Germany has the support of Ukraine.", "Ukraine has the support of Germany.", {"roles"}),
        ("Marsh endorsed Oduya.", "Oduya won the endorsement of Marsh.", set()),
        ("Marsh defeated Oduya.", "Oduya conceded defeat to Marsh.", set()),
        ("Marsh gave an interview to the BBC.", "The BBC interviewed Marsh.", set()),
        ("Marsh gave a bribe to Oduya.", "Oduya gave a bribe to Marsh.", {"roles"}),
        ("Marsh refused to listen to Oduya.", "Oduya refused to listen to Marsh.", {"roles"}),
        ("Ukraine invaded Russia.", "Russia launched an invasion of Ukraine.", {"roles"}),
        ("Russia invaded Ukraine.", "Ukraine will invade parts of Russia.", {"roles"}),
        ("It was her third title.", "It was her second title.", {"ordinal"}),
        ("Oduya is the forty-seventh president.", "Oduya is the 47th president.", set()),
        ("Oduya is the forty-seventh president.", "Oduya is the 46th president.", {"ordinal"}),
        ("It was his twenty-first birthday.", "It was his 21st birthday.", set()),
        ("It was his hundred and first birthday.", "It was his 101st birthday.", set()),
        ("It is a mid-19th century house.", "It is a mid-20th century house.", {"ordinal"}),
        ("He scored in the 30th minute.", "He scored in the 30th and 62nd minutes.", set()),
        ("He scored in the 30th, 45th and 62nd minutes.", "He scored in the 45th minute.", set()),
        ("He scored in the 35th minute.", "He scored in the 30th and 62nd minutes.", {"ordinal"}),
        ("He scored in the 30th and 62nd minutes.", "He scored in the 30th and 65th minutes.", {"ordinal"}),
        ("It is a 19th century custom.", "It was a custom in the late 19th and early 20th centuries.", set()),
        ("It is a 20th century custom.", "It was a custom in the 19th to 21st centuries.", set()),
        ("It was her second title.", "It was after her second and third titles.", set()),
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
