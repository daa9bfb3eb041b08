"""Refusals in a model's own words, and reports that only look like them."""

import pytest

from pipelines.attribution.refusals import declines


@pytest.mark.parametrize(
    "text",
    [
        "The indexed articles do not answer this.",
        "The excerpts do not mention the number of people who were injured.",
        "The provided evidence does not specify a date.",
        "There is no information about the vote in the excerpts.",
        "None of the excerpts says who paid.",
        "No excerpt answers the query.",
        "The name of the ship is not mentioned in the provided articles.",
        "I do not know.",
        "I'm sorry, but I cannot answer that question.",
        "It is unclear from the evidence who won.",
        "Doc[1] does not state how many voted.",
        "The evidence provided doesn't directly answer the question.",
    ],
)
def test_a_sentence_about_what_is_missing_declines(text: str) -> None:
    assert declines(text)


@pytest.mark.parametrize(
    "text",
    [
        "The police did not mention a motive.",
        "The mayor said that he did not know the man.",
        "The ministry has not released the names of the dead.",
        "The court found no evidence of fraud.",
        "The report does not end the dispute.",
        "Officials cannot confirm the number of the missing.",
        "There is no vaccine against the virus.",
        "No passengers were hurt.",
        "The agency did not answer a request for comment.",
        "The question was not discussed by parliament.",
    ],
)
def test_a_report_of_what_somebody_did_not_say_does_not(text: str) -> None:
    assert not declines(text)
