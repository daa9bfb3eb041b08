"""Numbers, names and words in each other's place."""

import pytest

from core.sentences import sentence_spans
from pipelines.attribution.support import Fate
from tests.pipelines.attribution.sources import article, check

VOTE = "Smith got 40 percent of the vote and Jones 35 percent."


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("12 people died. In all, 40 were injured.", "40 people died."),
        ("Anna Berg paid the fine that Otto Grimm owed.", "Otto Grimm paid a fine that Anna Berg had owed."),
    ],
)
def test_numbers_and_names_that_changed_places_are_left_to_the_verifier(source: str, text: str) -> None:
    shown = (article(1, source),)
    assert check(text, 1, shown=shown, support=0.1).fate is Fate.UNSUPPORTED
    assert check(text, 1, shown=shown, support=0.9).fate is Fate.SUPPORTED
    for sentence in (source[start:end] for start, end in sentence_spans(source)):
        assert check(sentence, 1, shown=shown).fate is Fate.SUPPORTED


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("12 people died and 40 were injured.", "Forty people died and twelve were injured."),
        ("12 people died and 40 were injured.", "12 were injured and 40 people died."),
        ("Unemployment rose from 5 to 8 percent in May.", "The unemployment rate fell from 8 percent to 5 percent."),
        ("Unemployment rose from 5 to 8 percent in May.", "Unemployment climbed from 8 percent to 5 percent."),
        (
            "Smith got 40 percent of the vote and Jones 35 percent.",
            "Smith won 35 percent, while Jones took 40 percent.",
        ),
        ("Smith got 40 percent of the vote and Jones 35.", "Jones got 40 percent of the vote and Smith 35."),
        (
            "Thomas Sam, 42, and his wife Manju Sam, 36, were charged.",
            "Thomas Sam, 36, and Manju Sam, 42, were charged.",
        ),
        ("Cummings, elected in 1996, was born in 1951.", "Cummings was elected in 1951 and born in 1996."),
        ("Anna Berg paid the fine that Otto Grimm owed.", "Otto Grimm paid the fine that Anna Berg owed."),
        ("Police attacked protesters.", "Protesters attacked police."),
        ("Sales rose while profits fell.", "Sales fell while profits rose."),
    ],
)
def test_verifier_cannot_overrule_words_in_each_others_place(source: str, text: str) -> None:
    shown = (article(1, source),)
    assert check(text, 1, shown=shown, support=1.0).fate is Fate.UNSUPPORTED
    assert check(source, 1, shown=shown).fate is Fate.SUPPORTED


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("Unemployment fell from 8 percent to 5 percent.", "Unemployment fell to 5 percent from 8 percent."),
        ("Smith got 40 percent and Jones 35 percent.", "Jones got 35 percent and Smith 40."),
        ("12 people died and 40 were injured.", "40 were injured and 12 died."),
        ("The bill passed with 48 votes against and 52 for.", "The bill passed with 52 votes for and 48 against."),
        ("Sales rose 3 percent to 50 million crowns.", "Sales came to 50 million crowns, up 3 percent."),
        ("In 2020 it paid $5 million and in 2019 $3 million.", "It paid $3 million in 2019 and $5 million in 2020."),
        ("The deficit for 2013 is to be 18 billion.", "Swan explained the 18 billion hole for 2013."),
        ("Their children are 5 and 8.", "Their children are 8 and 5."),
    ],
)
def test_numbers_in_another_order_with_what_they_count_are_left_to_the_verifier(source: str, text: str) -> None:
    shown = (article(1, source),)
    assert check(text, 1, shown=shown, support=0.9).fate is Fate.SUPPORTED


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (VOTE, "Jones got 40 percent."),
        (VOTE, "Smith, the mayor, got 35 percent."),
        (VOTE, "Smith got 35 percent of the vote."),
        (VOTE, "Jones won with 40 percent, while Smith took 35 percent."),
        ("Otto Jones, 42, and Anna Smith, 36, were charged in Leeds.", "Anna Smith, 42, was charged."),
        ("In 2018, Berg got 57 percent and Joe Crowley 40 percent.", "Berg got 40 percent in 2018."),
    ],
)
def test_verifier_cannot_give_a_number_to_somebody_else(source: str, text: str) -> None:
    shown = (article(1, source),)
    assert check(text, 1, shown=shown, support=1.0).fate is Fate.UNSUPPORTED
    assert check(source, 1, shown=shown).fate is Fate.SUPPORTED


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (VOTE, "Jones got 35 percent."),
        (VOTE, "Smith led with 40 percent; Jones had 35 percent."),
        (VOTE, "Jones trailed Smith, who got 40 percent."),
        ("Smith got 40 percent and Jones 40 percent.", "Jones got 40 percent."),
        ("The UK has 40 ships and France 35.", "Britain has 40 ships."),
    ],
)
def test_a_number_of_the_same_name_is_left_to_the_verifier(source: str, text: str) -> None:
    shown = (article(1, source),)
    assert check(text, 1, shown=shown, support=0.9).fate is Fate.SUPPORTED
