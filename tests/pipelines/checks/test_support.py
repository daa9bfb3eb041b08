from datetime import UTC, datetime

import pytest

from core.sentences import sentence_spans
from core.types import Article
from pipelines.checks.citations import CitedSentence
from pipelines.checks.grounding import holds, mismeasured, same_order, same_polarity, ungrounded, word_share
from pipelines.checks.support import Fate, check_sentence
from pipelines.findings import ShownArticle, ShownSentence

FERRIES = "The Velmont harbour authority ordered four electric ferries on 2 May, its director Ida Marlow said."
PRICE = "The contract is worth 1,200 crowns. It was not put out to tender."


def article(number: int, body: str) -> ShownArticle:
    made = Article(
        article_id=f"a{number}",
        url=f"https://x.example/{number}",
        headline="Harbour news",
        body=body,
        published_at=datetime(2024, 5, 3, tzinfo=UTC),
        first_seen_at=datetime(2024, 5, 3, tzinfo=UTC),
        source="Post",
        content_hash="0" * 64,
    )
    sentences = tuple(ShownSentence(start=start, end=end, relevance=0.5) for start, end in sentence_spans(body))
    return ShownArticle(number=number, article=made, sentences=sentences)


SHOWN = (article(1, FERRIES), article(2, PRICE))


def check(text: str, *numbers: int, support: float = 0.0, shown: tuple[ShownArticle, ...] = SHOWN):
    return check_sentence(CitedSentence(text=text, numbers=numbers), shown, judge=lambda pairs: [support] * len(pairs))


@pytest.mark.parametrize(
    ("text", "numbers", "fate"),
    [
        ("The Velmont harbour authority ordered four electric ferries.", (1,), Fate.SUPPORTED),
        ("The Velmont harbour authority ordered 4 electric ferries.", (1,), Fate.SUPPORTED),
        ("The Velmont harbour authority ordered four electric ferries.", (), Fate.SUPPORTED),
        ("The Velmont harbour authority ordered four electric ferries.", (2,), Fate.UNGROUNDED),
        ("The Velmont harbour authority ordered five electric ferries.", (1,), Fate.UNGROUNDED),
        ("The harbour authority's director Ada Barlow ordered ferries.", (1,), Fate.UNGROUNDED),
        ("The Velmont harbour authority ordered no electric ferries.", (1,), Fate.UNSUPPORTED),
        ("The contract is worth 1200 crowns.", (2,), Fate.SUPPORTED),
        ("The contract was put out to tender.", (2,), Fate.UNSUPPORTED),
        ("The harbour is closed.", (1,), Fate.UNSUPPORTED),
        ("Who ordered four electric ferries?", (1,), Fate.NO_STATEMENT),
        ('It "ordered four electric ferries on 2 May".', (1,), Fate.SUPPORTED),
        ('It "ordered four diesel ferries on 2 May".', (1,), Fate.FALSE_QUOTE),
        ("It 'ordered four electric boats on 2 May'.", (1,), Fate.FALSE_QUOTE),
        ('It “ordered four electric boats on 2 May".', (1,), Fate.FALSE_QUOTE),
        ("It “ordered four electric boats on 2 May.", (1,), Fate.FALSE_QUOTE),
        ('The contract "is worth 1,200 crowns".', (1,), Fate.FALSE_QUOTE),
        ("It happened on 3 May 2024, the authority ordered electric ferries.", (1,), Fate.UNSUPPORTED),
    ],
)
def test_sentence_meets_its_fate(text: str, numbers: tuple[int, ...], fate: Fate) -> None:
    assert check(text, *numbers).fate is fate


