import pytest

from pipelines.compare.quantities import Bound, agree, quantities, words_value


def only(text):
    (item,) = quantities(text)
    return item


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1,846 persons", 1846),
        ("sixty-two people", 62),
        ("two hundred and six votes", 206),
        ("$1.5 million", 1_500_000),
        ("half a million", 500_000),
        ("a dozen eggs", 12),
        ("9.4% of them", 9.4),
        ("31 per cent", 31),
    ],
)
def test_value(text, value):
    assert only(text).value == value


@pytest.mark.parametrize(
    "text",
    [
        "on 2 August",
        "August 2",
        "at 5:30",
        "5:00 p.m. (2100 UTC)",
        "at 0330 hours",
        "the 3rd man",
        "B52 bombers",
        "the crashed Lion Air 737 Max",
        "a cluster known as Abell 1689",
        "they flew on Apollo 11",
        "no number",
    ],
)
def test_days_times_ordinals_and_names_are_no_quantities(text):
    assert quantities(text) == []


@pytest.mark.parametrize(
    "text", ["First 31 came", "It was held at Expo 2010", "By Sunday 40 had died", "the 33 Ukrainians"]
)
def test_a_number_that_only_stands_beside_a_name_is_one(text):
    assert len(quantities(text)) == 1


def test_year_is_told_from_a_count():
    assert only("in 2019").is_year
    assert not only("2,019 people").is_year
    assert not only("2019 million").is_year
    assert not only("it took 2500 hours").is_year


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("more than 40", Bound.MORE),
        ("at least 40", Bound.MORE),
        ("fewer than 40", Bound.LESS),
        ("some 40", Bound.ABOUT),
    ],
)
def test_bound_is_read_from_the_words_before(text, bound):
    assert only(text).bound is bound


@pytest.mark.parametrize(
    ("stated", "found", "same"),
    [
        ("81 dead", "eighty-one dead", True),
        ("62 dead", "81 dead", False),
        ("at least 300 kilos", "over 300 kilos", True),
        ("some three hundred shops", "301 shops", True),
        ("three hundred shops", "301 shops", True),
        ("300 shops", "340 shops", False),
        ("about 300 shops", "340 shops", False),
        ("more than 40", "38", False),
        ("fewer than 40", "38", True),
        ("fewer than 40", "45", False),
        ("1.5 million", "1,500,000", True),
        ("31 percent", "31 people", True),
        ("737 dead", "eight metres", True),
        ("five years later", "82 years old", True),
        ("a 12-year-old boy", "13 years old", False),
        ("12 dead", "13 years old", False),
    ],
)
def test_agreement_follows_how_exact_the_numbers_are_meant(stated, found, same):
    assert agree(only(stated), only(found)) is same


def test_words_without_a_number_have_no_value():
    assert words_value("apples") is None
