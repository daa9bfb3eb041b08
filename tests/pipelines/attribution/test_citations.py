import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.attribution.citations import drop_unknown, marker_numbers, read_citations

GIVEN = frozenset(range(1, 6))


@pytest.mark.parametrize(
    ("marker", "numbers"),
    [
        ("Doc[1]", (1,)),
        ("Doc[1, 2]", (1, 2)),
        ("Doc[1,2 and 3]", (1, 2, 3)),
        ("Doc[1] and Doc[4]", (1, 4)),
        ("Doc[2-4]", (2, 3, 4)),
        ("Doc[2–4]", (2, 3, 4)),
        ("Doc[2 to 4]", (2, 3, 4)),
        ("Doc[1][2]", (1, 2)),
        ("[Doc 3]", (3,)),
        ("[Doc. 3]", (3,)),
        ("[Doc[3]]", (3,)),
        ("[Docs 1, 3]", (1, 3)),
        ("[Doc 1, Doc 3]", (1, 3)),
        ("(Doc 3)", (3,)),
        ("(Document 3)", (3,)),
        ("Document[1]", (1,)),
        ("Document [1]", (1,)),
        ("doc[1]", (1,)),
        ("DOC[1]", (1,)),
        ("[1]", (1,)),
        ("[1, 2]", (1, 2)),
        ("[1-3]", (1, 2, 3)),
        ("[1][2]", (1, 2)),
        ("[^1]", (1,)),
        ("[^1][^2]", (1, 2)),
        ("【1】", (1,)),
        ("【2†source】", (2,)),
        ("Doc[２]", (2,)),
        ("Doc[\u200b2]", (2,)),
        ("Doc[2]-[4]", (2, 3, 4)),
        ("Doc[2]–Doc[4]", (2, 3, 4)),
        ("[2]-[4]", (2, 3, 4)),
        ("Doc 3", (3,)),
        ("Doc3", (3,)),
        ("(Doc[1], Doc[2])", (1, 2)),
        ("[Doc[1], Doc[2]]", (1, 2)),
        ("[Doc [1]; Doc [2]]", (1, 2)),
        ("([1], [2])", (1, 2)),
        ("[[1]]", (1,)),
        ("(see [1])", (1,)),
        ("(source: Doc[1])", (1,)),
        ("[source: 1]", (1,)),
        ("[Excerpt 1]", (1,)),
        ("Article [1]", (1,)),
        ("[^1^]", (1,)),
        ("［1］", (1,)),
        ("Doc\\[1\\]", (1,)),
        ("**Doc[1]**", (1,)),
        ("`Doc[1]`", (1,)),
        ("[1](https://x.example/a?b=1)", (1,)),
    ],
)
@pytest.mark.parametrize(
    "form", ["The mayor resigned {}.", "The mayor resigned. {}", "According to {}, the mayor resigned."]
)
def test_every_form_is_read(marker: str, numbers: tuple[int, ...], form: str) -> None:
    cited = read_citations(form.format(marker), given=GIVEN)
    assert [(sentence.text, sentence.numbers) for sentence in cited.sentences] == [("The mayor resigned.", numbers)]
    assert cited.dropped == ()


def test_superscripts_are_footnotes_but_powers_of_words_are_not() -> None:
    cited = read_citations("The mayor resigned.¹ The council met.²", given=GIVEN)
    assert [sentence.numbers for sentence in cited.sentences] == [(1,), (2,)]


@pytest.mark.parametrize(
    "text",
    [
        "In [1990] he left.",
        "He spent $5 (2 percent).",
        "Doc Martin left.",
        "Article 5 holds.",
        "The fire burned 12 km² of forest.",
        "A hectare is 10⁴ square metres.",
        "The mayor resigned¹ on Friday.",
        "He cited (Article 5) of the treaty.",
        "The team won 2-1 on 5 May.",
        "A pi of 3.14 is meant.",
    ],
)
def test_other_numbers_are_no_citations(text: str) -> None:
    cited = read_citations(text, given=GIVEN)
    assert [sentence.text for sentence in cited.sentences] == [text]
    assert cited.dropped == ()
    assert cited.uncited() == cited.sentences


@pytest.mark.parametrize(
    ("text", "dropped", "marked"),
    [
        ("It rained Doc[9].", (9,), "It rained."),
        ("It rained Doc[0].", (0,), "It rained."),
        ("It rained Doc[1, 9].", (9,), "It rained Doc[1]."),
        ("It rained Doc[4-7].", (6, 7), "It rained Doc[4] Doc[5]."),
        ("It rained Doc[1-999999999].", (-1,), "It rained."),
        ("It rained Doc[4-2].", (-1,), "It rained."),
        ("It rained Doc[99999999999999999999].", (999999999,), "It rained."),
        ("According to Doc[9], it rained.", (9,), "It rained."),
    ],
)
def test_numbers_never_given_are_removed_and_counted(text: str, dropped: tuple[int, ...], marked: str) -> None:
    cited = read_citations(text, given=GIVEN)
    assert cited.dropped == dropped
    assert cited.marked() == marked


def test_markers_belong_to_the_sentence_before_them() -> None:
    cited = read_citations("The mayor resigned. Doc[1] The council met. Doc[2] Nobody spoke.", given=GIVEN)
    assert [(sentence.text, sentence.numbers) for sentence in cited.sentences] == [
        ("The mayor resigned.", (1,)),
        ("The council met.", (2,)),
        ("Nobody spoke.", ()),
    ]


