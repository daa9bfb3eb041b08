import pytest

from pipelines.attribution.grounding import holds, mismeasured, same_order, same_polarity, ungrounded, word_share


@pytest.mark.parametrize(
    ("sentence", "source", "missing"),
    [
        ("Ten people came.", "10 people came.", []),
        ("1,234.5 tonnes", "1234.5 tonnes", []),
        ("In Sao Paulo it rained.", "It rained in São Paulo.", []),
        ("Anna's dog ran to Marta's house.", "Marta has a house. Anna has a dog.", []),
        ("He left on Tuesday with 3 bags.", "He left with bags.", ["3", "Tuesday"]),
        ("200 people came.", "Two hundred people came.", []),
        ("Two hundred people came.", "200 people came.", []),
        ("Five million people came.", "5 million people came.", []),
        ("Some 5,000,000 people came.", "5 million people came.", []),
        ("Some 206 came.", "Two hundred and six came.", []),
        ("Some 206 came.", "Between two hundred and six came.", ["206"]),
        ("Twenty-five people came.", "28 people came.", ["25"]),
        ("One person and a dozen children came.", "A man and 13 children came.", []),
        ("It was a five-year plan.", "The plan was for 60 months.", []),
        ("It began at seven thirty.", "It began at 7:30.", []),
        ("It began at 7:30 in 2019.", "In 2019 it began at seven thirty.", []),
        ("It killed 5.", "The fire killed five.\nSix houses burned.", []),
        ("100 people came.", "Several hundred people came.", ["100"]),
        ("The fire in Oslo² burned 12 km².", "A fire in Oslo burned 12 square kilometres.", []),
        (
            "He spoke to the Australian, Iranian and Canadian Democrats.",
            "Australia, Iran, Canada: a Democrat spoke.",
            [],
        ),
        ("He flew to Russia and America.", "The Russian and the American flew.", []),
        ("It came from Austria.", "It came from Australia.", ["Austria"]),
        ("It was Johnson and Christine.", "It was Johnston and Christopher.", ["Johnson", "Christine"]),
        ("He met Alexandra.", "He met Alexander.", ["Alexandra"]),
    ],
)
def test_numbers_and_names_must_stand_in_a_source(sentence: str, source: str, missing: list[str]) -> None:
    assert ungrounded(sentence, [source]) == missing


@pytest.mark.parametrize(
    ("sentence", "source", "other"),
    [
        ("It cost 48 thousand crowns.", "It cost 48 million crowns.", ["48 thousand"]),
        ("It cost 48 crowns.", "It cost 48 million crowns.", ["48"]),
        ("It cost $48 million.", "It cost 48 million crowns.", ["$48 million"]),
        ("It cost 5 million euros.", "It cost $5 million.", ["5 million"]),
        ("It rose by 48 percent.", "48 people rose.", ["48 percent"]),
        ("It took 11 months.", "It took eleven weeks.", ["11"]),
        ("Workers replaced 11 bearings.", "It took eleven weeks.", ["11"]),
        ("The road is 48 km long.", "The road is 48 miles long.", ["48"]),
        ("It cost $48 million.", "It cost 48 million dollars, or 48 million in all.", []),
        ("It rose from $40 million.", "It rose to $48 million from 40 million.", []),
        ("Some 48,000 came.", "48 thousand came, for 48 million crowns.", []),
        ("He is 20 years old.", "Anna Berg, 20, spoke of the 20-year-old.", []),
        ("The two met for two hours.", "Anna Berg and Otto Grimm met for two hours.", []),
        ("4 million came.", "Between 4 and 5 million came.", []),
        ("Five came.", "Nobody came.", []),
        ("It rose from 5 percent to 8 percent.", "It rose from 5 to 8 percent.", []),
        ("It fell from 8 million euros to 5 million.", "It fell from 8 to about 5 million euros.", []),
        ("It rose from 5 to 8 million euros.", "It rose from 5 million euros to 8 million euros.", []),
        ("Rates of 5%, 8% and 9% were paid.", "Rates of 5, 8 and 9 percent were paid.", []),
        ("It rose to 900,000 million.", "It rose from 900,000 to 5 million.", ["900,000 million"]),
        ("It rose by 5 percent.", "It rose by 5 euros, 8 percent.", ["5 percent"]),
        ("It rose by 5 percent.", "In 5 towns 8 percent came.", ["5 percent"]),
    ],
)
def test_numbers_of_another_measure_are_found(sentence: str, source: str, other: list[str]) -> None:
    assert mismeasured(sentence, [source]) == other


@pytest.mark.parametrize(
    ("sentence", "source", "same"),
    [
        ("The authority ordered 4 ferries.", "The Velmont authority ordered four ferries.", True),
        ("Officials said 12 people died.", "12 people died, officials said.", True),
        ("Four ferries came in 2019.", "In 2019 four ferries came.", False),
        ("Ida Marlow paid 4 crowns.", "Marlow, Ida, paid four crowns.", False),
        ("Velmont paid 4 crowns.", "The harbour paid four crowns.", False),
        ("The harbour paid 4 crowns.", "The harbour paid five crowns.", False),
        ("Democrats paid 4 crowns.", "A Democrat paid four crowns.", True),
        ("Democrats paid 45 crowns.", "A Democrat paid forty-five crowns.", True),
        ("Democrats paid forty-five crowns.", "A Democrat paid forty-six crowns.", False),
        ("Democrats paid five million crowns.", "A Democrat paid 5 million crowns.", True),
        ("Johnston sued Johnson.", "Johnson sued Johnston.", False),
        ("The Wales team won.", "The Walesa team won.", False),
        ("Marina Silva won.", "The marine biologist Marino Silva won.", False),
    ],
)
def test_numbers_and_names_stand_in_the_order_of_the_source(sentence: str, source: str, same: bool) -> None:
    assert same_order(sentence, source) is same


@pytest.mark.parametrize(
    ("answer", "text", "held"),
    [
        ("5", "It killed 5.", True),
        ("5", "5 people, in all, died.", True),
        ("5", "The ferry was built in 2015.", False),
        ("5", "It cost 2.5 million.", False),
        ("5", "It cost 5,200 crowns.", False),
        ("anna berg", "Anna Berg's car was found.", True),
        ("Berg", "It was seen in Bergen.", False),
        ("$5 million", "It cost $5 million (40 million crowns).", True),
        ("", "It killed 5.", False),
    ],
)
def test_an_answer_is_held_in_whole_words(answer: str, text: str, held: bool) -> None:
    assert holds(text, answer) is held


def test_polarity_and_shared_words() -> None:
    assert not same_polarity("He did not go.", "He went.")
    assert same_polarity("He didn't go.", "He never went.")
    assert word_share("The mayor resigned", "The mayor has resigned today") == 1.0
    assert word_share("of the", "of the") == 0.0
