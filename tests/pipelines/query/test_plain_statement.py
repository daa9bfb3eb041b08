import pytest

from pipelines.query.plain_statement import plain_statement, recased

ARTICLE = "The club said that Karel Morvath would go. He is not the mayor of Tollbury."


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("BREAKING: Ten people died, RT if you care #Gallow @ledger", "Ten people died"),
        (
            "**Ines Morvath** was _elected mayor_ of [Tollbury](https://t.example/a).",
            "Ines Morvath was elected mayor of Tollbury.",
        ),
        ("https://t.example/a Ines Morvath won.", "Ines Morvath won."),
        ("🎉 Ines Morvath won 🗳️!!!", "Ines Morvath won !"),
        ("The file_name_here was 2*3*4 long.", "The file_name_here was 2*3*4 long."),
        ("#Tollbury has a mayor.", "Tollbury has a mayor."),
        ("https://t.example/a", "https://t.example/a"),
    ],
)
def test_marks_of_posts_and_markdown_are_left_out(text, plain):
    assert plain_statement(text) == plain


@pytest.mark.parametrize("statement", ["karel morvath is mayor of tollbury", "KAREL MORVATH IS MAYOR OF TOLLBURY"])
def test_capitals_come_from_the_articles(statement):
    assert recased(statement, [ARTICLE]) == "Karel Morvath is mayor of Tollbury"


def test_a_statement_in_both_cases_keeps_its_own():
    assert recased("Karel morvath is mayor", [ARTICLE]) == "Karel morvath is mayor"
