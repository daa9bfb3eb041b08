"""Citations in other numbers."""

from core.counting import counted
from pipelines.attribution.markers import renumbered


def test_numbers_are_exchanged_at_once_and_dropped_ones_leave_no_gap():
    text = "One Doc[1]. Two Doc[2] Doc[3]. Four Doc[12]."
    assert renumbered(text, {1: 2, 2: 1, 3: None}) == "One Doc[2]. Two Doc[1]. Four Doc[12]."


def test_nouns_follow_their_number():
    assert [counted(number, "article") for number in (0, 1, 2)] == ["0 articles", "1 article", "2 articles"]
