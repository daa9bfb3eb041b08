"""A single statement: its parts, and why it cannot be checked as it stands."""

import pytest

from pipelines.claims import split_statement, why_uncheckable


@pytest.mark.parametrize(
    ("query", "word"),
    [
        ("He resigned in May.", "He"),
        ("They won the cup in 2019.", "They"),
        ("This cannot go on.", "This"),
        ("Inflation in France", "no verb"),
        ("I hope that Oslo wins.", "wish"),
        ("I think the mayor is awful.", "opinion"),
        ("The mayor should resign.", "opinion"),
    ],
)
def test_what_cannot_be_checked_says_what_is_missing(query, word):
    assert word in why_uncheckable(query)


@pytest.mark.parametrize(
    "query",
    [
        "Carrots improve eyesight.",
        "Penguins huddle for warmth.",
        "Vaccines cause autism.",
        "It was James Peebles who was honoured in Stockholm.",
        "It is raining in Oslo.",
        "This government has raised taxes.",
        "The bridge will be opened in 2033.",
        "His wife says that Paul Reed has left the party.",
        "“It sank in an hour,” said Jonas Lind.",
        "Nobody was hurt.",
    ],
)
def test_what_can_be_checked_is_let_through(query):
    assert why_uncheckable(query) == ""


def test_a_compound_statement_is_split_and_each_part_stands_alone():
    query = "Anna Berg won the race in Oslo, and she thanked her coach in 2030."
    parts = split_statement(query)
    assert [part.standalone for part in parts] == [
        "Anna Berg won the race in Oslo.",
        "Anna Berg thanked her coach in 2030.",
    ]
    assert [query[part.start : part.end] for part in parts] == [part.text for part in parts]


def test_several_sentences_are_several_parts():
    parts = split_statement("Anna Berg won the race in Oslo. She is 41 years old.")
    assert [part.standalone for part in parts][1] == "Anna Berg is 41 years old."


@pytest.mark.parametrize("query", ["Anna Berg and Ole Lie won.", " The ferry sank in May. ", "Prices rose and fell."])
def test_one_statement_comes_back_as_it_is(query):
    (part,) = split_statement(query)
    assert part.standalone == query.strip()
    assert query[part.start : part.end] == part.text