@pytest.mark.parametrize(
    "reply",
    [
        "The mayor resigned. (Doc[1], Doc[2]) The council met. (Doc[3])",
        "The mayor resigned. [Doc[1]; Doc[2]] The council met. [Doc 3]",
        "1. The mayor resigned Doc[1, 2].\n2. The council met Doc[3].",
        "- The mayor resigned Doc[1, 2]\n- The council met (Doc[3])",
        "| The mayor resigned | Doc[1, 2] |\n|---|---|\n| The council met | Doc[3] |",
        "- **The mayor resigned** Doc[1, 2].   \n- The council met Doc[3].\n\n",
        "# The mayor resigned. Doc[1, 2]\n\n* The council met. Doc[3]\n",
        "| The mayor resigned. | Doc[1, 2] |\n|---|---|\n| The council met. | Doc[3] |",
        "```\nThe mayor resigned Doc[1, 2].\nThe council met Doc[3].\n```",
        "**Answer:** The mayor resigned Doc[1, 2]. The council met Doc[3].",
        "Doc[1, 2]: The mayor resigned.\nDoc[3]: The council met.",
        "As per Doc[1, 2]: the mayor resigned. As per Doc[3], the council met.",
        "The mayor resigned, Doc[1, 2]. The council met, Doc 3.",
    ],
)
def test_markdown_of_a_reply_is_no_part_of_its_sentences(reply: str) -> None:
    cited = read_citations(reply, given=GIVEN)
    assert [(sentence.text, sentence.numbers) for sentence in cited.sentences] == [
        ("The mayor resigned.", (1, 2)),
        ("The council met.", (3,)),
    ]
    assert cited.dropped == ()


def test_marker_that_is_the_subject_opens_its_sentence() -> None:
    cited = read_citations("The mayor resigned Doc[1]. Doc[2] says that the council met.", given=GIVEN)
    assert [(sentence.text, sentence.numbers) for sentence in cited.sentences] == [
        ("The mayor resigned.", (1,)),
        ("The council met.", (2,)),
    ]


def test_citations_alone_are_no_sentence() -> None:
    assert read_citations("Doc[1] Doc[2], Doc[3].", given=GIVEN).sentences == ()


def test_blank_reply_has_no_sentences() -> None:
    assert read_citations(" \n ", given=GIVEN).sentences == ()


def test_quotation_marks_stay_with_their_sentence() -> None:
    cited = read_citations('He said "we leave." [1] They left. [2]', given=GIVEN)
    assert cited.marked() == 'He said "we leave Doc[1]." They left Doc[2].'


@given(st.text(alphabet="Doc[]()1-,. 9³^【】aA\n", max_size=60))
def test_no_unknown_number_survives_whatever_the_text(text: str) -> None:
    cited = read_citations(text, given={1})
    assert all(set(sentence.numbers) <= {1} for sentence in cited.sentences)
    again = read_citations(cited.marked(), given={1})
    assert not any(number not in {1, -1} for sentence in again.sentences for number in sentence.numbers)


@pytest.mark.parametrize(
    "garbage", ["Doc[", "[1, ", ".", " ", "\n", "a. ", "(", "*", "**a ", "`a ", "| a |\n", "[1](", "Doc 1 ", "- [1]"]
)
def test_long_garbage_is_read_in_reasonable_time(garbage: str) -> None:
    started = time.process_time()
    read_citations(f"Doc[1]{garbage * (40_000 // len(garbage))}x", given=GIVEN)
    assert time.process_time() - started < 5.0


def test_in_our_own_form_only_our_citations_are_read() -> None:
    text = "The fire [2] burned 12 km² of forest [Doc 3] near Bergen² Doc[1]. It rained Doc[9]."
    cited = read_citations(text, given=GIVEN, ours=True)
    assert [(sentence.text, sentence.numbers) for sentence in cited.sentences] == [
        ("The fire [2] burned 12 km² of forest [Doc 3] near Bergen².", (1,)),
        ("It rained.", ()),
    ]
    assert cited.dropped == (9,)


def test_unknown_numbers_are_dropped_and_the_rest_stays_to_the_letter() -> None:
    text = "eBay  sold [9] 12 km² ... Doc[9] Doc[1]. It rained Doc[8]."
    assert drop_unknown(text, given=GIVEN) == ("eBay  sold [9] 12 km² ... Doc[1]. It rained.", (9, 8))


def test_marker_numbers_are_unique_and_in_order() -> None:
    assert marker_numbers("Doc[3, 1, 3, 1-2]") == (3, 1, 2)


@pytest.mark.parametrize(
    "text",
    [
        "The mayor resigned. Doc[1]. It rained. Doc[2].",
        "The mayor resigned.\n\nDoc[1]\n\nIt rained.\nDoc[2]",
        "Doc[1] The mayor resigned. Doc[2] It rained.",
        "Doc[1] The mayor resigned.\nDoc[2] It rained.",
        "The mayor resigned. Doc[1] It rained. Doc[2]",
    ],
)
def test_markers_behind_stops_on_own_lines_and_in_front_belong_to_their_sentences(text: str) -> None:
    found = [(one.text, one.numbers) for one in read_citations(text, given={1, 2}).sentences]
    assert found == [("The mayor resigned.", (1,)), ("It rained.", (2,))]
