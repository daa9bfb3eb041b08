"""A single statement: its parts, and why it cannot be checked as it stands."""

import pytest

from pipelines.claims import split_question, split_statement, why_uncheckable


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


def test_each_sentence_of_a_statement_stands_alone():
    query = "Anna Berg won the race in Oslo. She thanked her coach in 2030. How wonderful!"
    parts = split_statement(query)
    assert [part.standalone for part in parts] == [
        "Anna Berg won the race in Oslo.",
        "Anna Berg thanked her coach in 2030.",
    ]
    assert [query[part.start : part.end] for part in parts] == [part.text for part in parts]


@pytest.mark.parametrize(
    ("query", "parts"),
    [
        ("When did the pool open and who built it?", ("When did the pool open?", "Who built it?")),
        ("By how much did rents rise, and in which town most?", ("By how much did rents rise?", "In which town most?")),
        ("When and where was Anna Berg born?", ("When was Anna Berg born?", "Where was Anna Berg born?")),
        ("Who won the race? And who came second?", ("Who won the race?", "Who came second?")),
        ("Did the ferry sail; when did it arrive?", ("Did the ferry sail?", "When did it arrive?")),
    ],
)
def test_a_question_of_several_parts_is_split(query, parts):
    assert split_question(query) == parts


@pytest.mark.parametrize(
    "query",
    [
        "What did Anna Berg say about pay and hours?",
        "Who won, and when?",
        "Which towns were flooded and evacuated?",
        "The pool opened. Who built it?",
        "Is it Oslo or Bergen?",
        "?",
        "and what and what and what",
    ],
)
def test_one_question_comes_back_as_it_is(query):
    assert split_question(query) == (query,)


@pytest.mark.parametrize(
    "query",
    [
        "Anna Berg and Ole Lie won.",
        " The ferry sank in May. ",
        "Prices rose and fell.",
        "Anna Berg won, and Ole Lie came second.",
    ],
)
def test_one_statement_comes_back_as_it_is(query):
    (part,) = split_statement(query)
    assert part.standalone == query.strip()
    assert query[part.start : part.end] == part.text