def test_paraphrase_is_left_to_the_verifier() -> None:
    text = "The authority has bought electric boats."
    assert check(text, 1, support=0.9).fate is Fate.SUPPORTED
    assert check(text, 1, support=0.4).fate is Fate.UNSUPPORTED


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("12 people died. In all, 40 were injured.", "40 people died."),
        ("Anna Berg paid the fine that Otto Grimm owed.", "Otto Grimm paid a fine that Anna Berg had owed."),
    ],
)
def test_numbers_and_names_that_changed_places_are_left_to_the_verifier(source: str, text: str) -> None:
    shown = (article(1, source),)
    assert check(text, 1, shown=shown, support=0.1).fate is Fate.UNSUPPORTED
    assert check(text, 1, shown=shown, support=0.9).fate is Fate.SUPPORTED
    for sentence in (source[start:end] for start, end in sentence_spans(source)):
        assert check(sentence, 1, shown=shown).fate is Fate.SUPPORTED


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("12 people died and 40 were injured.", "Forty people died and twelve were injured."),
        ("12 people died and 40 were injured.", "12 were injured and 40 people died."),
        ("Unemployment rose from 5 to 8 percent in May.", "The unemployment rate fell from 8 percent to 5 percent."),
        ("Unemployment rose from 5 to 8 percent in May.", "Unemployment climbed from 8 percent to 5 percent."),
        (
            "Smith got 40 percent of the vote and Jones 35 percent.",
            "Smith won 35 percent, while Jones took 40 percent.",
        ),
        ("Smith got 40 percent of the vote and Jones 35.", "Jones got 40 percent of the vote and Smith 35."),
        (
            "Thomas Sam, 42, and his wife Manju Sam, 36, were charged.",
            "Thomas Sam, 36, and Manju Sam, 42, were charged.",
        ),
        ("Cummings, elected in 1996, was born in 1951.", "Cummings was elected in 1951 and born in 1996."),
        ("Anna Berg paid the fine that Otto Grimm owed.", "Otto Grimm paid the fine that Anna Berg owed."),
        ("Police attacked protesters.", "Protesters attacked police."),
        ("Sales rose while profits fell.", "Sales fell while profits rose."),
    ],
)
def test_verifier_cannot_overrule_words_in_each_others_place(source: str, text: str) -> None:
    shown = (article(1, source),)
    assert check(text, 1, shown=shown, support=1.0).fate is Fate.UNSUPPORTED
    assert check(source, 1, shown=shown).fate is Fate.SUPPORTED


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("Unemployment fell from 8 percent to 5 percent.", "Unemployment fell to 5 percent from 8 percent."),
        ("Smith got 40 percent and Jones 35 percent.", "Jones got 35 percent and Smith 40."),
        ("12 people died and 40 were injured.", "40 were injured and 12 died."),
        ("The bill passed with 48 votes against and 52 for.", "The bill passed with 52 votes for and 48 against."),
        ("Sales rose 3 percent to 50 million crowns.", "Sales came to 50 million crowns, up 3 percent."),
        ("In 2020 it paid $5 million and in 2019 $3 million.", "It paid $3 million in 2019 and $5 million in 2020."),
        ("The deficit for 2013 is to be 18 billion.", "Swan explained the 18 billion hole for 2013."),
        ("Their children are 5 and 8.", "Their children are 8 and 5."),
    ],
)
def test_numbers_in_another_order_with_what_they_count_are_left_to_the_verifier(source: str, text: str) -> None:
    shown = (article(1, source),)
    assert check(text, 1, shown=shown, support=0.9).fate is Fate.SUPPORTED


VOTE = "Smith got 40 percent of the vote and Jones 35 percent."


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (VOTE, "Jones got 40 percent."),
        (VOTE, "Smith, the mayor, got 35 percent."),
        (VOTE, "Smith got 35 percent of the vote."),
        (VOTE, "Jones won with 40 percent, while Smith took 35 percent."),
        ("Otto Jones, 42, and Anna Smith, 36, were charged in Leeds.", "Anna Smith, 42, was charged."),
        ("In 2018, Berg got 57 percent and Joe Crowley 40 percent.", "Berg got 40 percent in 2018."),
    ],
)
def test_verifier_cannot_give_a_number_to_somebody_else(source: str, text: str) -> None:
    shown = (article(1, source),)
    assert check(text, 1, shown=shown, support=1.0).fate is Fate.UNSUPPORTED
    assert check(source, 1, shown=shown).fate is Fate.SUPPORTED


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (VOTE, "Jones got 35 percent."),
        (VOTE, "Smith led with 40 percent; Jones had 35 percent."),
        (VOTE, "Jones trailed Smith, who got 40 percent."),
        ("Smith got 40 percent and Jones 40 percent.", "Jones got 40 percent."),
        ("The UK has 40 ships and France 35.", "Britain has 40 ships."),
    ],
)
def test_a_number_of_the_same_name_is_left_to_the_verifier(source: str, text: str) -> None:
    shown = (article(1, source),)
    assert check(text, 1, shown=shown, support=0.9).fate is Fate.SUPPORTED


