import pytest

from core.types import QueryKind
from pipelines.kind import detect_kind


@pytest.mark.parametrize(
    "text",
    [
        "Who won?",
        "who won the election",
        "In which year did it begin",
        "Is the bridge open",
        "The mayor said what?",
        "誰ですか？",  # noqa: RUF001
        'Did he say "no"?"',
        "WHO IS THE MAYOR",
        "WHO says masks help?",
        "Can the mayor resign",
    ],
)
def test_questions(text):
    assert detect_kind(text) is QueryKind.QUESTION


@pytest.mark.parametrize(
    "text",
    [
        "The bridge is open.",
        "Brexit",
        "When the war ended, he went home",
        "May 5 is a holiday",
        "Will Smith won the award",
        "Whoever wins, taxes will rise",
        "WHO says masks do not help against Covid",
        "IS claims responsibility for the Paris attack",
        "WHO's chief has resigned",
        "In IS territory schools were closed",
    ],
)
def test_statements(text):
    assert detect_kind(text) is QueryKind.STATEMENT
