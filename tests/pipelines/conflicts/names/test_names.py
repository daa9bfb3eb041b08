import pytest

from pipelines.conflicts.names.names import mentions, names, spells


def texts(sentence):
    return [name.text for name in names(sentence)]


def test_runs_of_capitals_are_names():
    assert texts("On Monday the University of Cambridge thanked Bernie Sanders.") == [
        "University of Cambridge",
        "Bernie Sanders",
    ]


def test_a_capital_within_a_word_begins_no_name():
    assert texts("It was 40C on the iPhone") == []


def test_possessive_is_cut_off():
    assert texts("It was Iran's answer") == ["Iran"]


def test_months_weekdays_and_common_words_are_no_names():
    assert texts("In March, She left. There it was. On Friday") == []


@pytest.mark.parametrize(
    ("name", "text", "there"),
    [
        ("Oxford University", "The University of Cambridge was host", False),
        ("Oxford University", "an event of Oxford's scholars", True),
        ("Britain", "the British government", True),
        ("Zürich", "in Zurich", True),
        ("WHO", "the World Health Organization said", True),
        ("Jakarta", "in the town of Pandeglang", False),
        ("Zelensky", "President Zelenskyy said", True),
        ("Democrats", "a Democratic senator", True),
        ("Marxist", "a school of Marxism", True),
        ("Turkey", "the Turkish lira", True),
        ("Serb", "the army of Serbia", True),
        ("India", "the Indian ocean", True),
        ("Nigeria", "Nigerian troops", True),
        ("Niger", "Nigerian troops", False),
        ("Niger", "troops in Nigeria", False),
        ("Austria", "an Australian court", False),
        ("India", "a farm in Indiana", False),
        ("Williams", "Ann Williamson said", False),
        ("Williamson", "Ann Williams said", False),
        ("John", "Ann Johnson said", False),
    ],
)
def test_mention_allows_forms_of_a_name(name, text, there):
    (item,) = names(name)
    assert mentions(item.keys, text) is there


@pytest.mark.parametrize(
    ("short", "long", "same"),
    [
        ("a spokesman of WHO", "the World Health Organization", True),
        ("the U.N.", "the United Nations Security Council", True),
        ("MPs", "Members of Parliament", True),
        ("the DoJ", "the Department of Justice", True),
        ("the CDC's head", "the Centers for Disease Control and Prevention", True),
        ("FIFA", "the World Health Organization", False),
        ("Who", "the World Health Organization", False),
        ("WHO", "the world's health organisations", False),
    ],
)
def test_an_acronym_is_spelled_by_words_with_capitals(short, long, same):
    assert spells(short, long) is same
