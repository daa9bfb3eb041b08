import pytest

from pipelines.evidence.supersession import ended, is_correction, is_current, is_dated
from tests.sample_articles import make_article


@pytest.mark.parametrize(
    ("statement", "sentence", "words"),
    [
        ("Petra Vance is now director.", "Omar Hadley succeeded Petra Vance on Thursday.", "succeeded Petra Vance"),
        ("Petra Vance is now director.", "Vance, who retired in June, had led it.", "Vance, who retired"),
        ("Petra Vance is director.", "The former director Petra Vance spoke.", "former director Petra Vance"),
        ("Petra Vance is now director.", "Petra Vance succeeded Omar Hadley.", ""),
    ],
)
def test_the_end_of_a_post_is_told(statement, sentence, words):
    assert ended(statement, sentence) == words


@pytest.mark.parametrize(
    ("statement", "current", "dated"),
    [
        ("Unemployment is currently 5 percent.", True, False),
        ("Vance is the director.", True, False),
        ("Vance was the director.", False, False),
        ("In April 2023 unemployment was 5 percent.", False, True),
        ("The rate may rise.", False, False),
    ],
)
def test_what_is_undated_and_present_is_settled_by_the_newest(statement, current, dated):
    assert (is_current(statement), is_dated(statement)) == (current, dated)


def test_imported_corrections_are_known_by_their_words():
    assert is_correction(make_article("a", headline="Correction: Cost of the tram"))
    assert is_correction(make_article("a", body="Clarification: the sum was in euros."))
    assert not is_correction(make_article("a", headline="Corrections officers strike"))
