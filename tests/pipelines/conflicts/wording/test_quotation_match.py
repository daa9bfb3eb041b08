import pytest

from pipelines.conflicts.analysis import analyse
from pipelines.conflicts.wording.attributed_falsehood import debunked_conflicts
from pipelines.conflicts.wording.quotation_match import quotation_conflicts

SAID = "The minister, Pell Hartog, said the offer was “fair and very affordable”."


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ('Pell Hartog said the offer was "fair and very affordable".', []),
        ('Pell Hartog said the offer was "FAIR, and very affordable".', []),
        ('Pell Hartog said the offer was "generous and quite final".', ["“fair and very affordable”"]),
        ('Dace Orrin said the offer was "fair and very affordable".', ["Pell Hartog"]),
        ("Dace Orrin said the offer was fair.", []),
        ('Dace Orrin read "Emma".', []),
    ],
)
def test_quotations_are_looked_up_with_their_speaker(statement, found):
    assert [one.found for one in quotation_conflicts(analyse(statement), analyse(SAID), around=analyse(SAID))] == found


@pytest.mark.parametrize(
    ("statement", "sentence", "following", "is_false"),
    [
        ("The lake was poisoned.", "Posts claim that the lake was poisoned.", " That is false.", True),
        (
            "The lake was poisoned.",
            "Posts claim that the lake was poisoned.",
            "\n\nThe claim is not true, it said.",
            True,
        ),
        ("The lake was poisoned.", "Posts claim that the lake was poisoned.", " The mayor agreed.", False),
        ("The lake was poisoned.", "The lake was poisoned on Monday.", " That is false economy, he said.", False),
        ("Claims that the lake was poisoned are false.", "Posts claim it was poisoned.", " That is false.", False),
        ("The bridge fell.", "Posts claim that the lake was poisoned.", " That is false.", False),
    ],
)
def test_the_next_sentence_may_call_a_claim_false(statement, sentence, following, is_false):
    assert bool(debunked_conflicts(analyse(statement), analyse(sentence), following)) is is_false
