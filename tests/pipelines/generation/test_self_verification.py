import math

import pytest

from pipelines.generation.self_verification import read_reply, yes_probability


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("yes", True),
        ("Yes.", True),
        ("No, the evidence says otherwise", False),
        (" NO", False),
        ("The answer is not correct.", False),
        ("That isn't right.", False),
        ("That isn\u2019t quite right", False),
        ("I don't think that is true.", False),
        ("No, that is not correct.", False),
        ("It is not wrong.", True),
        ("Yes, it is not incorrect.", True),
        ("It is not wrong, it is right", True),
        ("Yes, but it is not right", None),
        ("I am not sure that it is right", None),
        ("I cannot say whether it is true", None),
        ("yes and no", None),
        ("perhaps", None),
        ("", None),
        ("nobody knows", None),
    ],
)
def test_reply_is_read(text: str, says: bool | None) -> None:
    assert read_reply(text).says_yes is says
    assert read_reply(text).probability is None


def test_probability_adds_up_spellings_and_leaves_other_tokens_out() -> None:
    tokens = {"Yes": math.log(0.3), " yes": math.log(0.3), "▁No": math.log(0.2), "Maybe": math.log(0.2)}
    assert yes_probability(tokens) == pytest.approx(0.75)


def test_no_probability_without_yes_or_no() -> None:
    assert yes_probability({"The": -0.1}) is None
    assert yes_probability({}) is None
