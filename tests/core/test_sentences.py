"""Sentence and paragraph spans."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from core.sentences import paragraph_spans, sentence_spans


def test_spans_cut_out_sentences_to_the_letter() -> None:
    text = "Mr. Łee paid $3.5 m. to the U.S. Navy. “He did,” she said.\n\nSecond paragraph! Third sentence? "
    assert [text[start:end] for start, end in sentence_spans(text)] == [
        "Mr. Łee paid $3.5 m. to the U.S. Navy.",
        "“He did,” she said.",
        "Second paragraph!",
        "Third sentence?",
    ]


@given(st.text(alphabet="aB .!?\n\"'“”é漢\u00a0", max_size=200))
def test_spans_are_ordered_and_lose_no_letter(text: str) -> None:
    for spans in (sentence_spans(text), list(paragraph_spans(text))):
        assert all(start < end for start, end in spans)
        assert all(first[1] <= second[0] for first, second in pairwise(spans))
        assert "".join("".join(text[start:end].split()) for start, end in spans) == "".join(text.split())


def test_lines_are_paragraphs_only_where_there_is_no_blank_line() -> None:
    for text, expected in (
        ("One line.\nAnother line", ["One line.", "Another line"]),
        ("One sentence\nover two lines.\n \nNext.", ["One sentence\nover two lines.", "Next."]),
    ):
        assert [text[start:end] for start, end in paragraph_spans(text)] == expected
