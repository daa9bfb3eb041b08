import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.attribution.folding import fold
from pipelines.attribution.quotes import QuoteOutcome, check_quote, find_quote, quoted_strings, stands_at

BODY = (
    "The mayor said: “We won’t close the ﬁre station – not this year.”\n\n"
    "Café owners  in São Paulo were relieved. The council voted 7-2 on Monday. A second vote follows in June."
)
OTHER = "The bridge over the river was opened again on Sunday."


@pytest.mark.parametrize(
    ("quote", "original"),
    [
        ("We won't close the fire station - not this year", "We won’t close the ﬁre station – not this year"),
        ('"We won\'t close the fire station"', "We won’t close the ﬁre station"),
        ("Cafe\u0301 owners in Sa\u0303o Paulo were relieved.", "Café owners  in São Paulo were relieved"),
        ("The coun\u00adcil vo\u200bted 7-2", "The council voted 7-2"),
        ("not this year.” Café owners", "not this year.”\n\nCafé owners"),
        ("ＴＨＥ", None),
        ("the council voted", None),
        ("The council voted 7-3", None),
        ("council vote", None),
        ("ouncil voted", None),
        ("", None),
        ("...", None),
    ],
)
def test_quote_maps_back_to_the_letters_of_the_article(quote: str, original: str | None) -> None:
    span = find_quote(quote, BODY)
    assert (BODY[span[0] : span[1]] if span else None) == original


@pytest.mark.parametrize(
    ("quote", "outcome"),
    [
        ("The council voted 7-2 on Monday", QuoteOutcome.VERBATIM),
        ("The council voted ... on Monday", QuoteOutcome.ELLIPSIS),
        ("Café owners […] voted 7-2", QuoteOutcome.ELLIPSIS),
        ("The bridge over the river", QuoteOutcome.OTHER_ARTICLE),
        ("The council voted 7-2 were relieved. The council", QuoteOutcome.STITCHED),
        ("The council voted against it on Friday", QuoteOutcome.NOT_FOUND),
        ("", QuoteOutcome.NOT_FOUND),
    ],
)
def test_quote_is_classed(quote: str, outcome: QuoteOutcome) -> None:
    check = check_quote(quote, cited={"a": BODY}, others={"a": BODY, "b": OTHER})
    assert check.outcome is outcome
    if outcome is QuoteOutcome.OTHER_ARTICLE:
        assert check.article_id == "b"
    if outcome is QuoteOutcome.VERBATIM:
        assert stands_at(BODY, check.start or 0, check.end or 0, quote)


def test_ellipsis_of_the_article_itself_is_verbatim() -> None:
    body = "He said: we will... see about that."
    assert check_quote("we will… see about", cited={"a": body}).outcome is QuoteOutcome.VERBATIM


def test_only_quotations_are_taken_from_an_answer() -> None:
    text = 'He said "we will not close" and “the vote is over”, the "so-called" «deal of the century», it\'s done.'
    assert quoted_strings(text) == ["we will not close", "the vote is over", "deal of the century"]


@pytest.mark.parametrize(
    ("opening", "closing"),
    ["''", "‘’", "’’", '""', "””", "“”", '“"', '"”', "„“", "»«", "‹›", "＂＂", "「」", ("``", "''"), ("“", "")],
)
def test_kinds_of_marks_make_no_difference(opening: str, closing: str) -> None:
    assert quoted_strings(f"He said {opening}it's not the mayor's fault{closing}") == ["it's not the mayor's fault"]


@pytest.mark.parametrize(
    "text",
    [
        "The mayor's friends' house isn't the girls' school's.",
        "In the '90s and '80s rock 'n' roll was the workers' music.",
        "'Tis the season of the workers' rights.",
        'It\'s a 5" pipe and a 6" hose.',
    ],
)
def test_apostrophes_and_inches_quote_nothing(text: str) -> None:
    assert quoted_strings(text) == []


def test_long_row_of_marks_is_read_in_reasonable_time() -> None:
    started = time.process_time()
    quoted_strings("'a " * 13_000)
    assert time.process_time() - started < 5.0


@pytest.mark.parametrize(
    ("start", "end", "text"), [(0, 3, "Th"), (-3, 3, "The"), (0, 0, ""), (0, 9999, BODY), (1, 4, "The")]
)
def test_text_that_does_not_stand_at_its_offsets_is_refused(start: int, end: int, text: str) -> None:
    assert stands_at(BODY, 0, 3, "The")
    assert not stands_at(BODY, start, end, text)


@given(st.text(max_size=60))
def test_every_folded_character_knows_where_it_came_from(text: str) -> None:
    folded = fold(text)
    assert len(folded.text) == len(folded.starts) == len(folded.ends)
    assert all(0 <= start < end <= len(text) for start, end in zip(folded.starts, folded.ends, strict=True))


@given(
    st.lists(st.sampled_from(["The", "café", "won’t", "7-2", "São", "ﬁre", "\n\n", "–"]), min_size=6, max_size=30),
    st.data(),
)
def test_any_run_of_words_is_found_again(words: list[str], data: st.DataObject) -> None:
    body = " ".join(words)
    first = data.draw(st.integers(0, len(words) - 2))
    last = data.draw(st.integers(first + 1, len(words)))
    quote = " ".join(words[first:last])
    if any(character.isalnum() for character in quote):
        assert find_quote(fold(quote).text, body) is not None
