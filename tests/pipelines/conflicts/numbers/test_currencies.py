"""Sums of money: words and codes behind a number, signs and codes before one."""

import pytest

from pipelines.conflicts.numbers import agree, quantities

_of = quantities.quantities


@pytest.mark.parametrize(
    ("text", "currency"),
    [
        ("It cost 48 million Swedish kronor.", "crown"),
        ("It cost 48 million US dollars.", "US dollar"),
        ("It cost 48 million New Zealand dollars.", "New Zealand dollar"),
        ("It cost 48 million dollars.", "dollar"),
        ("It cost 48 million pounds sterling.", "pound"),
        ("It cost 48 million euros.", "euro"),
        ("It cost 48 million eur.", "euro"),
        ("It cost SEK 48 million.", "crown"),
        ("It cost MXN 48 million.", "peso"),
        ("It cost NT$48 million.", "New Taiwan dollar"),
        ("It cost ₦48 million.", "naira"),
        ("It cost R$48 million.", "real"),
        ("It cost 48 million Kazakhstani tenge.", "tenge"),
        ("It cost 48 billion won.", "won"),
        ("It cost 48 million rand.", "rand"),
    ],
)
def test_a_sum_has_its_currency(text: str, currency: str) -> None:
    unit = _of(text)[0].unit
    assert unit is not None
    assert (unit.measures, unit.currency) == ("money", currency)


@pytest.mark.parametrize(
    "text",
    [
        "The party with 48 won the vote.",
        "The 48 Rand researchers wrote it.",
        "The 48 marks were scratched into the wall.",
        "COP 30 was held in Belem.",
        "The goal is SDG 4 of the United Nations.",
        "The list of the TOP 48 is out.",
    ],
)
def test_what_is_no_sum_has_no_currency(text: str) -> None:
    assert all(not item.unit or not item.unit.currency for item in _of(text))


def test_sums_of_two_currencies_do_not_agree_and_dollars_of_no_country_may_be_those_of_any() -> None:
    (dollars,), (taiwan,), (naira,) = _of("$48 million"), _of("NT$48 million"), _of("₦48 million")
    assert agree(dollars, taiwan)
    assert not agree(taiwan, naira)
