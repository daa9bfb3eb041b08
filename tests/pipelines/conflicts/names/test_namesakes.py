import pytest

from pipelines.conflicts.analysis import analyse
from pipelines.conflicts.names.namesakes import list_conflicts, namesake_conflicts

ARTICLE = "Rovers sack Karel Morvath. Rovers dismissed their coach, Karel Morvath. Morvath came in 2022."


@pytest.mark.parametrize(
    ("statement", "sentence", "found"),
    [
        ("Ines Morvath was dismissed.", "Rovers dismissed their coach, Karel Morvath.", ["Karel Morvath"]),
        ("Ines Morvath came in 2022.", "Morvath came in 2022.", ["Karel Morvath"]),
        ("The plant in Upper Brenn closes.", "The smelter in Lower Brenn closes.", ["Lower Brenn"]),
        ("Karel Morvath was dismissed.", "Rovers dismissed their coach, Karel Morvath.", []),
        ("K. Morvath was dismissed.", "Rovers dismissed Karel Morvath.", []),
        ("Coach Morvath was dismissed.", "Rovers dismissed Karel Morvath.", []),
        ("Broadcaster Karel Morvath was dismissed.", "Rovers dismissed Karel Morvath.", []),
        ("Bill Haslow resigned.", "William Haslow resigned.", []),
        ("Volodymyr Senko resigned.", "Vladimir Senko resigned.", []),
        ("Ines Morvath beat Karel Morvath.", "Ines Morvath beat her cousin Karel Morvath.", []),
    ],
)
def test_another_given_name_or_part_is_a_conflict(statement, sentence, found):
    assert [
        one.found for one in namesake_conflicts(analyse(statement), analyse(sentence), around=analyse(ARTICLE))
    ] == found


@pytest.mark.parametrize(
    ("statement", "sentence", "stated"),
    [
        ("Perrin, Ostley and Dunley flooded.", "Perrin, Ostley and Marl flooded.", ["Dunley"]),
        ("Perrin and Marl flooded.", "Perrin, Ostley and Marl flooded.", []),
        ("Perrin flooded.", "Perrin, Ostley and Marl flooded.", []),
        ("Anna Holt and Piet Roos won.", "The race was long.", []),
    ],
)
def test_a_list_holds_only_what_the_sentence_lists(statement, sentence, stated):
    assert [one.stated for one in list_conflicts(analyse(statement), analyse(sentence))] == stated
