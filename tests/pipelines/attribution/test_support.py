import pytest

from pipelines.attribution.citations import CitedSentence
from pipelines.attribution.support import Fate, check_sentence
from tests.pipelines.attribution.sources import SHOWN, article, check


@pytest.mark.parametrize(
    ("text", "numbers", "fate"),
    [
        ("The Velmont harbour authority ordered four electric ferries.", (1,), Fate.SUPPORTED),
        ("The Velmont harbour authority ordered 4 electric ferries.", (1,), Fate.SUPPORTED),
        ("The Velmont harbour authority ordered four electric ferries.", (), Fate.SUPPORTED),
        ("The Velmont harbour authority ordered four electric ferries.", (2,), Fate.SUPPORTED),
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


def test_a_wrong_number_is_put_right_by_the_source_that_holds_the_sentence() -> None:
    moved = check("The Velmont harbour authority ordered four electric ferries.", 2)
    assert (moved.fate, moved.numbers) == (Fate.SUPPORTED, (1,))
    assert check("The Velmont harbour authority ordered five electric ferries.", 2).fate is Fate.UNGROUNDED
    assert check('The contract "is worth 1,200 crowns".', 1, support=1.0).fate is Fate.FALSE_QUOTE


def test_no_pair_is_judged_twice_where_a_number_is_wrong() -> None:
    asked = []

    def judge(pairs):
        asked.extend(pairs)
        return [0.1] * len(pairs)

    sentence = CitedSentence(text="The authority has bought electric boats for crowns.", numbers=(1,))
    assert check_sentence(sentence, SHOWN, judge=judge).fate is Fate.UNSUPPORTED
    assert any("1,200 crowns" in premise for _, premise in asked)
    assert len(asked) == len(set(asked))


def test_what_two_sentences_of_an_article_say_is_judged_by_both() -> None:
    source = "Ida Marlow ran the Velmont harbour for ten years. She resigned after a dispute about ferries. It rained."
    shown = (article(1, source),)
    text = CitedSentence(text="Ida Marlow of the Velmont harbour resigned over ferries.", numbers=(1,))

    def judge(pairs):
        return [0.9 if "ran the Velmont" in premise and "She resigned" in premise else 0.1 for _, premise in pairs]

    both = check_sentence(text, shown, judge=judge)
    assert (both.fate, len(both.sources)) == (Fate.SUPPORTED, 2)
    assert check_sentence(text, shown, judge=lambda pairs: [0.1] * len(pairs)).fate is Fate.UNSUPPORTED


def test_together_nothing_is_made_of_a_sentence_that_says_otherwise() -> None:
    shown = (article(1, "Nordwing bought Baltair on Friday. Baltair had been losing money."),)
    text = CitedSentence(text="Baltair bought Nordwing on Friday.", numbers=(1,))
    fate = check_sentence(text, shown, judge=lambda pairs: [float(len(premise) > 60) for _, premise in pairs]).fate
    assert fate is Fate.UNSUPPORTED


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("The authority in Velmont ordered boats.", "What did Velmont order?"),
        ("The Tehran office ordered boats.", "What did the office in Tehran order?"),
        ("The office of Marlow ordered boats.", ""),
    ],
)
def test_names_of_the_question_and_parts_of_words_are_left_to_the_verifier(text: str, query: str) -> None:
    shown = (article(1, "A pro-Marlow group ordered boats."),)
    sentence = CitedSentence(text=text, numbers=(1,))
    for support, fate in ((0.9, Fate.SUPPORTED), (0.1, Fate.UNSUPPORTED)):
        judged = [support]
        assert check_sentence(sentence, shown, judge=lambda pairs, judged=judged: judged, query=query).fate is fate


def test_numbers_of_the_question_must_stand_in_a_source() -> None:
    shown = (article(1, "The authority ordered boats."),)
    sentence = CitedSentence(text="The authority ordered 90 boats.", numbers=(1,))
    asked = "Did the authority order 90 boats?"
    assert check_sentence(sentence, shown, judge=lambda pairs: [1.0] * len(pairs), query=asked).fate is Fate.UNGROUNDED


def test_the_number_of_a_name_is_a_part_of_it() -> None:
    shown = (article(1, "The coronavirus closed schools in Velmont."),)
    sentence = CitedSentence(text="In Velmont, COVID-19 closed schools.", numbers=(1,))
    asked = "Where did COVID-19 close schools?"
    assert check_sentence(sentence, shown, judge=lambda pairs: [0.9] * len(pairs), query=asked).fate is Fate.SUPPORTED
    assert check_sentence(sentence, shown, judge=lambda pairs: [0.9] * len(pairs)).fate is Fate.UNGROUNDED


def test_paraphrase_is_left_to_the_verifier() -> None:
    text = "The authority has bought electric boats."
    assert check(text, 1, support=0.9).fate is Fate.SUPPORTED
    assert check(text, 1, support=0.4).fate is Fate.UNSUPPORTED


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
