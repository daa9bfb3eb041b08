"""What counts as a word, and which words count as one."""

import pytest

from core.words import KIN_LETTERS, fold_word, stem, stems, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The Müllers\u2019 ferry isn\u2019t late.", ("the", "mullers", "ferry", "isn\u2019t", "late")),
        ("Bayreuth's well-known 1990s café", ("bayreuth", "well", "known", "1990s", "cafe")),
        ("40,000 people; 3.5%", ("40", "000", "people", "3", "5")),
        ("", ()),
    ],
)
def test_words_are_folded_and_in_order(text: str, expected: tuple[str, ...]) -> None:
    assert words(text) == expected


def test_a_possessive_is_its_owner() -> None:
    assert fold_word("Morvath\u2019s") == fold_word("MORVATH") == "morvath"


def test_forms_share_a_stem_and_kin_a_shorter_one() -> None:
    assert stem("reopened") == stem("reopening") == "reope"
    assert stem("invaded") != stem("invasion")
    assert stem("invaded", letters=KIN_LETTERS) == stem("invasion", letters=KIN_LETTERS)
    assert stems("bank banks") == {"bank", "banks"}
