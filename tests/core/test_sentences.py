"""Sentence and paragraph spans."""

from itertools import pairwise

import pytest
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


def test_wide_blanks_break_nothing() -> None:
    text = 'B\xa0."a?\u3000Next one.\xa0Last.'
    spans = sentence_spans(text)
    assert "".join(text[start:end] for start, end in spans).replace("\xa0", "").replace("\u3000", "") == (
        'B."a?Next one.Last.'.replace(" ", " ")
    )
    assert sentence_spans("One here.\xa0Two there.") == [(0, 9), (10, 20)]


def test_a_paragraph_that_the_library_breaks_off_at_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    class PanicException(BaseException):
        """Stands for the library's."""

    def panic(*_: str) -> None:
        raise PanicException

    monkeypatch.setattr("sentencex.segment", panic)
    assert sentence_spans("One here. Two there.\n\nThree.") == [(0, 20), (22, 28)]


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
