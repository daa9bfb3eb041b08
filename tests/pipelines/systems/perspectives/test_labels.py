"""Labels are the words that tell a side from the others."""

from pipelines.systems.perspectives.labels import side_labels


def test_a_label_has_the_words_of_its_own_side():
    groups = [
        ["Farmers fear that wolves kill sheep.", "Sheep are lost to wolves every year, farmers say."],
        ["Forests need wolves, biologists say.", "Biologists want wolves back in the forests."],
    ]
    first, second = side_labels("Should wolves return?", groups)
    assert {"farmers", "sheep"} <= set(first.lower().split(", "))
    assert {"biologists", "forests"} <= set(second.lower().split(", "))
    assert "wolves" not in (first + second).lower()


def test_names_keep_their_capitals():
    (label,) = side_labels("Who won?", [["It was NATO.", "They thanked NATO."]])
    assert "NATO" in label


def test_texts_without_words_have_a_label_too():
    assert side_labels("x", [["12 34"], [""]]) == ["No words of their own"] * 2