def test_verifier_cannot_overrule_a_conflict_that_can_be_pointed_to() -> None:
    shown = (article(1, "Nordwing bought Baltair on Friday."),)
    assert check("Baltair bought Nordwing on Friday.", 1, shown=shown, support=1.0).fate is Fate.UNSUPPORTED
    assert check("Nordwing bought Baltair.", 1, shown=shown).fate is Fate.SUPPORTED


@pytest.mark.parametrize(
    ("text", "source"),
    [
        (
            "The company paid 5 million dollars to settle the lawsuit in a Texas court on Friday.",
            "The company paid 5 billion dollars to settle the lawsuit in a Texas court on Friday.",
        ),
        (
            "The agency spent $3 billion last year on new roads across the country.",
            "The agency spent $3 million last year on new roads across the country.",
        ),
        (
            "Police arrested 5 hundred people during protests outside the parliament in Lagos.",
            "Police arrested 5 thousand people during protests outside the parliament in Lagos.",
        ),
        (
            "The pipeline is 12 miles long and carries water to the villages of Velmont.",
            "The pipeline is 12 kilometres long and carries water to the villages of Velmont.",
        ),
        (
            "Unemployment in Spain fell by 2 percent in the last quarter of the year.",
            "Unemployment in Spain fell by 2 percentage points in the last quarter of the year.",
        ),
    ],
)
def test_other_scale_or_unit_is_not_left_to_the_verifier(text: str, source: str) -> None:
    shown = (article(1, source),)
    assert check(text, 1, shown=shown, support=1.0).fate is Fate.UNGROUNDED
    assert check(source, 1, shown=shown).fate is Fate.SUPPORTED


def test_the_opposite_is_not_left_to_the_verifier() -> None:
    source = "The firm reported a profit of 2 million euros in the third quarter of the year."
    shown = (article(1, source),)
    assert check(source.replace("profit", "loss"), 1, shown=shown, support=1.0).fate is Fate.UNSUPPORTED
    assert check(source, 1, shown=shown).fate is Fate.SUPPORTED


def test_other_word_beside_a_number_is_left_to_the_verifier() -> None:
    text, source = "The twenty-five-year-old man died in Lagos.", "The twenty-eight-year-old man died in Lagos."
    shown = (article(1, source),)
    assert check(text, 1, shown=shown, support=0.1).fate is Fate.UNSUPPORTED
    assert check(text, 1, shown=shown, support=0.9).fate is Fate.SUPPORTED
    assert check(source, 1, shown=shown).fate is Fate.SUPPORTED


@pytest.mark.parametrize(
    ("text", "fate"),
    [
        ("The fire in Lagos killed 25 people.", Fate.SUPPORTED),
        ("The fire in Lagos killed twenty-five people.", Fate.SUPPORTED),
        ("The fire in Lagos killed twenty-eight people.", Fate.UNGROUNDED),
        ("The fire in Lagos killed 28 people.", Fate.UNGROUNDED),
    ],
)
def test_number_words_with_a_hyphen_are_numbers(text: str, fate: Fate) -> None:
    shown = (article(1, "The fire in Lagos killed twenty-five people."),)
    assert check(text, 1, shown=shown).fate is fate


