import pytest

from core.types import QueryKind
from pipelines.query.kind import detect_kind


@pytest.mark.parametrize(
    "text",
    [
        "Who won?",
        "who won the election",
        "In which year did it begin",
        "Is the bridge open",
        "The mayor said what?",
        "誰ですか？",
        'Did he say "no"?"',
        "WHO IS THE MAYOR",
        "WHO says masks help?",
        "Can the mayor resign",
        "Who won the election?!",
        "The mayor resigned?\u200b",
        "Isn't the mayor a crook",
        "Won’t it rain",
        "Don't you think so",
        "Am I allowed to vote",
        "Since when is he mayor",
        "During which war did it happen",
        "About how many people died",
        "What happened in Paris, France",
        "Who leads Osterholm, the town",
        "Who, according to the report, was responsible",
        "When, according to police, did the fire start",
        "When Biden visited, did it rain",
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
        "Do not drink milk",
        "Don't drink milk",
        "After what he did he resigned",
        "What the mayor promised, he did not do",
        "What Biden promised, he did not do",
        "Where the bridge is, nobody knows",
        'He asked "Who won?".',
    ],
)
def test_statements(text):
    assert detect_kind(text) is QueryKind.STATEMENT