def test_a_falsehood_at_the_end_of_a_long_copy_is_left_to_the_verifier() -> None:
    copied = " ".join(f"the council of district number {letter * 5} approved its budget" for letter in "abcdefgh")
    shown = (article(1, f"Yesterday {copied}."),)
    false = f"Yesterday {copied} and the prime minister was arrested."
    assert check(false, 1, shown=shown).fate is Fate.UNSUPPORTED
    assert check(f"Yesterday {copied}.", 1, shown=shown).fate is Fate.SUPPORTED


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("A viral post falsely claimed that the vaccine killed 300 children.", "The vaccine killed 300 children."),
        ("Rumours that the mayor resigned were a hoax.", "The mayor resigned."),
        ("Prosecutors dropped the accusation that Marsh stole the painting.", "Marsh stole the painting."),
    ],
)
def test_verifier_cannot_make_a_fact_of_what_the_source_calls_false(source: str, text: str) -> None:
    shown = (article(1, source),)
    assert check(text, 1, shown=shown, support=1.0).fate is Fate.UNSUPPORTED
    assert check(source, 1, shown=shown).fate is Fate.SUPPORTED


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("If the vote is lost, Marsh will resign in May.", "Marsh will resign in May."),
        ("Marsh allegedly stole the painting in May.", "Marsh stole the painting in May."),
        ("Marsh, who spread the hoax that the dam had burst, resigned in May.", "Marsh resigned in May."),
    ],
)
def test_what_a_source_leaves_open_is_left_to_the_verifier(source: str, text: str) -> None:
    shown = (article(1, source),)
    assert check(text, 1, shown=shown, support=0.1).fate is Fate.UNSUPPORTED
    assert check(text, 1, shown=shown, support=0.9).fate is Fate.SUPPORTED
    assert check(source, 1, shown=shown).fate is Fate.SUPPORTED


@pytest.mark.parametrize(
    ("text", "judged"),
    [
        ("It is unlikely that {}.", Fate.SUPPORTED),
        ("A vaccine against {}.", Fate.SUPPORTED),
        ("It is false that {}.", Fate.UNSUPPORTED),
        ("It is a lie that {}.", Fate.UNSUPPORTED),
        ("It is wrong to say that {}.", Fate.UNSUPPORTED),
        ("The report that {}, is a hoax.", Fate.UNSUPPORTED),
    ],
)
def test_copy_with_a_word_of_its_own_is_judged_and_one_that_calls_it_false_is_dropped(text: str, judged: Fate) -> None:
    copied = "he measles epidemic killed 81 people in Samoa between October and December, most of them young children"
    shown = (article(1, f"T{copied}, the government said."),)
    assert check(f"T{copied}.", 1, shown=shown).fate is Fate.SUPPORTED
    assert check(text.format(f"t{copied}"), 1, shown=shown, support=0.1).fate is Fate.UNSUPPORTED
    assert check(text.format(f"t{copied}"), 1, shown=shown, support=1.0).fate is judged


def test_verifier_cannot_overrule_a_number_that_no_source_has() -> None:
    assert check("The authority has bought 90 boats.", 1, support=1.0).fate is Fate.UNGROUNDED


def test_uncited_sentence_gets_the_number_of_its_source() -> None:
    assert check("The contract is worth 1,200 crowns.").numbers == (2,)


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


@pytest.mark.parametrize(
    ("said", "swapped"),
    [
        ("Australia", "Austria"),
        ("Niger", "Nigeria"),
        ("Johnson", "Johnston"),
        ("Christine", "Christopher"),
        ("Alexander", "Alexandra"),
        ("Australia", "Australian"),
    ],
)
@pytest.mark.parametrize(
    "text", ["Officials in {} ordered four electric ferries.", "{} ordered four electric ferries."]
)
def test_name_with_the_same_first_letters_is_left_to_the_verifier(said: str, swapped: str, text: str) -> None:
    shown = (article(1, f"{text.format(said)} It rained."),)
    assert check(text.format(said), 1, shown=shown).fate is Fate.SUPPORTED
    assert check(text.format(swapped), 1, shown=shown).fate is not Fate.SUPPORTED
